"""Events add up to a completion. Whether it may be used depends on the stop reason alone, never on text being there."""

from collections.abc import Collection, Iterable
from typing import Any

from backoffice.llm.chunks import PUBLIC_ERROR
from backoffice.llm.events import (
    Answered,
    Aside,
    Chunk,
    Completion,
    Done,
    Error,
    Event,
    Status,
    Stop,
    StopReason,
    ToolCallFragment,
    UsageReport,
)
from backoffice.llm.failures import ON_THE_WIRE, Failure, FailureCode
from backoffice.llm.text import mend
from backoffice.llm.tool_calls import ToolCallMerger
from backoffice.llm.usage import UNKNOWN

FINAL_STOPS = frozenset({StopReason.LENGTH, StopReason.CONTENT_FILTER})
"""Stops that say something is missing; a later, milder word of the same stream does not take them back."""

CUT_OFF = ON_THE_WIRE | {FailureCode.INTERRUPTED}

NOTHING_READABLE = Failure(FailureCode.PROVIDER_ERROR, "The provider answered 200 without one readable event.")

MOST_CHARACTERS = 8_000_000
"""Of text and tool calls together that one call may bring: a thousand times what any answer of ours may hold, and no
more than a row of the audit and the memory of a process can bear."""
MOST_CALLS = 1_000
TOO_MUCH = Failure(FailureCode.PROVIDER_ERROR, "The provider sent far more than an answer can hold.")


class Assembly:
    """Collects the events of one stream, in one pass and without copying growing text."""

    def __init__(self, declared_tools: Collection[str] = ()) -> None:
        self.stop_reason: StopReason | None = None
        self.failure: Failure | None = None
        self.usage = UNKNOWN
        self._text: list[str] = []
        self._asides: dict[str, list[str]] = {}
        self._calls = ToolCallMerger(declared_tools)
        self._answered = Answered("", "")
        self._characters = 0
        self.full = False
        """It has failed because more came than one call may bring: nothing more should be read."""

    @property
    def has_text(self) -> bool:
        return bool(self._text)

    def feed(self, events: Iterable[Event]) -> None:
        for event in events:
            kind = type(event)
            if kind is Chunk:
                text = event.text  # type: ignore[union-attr]
                self._text.append(text)
                self._characters += len(text)
            else:
                self._take(event)
        if self._characters > MOST_CHARACTERS or len(self._calls) > MOST_CALLS:
            self.full = True
            self.fail(TOO_MUCH)

    def _take(self, event: Event) -> None:
        match event:
            case ToolCallFragment():
                if self._characters <= MOST_CHARACTERS:
                    self._characters += self._calls.feed(event)
            case Stop(reason):
                if self.stop_reason not in FINAL_STOPS:
                    self.stop_reason = reason
            case UsageReport(usage):
                self.usage = usage
            case Aside(kind, text):
                self._set_aside(kind, text)
                if kind == "reasoning_content":
                    self._set_aside("reasoning", text)
                self._characters += len(text)
            case Answered():
                self._answered = event
            case Error(_, failure):
                self.fail(failure)

    def _set_aside(self, kind: str, text: str) -> None:
        held = self._asides.setdefault(kind, [])
        if text:
            held.append(text)

    def _aside(self, kind: str) -> str | None:
        """None where none came, unlike an empty one."""
        return mend("".join(self._asides[kind])) if kind in self._asides else None

    def fail(self, failure: Failure) -> None:
        """The first failure of a stream is the one it has."""
        self.failure = self.failure or failure

    def ending(self, without_stop: Failure) -> Done | Error:
        """The stream's last event; `without_stop` is what it means that no stop reason came."""
        if self.failure is None and self.stop_reason is None:
            self.failure = without_stop
        if self.failure is not None or self.stop_reason is None:
            return Error(PUBLIC_ERROR, self.failure or without_stop)
        return Done(self.stop_reason, self.usage)

    def completion(self, **measured: Any) -> Completion:
        """`measured`: the fields of Completion that only the caller knows (times, the request, the done marker)."""
        return Completion(
            text="".join(self._text),
            tool_calls=self._calls.calls(),
            stop_reason=self.stop_reason,
            usage=self.usage,
            status=self._status(),
            failure=self.failure,
            refusal=self._aside("refusal") or "",
            reasoning=self._aside("reasoning") or "",
            reasoning_content=self._aside("reasoning_content"),
            model=self._answered.model,
            response_id=self._answered.response_id,
            **measured,
        )

    def _status(self) -> Status:
        begun = bool(self._text or self._calls)
        if self.failure is None and begun:
            return Status.INTERRUPTED if self.stop_reason is None else Status.COMPLETE
        if self.failure is None:
            return Status.EMPTY
        if begun:
            return Status.INTERRUPTED if self.failure.code in CUT_OFF else Status.ERROR
        said_nothing = self.failure.code is FailureCode.INTERRUPTED or self.failure is NOTHING_READABLE
        return Status.EMPTY if said_nothing else Status.ERROR
