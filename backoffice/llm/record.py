"""A model call as plain JSON of our own shape, for the audit: no provider type, nothing that has to be unpickled.

One call is `{"parameters", "messages", "answer", "tool_runs"}`. `messages` are those the call added to the conversation
(the system prompt is stored once, where the prompt version is). `answer` is `{"status", "text", "stop_reason",
"done_marker", "tool_calls", "refusal", "reasoning", "model", "response_id", "usage", "duration_ms", "first_text_ms",
"failure"}`, its `tool_calls` a list of `{"id", "name", "arguments"}`; `tool_runs` is a list of the same with `"result",
"ran", "duration_ms"`. What a provider wanted back beside a call stands in the message of the next call that carried it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from backoffice.llm.events import Completion
from backoffice.llm.tools import ToolRun


def milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1000)


def record(
    completion: Completion, messages: Sequence[Mapping[str, Any]], tool_runs: Sequence[ToolRun] = ()
) -> dict[str, Any]:
    return {
        "parameters": {name: value for name, value in completion.request.items() if name != "tools"},
        "messages": [dict(message) for message in messages if message["role"] != "system"],
        "answer": _answer(completion),
        "tool_runs": [_tool_run(run) for run in tool_runs],
    }


def _answer(completion: Completion) -> dict[str, Any]:
    failure = completion.failure
    return {
        "status": completion.status.value,
        "text": completion.text,
        "stop_reason": completion.stop_reason.value if completion.stop_reason else None,
        "done_marker": completion.done_marker,
        "tool_calls": [
            {"id": call.id, "name": call.name, "arguments": call.arguments} for call in completion.tool_calls
        ],
        "refusal": completion.refusal,
        "reasoning": completion.reasoning,
        "model": completion.model,
        "response_id": completion.response_id,
        "usage": asdict(completion.usage),
        "duration_ms": milliseconds(completion.duration),
        "first_text_ms": milliseconds(completion.first_text),
        "failure": {"code": failure.code.value, "detail": failure.detail} if failure else None,
    }


def _tool_run(run: ToolRun) -> dict[str, Any]:
    return {
        "id": run.call.id,
        "name": run.call.name,
        "arguments": run.call.arguments,
        "result": dict(run.result),
        "ran": run.ran,
        "duration_ms": milliseconds(run.duration),
    }
