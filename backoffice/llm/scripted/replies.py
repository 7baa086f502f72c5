"""What the stand-in says, before it is put on the wire."""

import re
from dataclasses import dataclass, replace

CALL_TOKENS = 8
"""What a tool call costs beside its arguments."""
_TOKEN = re.compile(r"\s*(?:\w{1,8}|[^\w\s]{1,3})|\s+")


@dataclass(frozen=True, slots=True)
class ToolCall:
    name: str
    arguments: str
    """JSON, as the provider sends it: a string."""


@dataclass(frozen=True, slots=True)
class Reply:
    text: str | None = None
    calls: tuple[ToolCall, ...] = ()
    refusal: str | None = None
    stop_reason: str = "stop"
    """The provider's word, `finish_reason` on the wire."""


def text_reply(text: str) -> Reply:
    return Reply(text=text)


def tool_reply(*calls: ToolCall) -> Reply:
    return Reply(calls=calls, stop_reason="tool_calls")


def tokens(text: str) -> list[str]:
    """Pieces of about a token each; joined, they are the text."""
    return _TOKEN.findall(text)


def output_tokens(reply: Reply) -> int:
    said = len(tokens(reply.text or "")) + len(tokens(reply.refusal or ""))
    return said + sum(CALL_TOKENS + len(tokens(call.arguments)) for call in reply.calls)


def limited(reply: Reply, max_tokens: int | None) -> Reply:
    """What is left of the reply where the provider stops at `max_tokens`."""
    if max_tokens is None:
        return reply
    if reply.calls:
        return _limited_calls(reply, max_tokens)
    pieces = tokens(reply.text or "")
    if len(pieces) <= max_tokens:
        return reply
    return replace(reply, text="".join(pieces[:max_tokens]), stop_reason="length")


def _limited_calls(reply: Reply, max_tokens: int) -> Reply:
    kept: list[ToolCall] = []
    for call in reply.calls:
        pieces = tokens(call.arguments)
        max_tokens -= CALL_TOKENS
        if max_tokens < len(pieces):
            begun = [replace(call, arguments="".join(pieces[:max_tokens]))] if max_tokens >= 0 else []
            return replace(reply, calls=(*kept, *begun), stop_reason="length")
        kept.append(call)
        max_tokens -= len(pieces)
    return reply
