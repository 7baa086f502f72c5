"""Puts a reply on the wire as the chat-completions protocol has it, streamed or whole.

Streamed: a chunk with the role, pieces of text or fragments of tool calls, a chunk with the finish reason, the usage
chunk (no choices) where it was asked for, `[DONE]`. Times are constant: the same request gets the same bytes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from backoffice.llm.scripted.chat_request import ChatRequest
from backoffice.llm.scripted.replies import Reply, ToolCall, output_tokens, tokens
from backoffice.llm.scripted.script import DONE, data_event, encode_json

CREATED = 1_760_000_000
FINGERPRINT = "fp_scripted"
FragmentStyle = Literal["usual", "id-repeated", "index-zero", "no-index", "no-id"]


@dataclass(frozen=True, slots=True)
class Manner:
    """Habits of a server: how it numbers tool-call fragments, and what it leaves out at the end."""

    fragments: FragmentStyle = "usual"
    usage: bool = True
    done: bool = True


USUAL = Manner()


@dataclass(frozen=True, slots=True)
class WireAnswer:
    """`body` carries the answer; `tail` says that it is complete."""

    body: tuple[bytes, ...]
    tail: tuple[bytes, ...] = ()


def streamed(request: ChatRequest, reply: Reply, manner: Manner = USUAL) -> WireAnswer:
    before, after = _chunk_frame(request)
    deltas = [_role_delta(reply), *_deltas(request, reply, manner)]
    body = tuple(data_event(f'{before}{encode_json(delta)},"logprobs":null,{after}') for delta in deltas)
    return WireAnswer(body, tuple(_tail(request, reply, manner, before, after)))


def whole(request: ChatRequest, reply: Reply, manner: Manner = USUAL) -> WireAnswer:
    """In two pieces, so that a fault can strike between them."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text, "refusal": reply.refusal}
    if reply.calls:
        message["tool_calls"] = [
            {"id": call_id(request, position), "type": "function", "function": _function(call)}
            for position, call in enumerate(reply.calls)
        ]
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": reply.stop_reason}
    payload = {**_head(request, "chat.completion"), "choices": [choice]}
    if manner.usage:
        payload["usage"] = _usage(request, reply)
    content = encode_json(payload).encode("utf-8", "replace")
    return WireAnswer((content[: len(content) // 2], content[len(content) // 2 :]))


def call_id(request: ChatRequest, position: int) -> str:
    return f"call_{request.digest[:20]}{position:04d}"


def _head(request: ChatRequest, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{request.digest[:24]}",
        "object": kind,
        "created": CREATED,
        "model": request.model,
        "system_fingerprint": FINGERPRINT,
    }


def _chunk_frame(request: ChatRequest) -> tuple[str, str]:
    """What stands before and after a chunk's delta: encoded once for the whole stream."""
    head = encode_json(_head(request, "chat.completion.chunk"))
    usage = ',"usage":null' if request.include_usage else ""
    return f'{head[:-1]},"choices":[{{"index":0,"delta":', f'"finish_reason":null}}]{usage}}}'


def _tail(request: ChatRequest, reply: Reply, manner: Manner, before: str, after: str) -> Iterator[bytes]:
    stop_reason = encode_json(reply.stop_reason)
    yield data_event(f'{before}{{}},"logprobs":null,{after.replace("null", stop_reason, 1)}')
    if request.include_usage and manner.usage:
        payload = {**_head(request, "chat.completion.chunk"), "choices": [], "usage": _usage(request, reply)}
        yield data_event(encode_json(payload))
    if manner.done:
        yield DONE


def _role_delta(reply: Reply) -> dict[str, Any]:
    content = None if reply.calls or reply.refusal is not None else ""
    return {"role": "assistant", "content": content, "refusal": None}


def _deltas(request: ChatRequest, reply: Reply, manner: Manner) -> Iterator[dict[str, Any]]:
    for piece in tokens(reply.text or ""):
        yield {"content": piece}
    for piece in tokens(reply.refusal or ""):
        yield {"refusal": piece}
    for position, call in enumerate(reply.calls):
        for fragment in _fragments(call, position, call_id(request, position), manner.fragments):
            yield {"tool_calls": [fragment]}


def _fragments(call: ToolCall, position: int, identity: str, style: FragmentStyle) -> Iterator[dict[str, Any]]:
    for first, piece in [(True, ""), *((False, piece) for piece in tokens(call.arguments))]:
        fragment: dict[str, Any] = {}
        function = {"arguments": piece}
        if style != "no-index":
            fragment["index"] = 0 if style == "index-zero" else position
        if first or style == "id-repeated":
            fragment |= {"type": "function"} if style == "no-id" else {"id": identity, "type": "function"}
            function = {"name": call.name, **function}
        yield {**fragment, "function": function}


def _function(call: ToolCall) -> dict[str, str]:
    return {"name": call.name, "arguments": call.arguments}


def _usage(request: ChatRequest, reply: Reply) -> dict[str, Any]:
    output = output_tokens(reply)
    return {
        "prompt_tokens": request.input_tokens,
        "completion_tokens": output,
        "total_tokens": request.input_tokens + output,
        "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
    }
