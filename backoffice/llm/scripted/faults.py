"""The small language in which a fault is asked for: in a header, in an option, or in the text of a message.

    faults := fault (";" fault)*
    fault  := NAME ["=" VALUE] ["*" TIMES] ["@" CALL]

`429=2*2@1; delay=0.05`: the first two attempts of a conversation's first model call get a 429 with `Retry-After: 2`,
and every chunk of every answer comes 50 ms after the one before. docs/scripted-model.md lists the names.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

HEADER = "x-scripted-faults"
_FAULT = re.compile(r"(?P<name>[a-z0-9-]+)(?:=(?P<value>[^*@;\s]*))?(?:\*(?P<times>\d{1,6}))?(?:@(?P<call>\d{1,3}))?")
_MARKER = re.compile(r"\[\[fault:(?P<faults>[^\]]*)\]\]", re.IGNORECASE)
_STATUS = re.compile(r"[45]\d\d")

SECONDS = {"stall", "stall-mid", "ttft", "delay"}
PLAIN = {
    "drop",
    "drop-mid",
    "reset-mid",
    "eof",
    "malformed",
    "bad-utf8",
    "error-event",
    "length",
    "content-filter",
    "refusal",
    "empty",
    "no-usage",
    "no-done",
    "id-repeated",
    "index-zero",
    "no-index",
    "no-id",
}


class UnknownFaultError(ValueError):
    """The message names the word that is no fault."""


@dataclass(frozen=True, slots=True)
class Fault:
    name: str
    value: str | None = None
    times: int | None = None
    """How many attempts of the same request it strikes; None: every one."""
    call: int | None = None
    """Which model call of a conversation it strikes, from 1; None: every one."""

    def __str__(self) -> str:
        value = "" if self.value is None else f"={self.value}"
        times = "" if self.times is None else f"*{self.times}"
        return f"{self.name}{value}{times}" + ("" if self.call is None else f"@{self.call}")

    def strikes(self, call: int, attempt: int) -> bool:
        return self.call in (None, call) and (self.times is None or attempt <= self.times)

    @property
    def is_status(self) -> bool:
        return _STATUS.fullmatch(self.name) is not None

    @property
    def seconds(self) -> float | None:
        return None if self.value is None else float(self.value)


def parse_faults(text: str) -> tuple[Fault, ...]:
    """Raises UnknownFaultError."""
    return tuple(_parse_fault(word.strip()) for word in text.split(";") if word.strip())


def marked_faults(text: str) -> tuple[Fault, ...]:
    """The faults that a user's text asks for: `[[fault: drop-mid]]`. Raises UnknownFaultError."""
    return tuple(fault for marker in _MARKER.finditer(text) for fault in parse_faults(marker["faults"]))


def without_markers(text: str) -> str:
    return _MARKER.sub(" ", text)


def _parse_fault(word: str) -> Fault:
    match = _FAULT.fullmatch(word)
    if match is None:
        raise UnknownFaultError(f"{word!r} is no fault; write NAME[=VALUE][*TIMES][@CALL]")
    fault = Fault(match["name"], match["value"], _number(match["times"]), _number(match["call"]))
    _check_value(fault, word)
    return fault


def _number(digits: str | None) -> int | None:
    return None if digits is None else int(digits)


def _check_value(fault: Fault, word: str) -> None:
    if fault.name in PLAIN:
        if fault.value is not None:
            raise UnknownFaultError(f"{word!r}: {fault.name} takes no value")
    elif fault.name in SECONDS or fault.is_status:
        _check_seconds(fault, word)
    elif fault.name != "stop":
        raise UnknownFaultError(f"{word!r}: unknown fault {fault.name!r}; known are {', '.join(known_names())}")


def _check_seconds(fault: Fault, word: str) -> None:
    if fault.value is None and fault.name in {"ttft", "delay"}:
        raise UnknownFaultError(f"{word!r}: {fault.name} needs a number of seconds")
    if fault.value is not None and re.fullmatch(r"\d{1,6}(\.\d{1,6})?", fault.value) is None:
        raise UnknownFaultError(f"{word!r}: {fault.value!r} is no number of seconds")


def known_names() -> Iterable[str]:
    return ["400 to 599", *sorted(PLAIN | SECONDS | {"stop"})]
