"""Text that no wire or database can carry is mended here, once, where it enters.

A JSON string may hold surrogate halves (a provider that cuts text by UTF-16 units sends a pair in two chunks) and NUL;
UTF-8 and PostgreSQL refuse both.
"""

import re
from typing import Any

LONGEST_NAME = 100
_BROKEN = re.compile("[\x00\ud800-\udfff]")
_HIGH_SURROGATE_AT_END = re.compile("[\ud800-\udbff]\\Z")


def mend(text: str) -> str:
    """Pair surrogate halves, turn lone ones into U+FFFD and drop NUL."""
    if _BROKEN.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").replace("\0", "")


def mend_json(value: Any) -> Any:
    """Mend every string of a JSON value, property names included."""
    if isinstance(value, str):
        return mend(value)
    if isinstance(value, list):
        return [mend_json(item) for item in value]
    if isinstance(value, dict):
        return {mend(name): mend_json(item) for name, item in value.items()}
    return value


def path_step(step: str | int) -> str | int:
    """A step on the way to what is wrong in a JSON value, as it may be told: the name of a property is a stranger's
    text, which may be long and hold what no response can carry."""
    return step if isinstance(step, int) else mend(step)[:LONGEST_NAME]


class TextMender:
    """Mend text that arrives in pieces: half a pair at the end of a piece waits for the next one."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> str:
        if not self._held and _BROKEN.search(piece) is None:
            return piece
        text = self._held + piece
        cut = len(text) - 1 if _HIGH_SURROGATE_AT_END.search(text) else len(text)
        self._held = text[cut:]
        return mend(text[:cut])

    def finish(self) -> str:
        held, self._held = self._held, ""
        return mend(held)
