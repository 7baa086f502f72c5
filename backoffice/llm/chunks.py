"""The wire's chat-completion chunks, as bytes, become events.

Nothing on the wire is trusted: any field can be missing, null or of another type. What the answer rests on must be of
its type, or the stream is `malformed_chunk`; everything else is read past.
"""

import json
from collections.abc import Iterator
from typing import Any

from backoffice.llm import strict_json
from backoffice.llm.events import Answered, Aside, Chunk, Error, Event, Stop, StopReason, ToolCallFragment, UsageReport
from backoffice.llm.failures import Failure, FailureCode
from backoffice.llm.sse import EventParser, EventTooLong, ServerSentEvent
from backoffice.llm.text import TextMender, mend, mend_json
from backoffice.llm.usage import usage_from

PUBLIC_ERROR = "upstream failed"
DONE_MARKER = b"[DONE]"
MOST_LEVELS = 16
"""Of a provider's own object that is kept to be sent back: those that are known have three."""
STOP_REASONS: dict[str, StopReason] = {
    "stop": StopReason.END,
    "length": StopReason.LENGTH,
    "tool_calls": StopReason.TOOL_CALLS,
    "content_filter": StopReason.CONTENT_FILTER,
}


class MalformedChunk(ValueError):
    """The message says which field; it never quotes what was sent."""


class ChunkReader:
    """Incremental: bytes in, cut anywhere; events out. Any bytes end in events, never in an exception."""

    def __init__(self) -> None:
        self.done_marker = False
        self.ended = False
        """Nothing more will be read: an error, or `[DONE]` after a stop reason."""
        self.data_events = 0
        """How many events with data came, and error events: whether they can be read shows later."""
        self._parser = EventParser()
        self._mender = TextMender()
        self._stopped = False
        self._answered = False

    def feed(self, data: bytes) -> list[Event]:
        try:
            return self._read(self._parser.feed(data))
        except EventTooLong as error:
            return [self._error(FailureCode.MALFORMED_CHUNK, str(error))]

    def finish(self) -> list[Event]:
        """What the end of the body leaves: a last event without its blank line, and half a surrogate pair.

        A last line that was cut off in the middle is a stream that just ended, not a malformed chunk.
        """
        left, cut = self._parser.finish()
        if cut and not all(map(_is_whole, left)):
            left = []
        events = self._read(left)
        if held := self._mender.finish():
            events.append(Chunk(held))
        return events

    def _read(self, received: list[ServerSentEvent]) -> list[Event]:
        events: list[Event] = []
        for item in received:
            if self.ended:
                break
            try:
                events.extend(self._interpret(item))
            except (MalformedChunk, strict_json.InvalidJSON) as error:
                events.append(self._error(FailureCode.MALFORMED_CHUNK, f"Unreadable data in the stream: {error}."))
        return events

    def _interpret(self, item: ServerSentEvent) -> Iterator[Event]:
        if item.event == "error":
            self.data_events += 1
            yield self._error(FailureCode.PROVIDER_ERROR, "The provider sent an error event.")
            return
        data = item.data.strip()
        if not data:
            return
        self.data_events += 1
        if data == DONE_MARKER:
            self.done_marker = True
            self.ended = self._stopped
            return
        yield from self._chunk(_json_object(data))

    def _chunk(self, chunk: dict[str, Any]) -> Iterator[Event]:
        if chunk.get("error") or chunk.get("object") == "error" or chunk.get("type") == "error":
            yield self._error(FailureCode.PROVIDER_ERROR, "The provider sent an error inside the stream.")
            return
        if not self._answered:
            yield from self._who(chunk)
        for position, choice in enumerate(_list(chunk, "choices")):
            index = _index(choice)
            if (position if index is None else index) == 0:
                yield from self._choice(choice)
        usage = chunk.get("usage")
        if isinstance(usage, dict):
            yield UsageReport(usage_from(usage))

    def _who(self, chunk: dict[str, Any]) -> Iterator[Event]:
        model, response_id = chunk.get("model"), chunk.get("id")
        if isinstance(model, str) and model:
            self._answered = True
            yield Answered(mend(model)[:200], mend(response_id)[:200] if isinstance(response_id, str) else "")

    def _choice(self, choice: dict[str, Any]) -> Iterator[Event]:
        delta = _object(choice, "delta")
        content = _string(delta, "content")
        if content and (text := self._mender.feed(content)):
            yield Chunk(text)
        if refusal := _string(delta, "refusal"):
            yield Aside("refusal", refusal)
        yield from _reasoning(delta)
        for call in _list(delta, "tool_calls"):
            yield _fragment(call)
        if finish := _string(choice, "finish_reason"):
            yield self._stop(finish)

    def _stop(self, finish: str) -> Event:
        reason = STOP_REASONS.get(finish)
        if reason is None:
            return self._error(
                FailureCode.PROVIDER_ERROR, "The provider ended the stream with a stop reason of its own."
            )
        self._stopped = True
        return Stop(reason)

    def _error(self, code: FailureCode, detail: str) -> Error:
        self.ended = True
        return Error(PUBLIC_ERROR, Failure(code, detail))


def _is_whole(item: ServerSentEvent) -> bool:
    if item.event == "error" or item.data.strip() == DONE_MARKER:
        return True
    try:
        return isinstance(strict_json.loads(item.text), dict)
    except strict_json.InvalidJSON:
        return False


def _json_object(data: bytes) -> dict[str, Any]:
    try:
        value = strict_json.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise MalformedChunk("it is no UTF-8") from None
    if not isinstance(value, dict):
        raise MalformedChunk("it is no JSON object")
    return value


def _reasoning(delta: dict[str, Any]) -> Iterator[Aside]:
    """Once, under whichever name it came. An empty `reasoning_content` too is wanted back by who sent it (DeepSeek)."""
    content = delta.get("reasoning_content")
    if isinstance(content, str):
        yield Aside("reasoning_content", content)
        if content:
            return
    thought = delta.get("reasoning")
    if isinstance(thought, str) and thought:
        yield Aside("reasoning", thought)


def _fragment(call: dict[str, Any]) -> ToolCallFragment:
    function = _object(call, "function")
    name, arguments = _string(function, "name"), _string(function, "arguments")
    return ToolCallFragment(_index(call), _string(call, "id"), name, arguments, _extra_content(call))


def _extra_content(call: dict[str, Any]) -> dict[str, Any] | None:
    """None too for what could not be sent back or stored: it is the provider's own, and no reason to fail a stream."""
    value = call.get("extra_content")
    if not isinstance(value, dict) or not value or not _nests_within(value, MOST_LEVELS):
        return None
    mended: dict[str, Any] = mend_json(value)
    try:
        json.dumps(mended, allow_nan=False)
    except ValueError:  # 1e999 is infinite
        return None
    return mended


def _nests_within(value: Any, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(_nests_within(each, levels - 1) for each in inner)


def _index(holder: dict[str, Any]) -> int | None:
    value = holder.get("index")
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise MalformedChunk("`index` is no integer")


def _string(holder: dict[str, Any], name: str) -> str:
    value = holder.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise MalformedChunk(f"`{name}` is no string")
    return value


def _object(holder: dict[str, Any], name: str) -> dict[str, Any]:
    value = holder.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise MalformedChunk(f"`{name}` is no object")
    return value


def _list(holder: dict[str, Any], name: str) -> list[dict[str, Any]]:
    value = holder.get(name)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise MalformedChunk(f"`{name}` is no list of objects")
    return value
