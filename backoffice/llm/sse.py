"""Server-sent events, both ways: what our endpoints write, and what a provider or a client of ours reads.

The rules are those of the WHATWG HTML standard, section 9.2 (event stream interpretation), with one liberty that real
servers need: a last event without its blank line is read too. Nothing here does I/O.
"""

import json
from dataclasses import dataclass
from typing import Any

from backoffice.llm.text import mend

BOM = b"\xef\xbb\xbf"
MEDIA_TYPE = "text/event-stream"
KEEP_ALIVE = b": keep-alive\n\n"
MOST_EVENT_BYTES = 8 * 1024 * 1024
LONGEST_RETRY = 15
"""Digits; a reconnection time beyond is nobody's earnest."""
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
_LINE_BREAKS_ELSEWHERE = str.maketrans({"\u0085": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"})


class EventTooLong(ValueError):
    """One event holds more than its parser takes: nobody sends that in good faith."""


@dataclass(slots=True)
class ServerSentEvent:
    data: bytes
    """The data lines, joined by a newline."""
    event: str = "message"
    id: str = ""
    """The last id seen on the stream, not only on this event."""

    @property
    def text(self) -> str:
        return self.data.decode("utf-8", "replace")

    def json(self) -> Any:
        return json.loads(self.text)


def encode(event: str, data: Any) -> bytes:
    """One event with one line of JSON; a line break inside a text is escaped by JSON, so no text can forge an event.

    Characters that only other standards call line breaks (U+0085, U+2028, U+2029) are escaped too, for clients that
    split at those. Half a character is mended. Raises ValueError for an event name that would not stay on its line, and
    for NaN and infinities, which are no JSON.
    """
    if "\n" in event or "\r" in event:
        raise ValueError("an event's name is one line")
    body = _ENCODER.encode(data)
    if not body.isascii():
        body = mend(body).translate(_LINE_BREAKS_ELSEWHERE)
    return f"event: {event}\ndata: {body}\n\n".encode()


class EventParser:
    """Incremental parser: bytes in, cut anywhere; events out. Time is linear in the bytes."""

    def __init__(self, *, max_event_bytes: int = MOST_EVENT_BYTES) -> None:
        self.retry: int | None = None
        """Reconnection time in milliseconds, where the server named one."""
        self.last_event_id = ""
        """Of the last event that ended with its blank line: where a client that reconnects says it is."""
        self._id = ""
        self._max_event_bytes = max_event_bytes
        self._at_start = True
        self._after_cr = False
        self._partial: list[bytes] = []
        self._partial_bytes = 0
        self._event = ""
        self._data: list[bytes] = []
        self._data_bytes = 0

    def feed(self, data: bytes) -> list[ServerSentEvent]:
        """Events completed by these bytes. Raises EventTooLong."""
        data = self._without_prelude(data)
        if not data:
            return []
        lines = data.splitlines()
        tail = b"" if data[-1:] in b"\r\n" else lines.pop()
        self._after_cr = data[-1:] == b"\r"
        if lines:
            lines[0] = self._take_partial() + lines[0]
        events = [event for line in lines if (event := self._line(line)) is not None]
        self._hold(tail)
        return events

    def finish(self) -> tuple[list[ServerSentEvent], bool]:
        """The event that the end of the body left without its blank line, and whether its last line was cut off."""
        cut = bool(self._partial)
        if cut:
            self._line(self._take_partial())
        event = self._dispatch()
        return ([event] if event else []), cut

    def _without_prelude(self, data: bytes) -> bytes:
        if self._after_cr and data:
            self._after_cr = False
            if data[:1] == b"\n":
                data = data[1:]
        if self._at_start:
            data = self._take_partial() + data
            if len(data) < len(BOM) and BOM.startswith(data):
                self._hold(data)
                return b""
            self._at_start = False
            data = data.removeprefix(BOM)
        return data

    def _take_partial(self) -> bytes:
        if not self._partial:
            return b""
        partial = b"".join(self._partial)
        self._partial.clear()
        self._partial_bytes = 0
        return partial

    def _hold(self, tail: bytes) -> None:
        if tail:
            self._partial.append(tail)
            self._partial_bytes += len(tail)
        if self._partial_bytes + self._data_bytes > self._max_event_bytes:
            raise EventTooLong(f"an event of more than {self._max_event_bytes} bytes")

    def _line(self, line: bytes) -> ServerSentEvent | None:
        if not line:
            return self._dispatch()
        name, _, value = line.partition(b":")
        if value[:1] == b" ":
            value = value[1:]
        if name == b"data":
            self._data.append(value)
            self._data_bytes += len(value) + 1
        elif name == b"event":
            self._event = value.decode("utf-8", "replace")
        elif name == b"id" and b"\0" not in value:
            self._id = value.decode("utf-8", "replace")
        elif name == b"retry" and value.isdigit() and len(value) <= LONGEST_RETRY:
            self.retry = int(value)
        return None

    def _dispatch(self) -> ServerSentEvent | None:
        data, event = self._data, self._event
        self._event = ""
        self.last_event_id = self._id
        if not data:
            return None
        self._data = []
        self._data_bytes = 0
        return ServerSentEvent(data[0] if len(data) == 1 else b"\n".join(data), event or "message", self.last_event_id)
