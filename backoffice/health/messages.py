"""What was said in a model call, in the shape of the GenAI semantic conventions: messages of a role and typed parts
(their JSON schemas gen-ai-input-messages and gen-ai-output-messages)."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from backoffice.llm.events import StopReason
from backoffice.llm.observing import EndedCall
from backoffice.llm.strict_json import loads

FINISH_REASONS = {
    StopReason.END: "stop",
    StopReason.LENGTH: "length",
    StopReason.TOOL_CALLS: "tool_call",
    StopReason.CONTENT_FILTER: "content_filter",
}
Part = dict[str, Any]


def input_message(message: Mapping[str, Any]) -> dict[str, Any]:
    """One that was sent to the model, from the shape of a chat completions request."""
    return {"role": message["role"], "parts": list(_parts(message))}


def output_message(call: EndedCall) -> dict[str, Any]:
    """The one that came back. Its finish reason is the conventions' `error` where the call failed, and our `left` where
    its caller did not stay."""
    completion = call.completion
    parts = [
        *_texts("reasoning", completion.reasoning),
        *_texts("text", completion.text),
        *_texts("refusal", completion.refusal),
        *(_tool_call(asked.id, asked.name, asked.arguments) for asked in completion.tool_calls),
    ]
    return {"role": "assistant", "parts": parts, "finish_reason": _finish_reason(call)}


def _finish_reason(call: EndedCall) -> str:
    reason = call.completion.stop_reason
    if call.completion.failure is not None:
        return "error"
    return "left" if reason is None else FINISH_REASONS[reason]


def _parts(message: Mapping[str, Any]) -> Iterator[Part]:
    content = message.get("content") or ""
    if message["role"] == "tool":
        yield {"type": "tool_call_response", "id": message["tool_call_id"], "response": _structured(content)}
        return
    yield from _texts("text", content)
    for asked in message.get("tool_calls", ()):
        yield _tool_call(asked["id"], asked["function"]["name"], asked["function"]["arguments"])


def _texts(kind: str, content: str) -> Iterator[Part]:
    if content:
        yield {"type": kind, "content": content}


def _tool_call(id_: str, name: str, arguments: str) -> Part:
    return {"type": "tool_call", "id": id_, "name": name, "arguments": _structured(arguments)}


def _structured(text: str) -> Any:
    """What the text says where it is JSON that can go on as JSON in UTF-8; else the text itself."""
    try:
        value = loads(text, unique_keys=True)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):  # besides bad syntax: 1e999 is infinite, and an escape may be half a character
        return text
    return value
