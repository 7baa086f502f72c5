"""What the two doors and whatever stands behind them agree on: a request in, an answer out, a note of how it ended."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from backoffice.llm.scripted.script import Script

Ending = Literal["sent", "dropped", "timed_out", "hung_up"]
"""`dropped`: by us, as told. `timed_out` and `hung_up`: by the client, which lost patience or left."""


@dataclass(frozen=True, slots=True)
class HttpCall:
    """One request as both doors see it; header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A model call that was answered. It names its user message by hash alone, for notes are never logged."""

    user_sha256: str
    model: str
    call: int
    """1 for the first model call of a conversation, 2 for the one after the first tool calls, …"""
    attempt: int
    """How many times this very request has come, this one included."""
    faults: tuple[str, ...]
    status: int
    ended: Ending = "sent"
    seconds: float = 0.0
    """From the request's arrival to the answer's end."""


Observer = Callable[[Exchange], None]


@dataclass(frozen=True, slots=True)
class Answer:
    script: Script
    exchange: Exchange | None = None
    observer: Observer | None = None

    def end(self, ended: Ending, seconds: float) -> None:
        """Tell the observer, if there is one, how the answer ended."""
        if self.exchange is not None and self.observer is not None:
            self.observer(replace(self.exchange, ended=ended, seconds=round(seconds, 4)))


class Handler(Protocol):
    def handle(self, call: HttpCall) -> Answer: ...
