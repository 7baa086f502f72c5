"""What strangers wrote, on its way to a terminal: it must not steer what it is shown on."""

import json
from typing import Any


def terminal_json(value: Any, *, indent: int | None = None) -> str:
    """JSON in UTF-8 in which whatever does not print is escaped, not only what JSON asks for: a terminal obeys U+009B
    as it obeys ESC and a bracket."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return "".join(character if _is_shown(character) else json.dumps(character)[1:-1] for character in text)


def _is_shown(character: str) -> bool:
    """A line's end is the indentation's: inside a string it is escaped already."""
    return character.isprintable() or character == "\n"
