"""What a server does with one request, as plain data: both doors play the same scripts."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

EVENT_STREAM = "text/event-stream; charset=utf-8"
JSON = "application/json"
DONE = b"data: [DONE]\n\n"
encode_json = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode
"""As providers write it. One encoder for all: `json.dumps` makes a new one for each call with options."""


@dataclass(frozen=True, slots=True)
class Sleep:
    """Nothing is sent for so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Drop:
    """The connection is cut with the answer unfinished; `reset`: abortively, so what was sent may be lost."""

    reset: bool = False


Step = bytes | Sleep | Drop


@dataclass(frozen=True, slots=True)
class Script:
    """One HTTP answer. The end of `body` is a clean end of the body."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = (("content-type", EVENT_STREAM),)
    before: tuple[Sleep | Drop, ...] = ()
    """Played before the status line is sent."""
    body: tuple[Step, ...] = ()

    def preceded_by(self, *steps: Sleep | Drop) -> "Script":
        return replace(self, before=(*steps, *self.before)) if steps else self


def data_event(payload: str) -> bytes:
    return b"data: %b\n\n" % payload.encode("utf-8", "replace")


def whole_answer(status: int, content: bytes, media_type: str, headers: Mapping[str, str] | None = None) -> Script:
    """An answer that is one body of known length."""
    fields = {"content-type": media_type, "content-length": str(len(content)), **(headers or {})}
    return Script(status, tuple(fields.items()), body=(content,))


def json_answer(status: int, payload: object, headers: Mapping[str, str] | None = None) -> Script:
    return whole_answer(status, encode_json(payload).encode("utf-8", "replace"), JSON, headers)


def error_answer(status: int, message: str, kind: str, headers: Mapping[str, str] | None = None) -> Script:
    """An error in the shape of the provider's: `{"error": {"message", "type", "param", "code"}}`."""
    error = {"message": message, "type": kind, "param": None, "code": None}
    return json_answer(status, {"error": error}, headers)
