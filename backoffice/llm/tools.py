"""A model asks for tools; what it asks with is an untrusted string.

The declared schema is the contract, read by the model and by the validation alike (JSON Schema, draft 2020-12).
Whatever is wrong with a call goes back to the model in words it can act on; nothing here raises but cancellation.
"""

import asyncio
import inspect
import json
import logging
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from jsonschema import Draft202012Validator

from backoffice.llm import strict_json
from backoffice.llm.events import Completion, StopReason, ToolCall
from backoffice.llm.schema_words import in_words
from backoffice.llm.text import mend, mend_json

logger = logging.getLogger(__name__)

ToolResult = Mapping[str, Any]
ToolFunction = Callable[..., ToolResult | Awaitable[ToolResult]]

UNKNOWN_TOOL = "unknown_tool"
_SENDABLE_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LONGEST_PROBLEM = 300


@dataclass(frozen=True)
class Tool:
    name: str
    description: str
    parameters: Mapping[str, Any]
    """JSON Schema of an object; its defaults are filled in before the function sees the arguments."""
    function: ToolFunction
    """Called with the validated arguments by keyword; trusts them. A JSON object comes back."""

    @cached_property
    def declaration(self) -> dict[str, Any]:
        function = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": function}

    @cached_property
    def validator(self) -> Draft202012Validator:
        Draft202012Validator.check_schema(self.parameters)
        return Draft202012Validator(self.parameters)


_INCOMPLETE = {
    StopReason.LENGTH: "Your message was cut off by the length limit, so this call did not run.",
    StopReason.CONTENT_FILTER: "Your message was stopped by the content filter, so this call did not run.",
}


def refusal_for(stop_reason: StopReason | None) -> str | None:
    """Why no call of a stream that ended like this may run; None where they may."""
    return _INCOMPLETE.get(stop_reason) if stop_reason else None


class InvalidArguments(ValueError):
    """The message is for the model: what is wrong and what would be right."""


_Admission = tuple[Tool, dict[str, Any]] | str
"""A tool with its validated arguments, or why the call does not run."""


@dataclass(frozen=True, slots=True)
class ToolRun:
    """One call and what came of it, as the audit keeps it."""

    call: ToolCall
    result: ToolResult
    ran: bool
    """Whether the function was called: False for whatever was refused before."""
    duration: float
    """Seconds."""

    @property
    def content(self) -> str:
        return json.dumps(self.result, ensure_ascii=False)


class Toolbox:
    """The tools of one request. An id runs at most once in its life, whether or not its first occurrence ran."""

    def __init__(self, tools: Sequence[Tool], *, max_calls: int | None = None) -> None:
        """`max_calls`: how many calls of one response may run; the good ones beyond get an error result."""
        self._tools = {tool.name: tool for tool in tools}
        self._max_calls = max_calls
        self._seen: set[str] = set()
        self.ended: list[ToolRun] = []
        """What has come of the latest response's calls so far, in the order of its coming: what is left of them where
        `run` is cancelled."""

    async def run(self, calls: Sequence[ToolCall], *, refused: str | None = None) -> list[ToolRun]:
        """Run the calls of one response side by side; results come in the order of the calls.

        `refused`: why none of them may run, in words for the model.
        """
        self.ended = []
        running = [self._run(*admitted) for admitted in self._admissions(calls, refused)]
        if len(running) == 1:
            return [await running[0]]
        return list(await asyncio.gather(*running))

    def _admissions(self, calls: Sequence[ToolCall], refused: str | None) -> list[tuple[ToolCall, _Admission]]:
        """Decided in the order of the calls and before any of them runs. What is refused takes no other's place."""
        admissions: list[tuple[ToolCall, _Admission]] = []
        places = self._max_calls
        for call in calls:
            admission = self._admission(call, refused)
            if not isinstance(admission, str) and places is not None:
                places -= 1
                if places < 0:
                    admission = f"At most {self._max_calls} tool calls are allowed at once; this one did not run."
            admissions.append((call, admission))
        return admissions

    def _admission(self, call: ToolCall, refused: str | None) -> _Admission:
        if call.id in self._seen:
            return "This tool call id was used before in this conversation. Use a new id for a new call."
        self._seen.add(call.id)
        if refused is not None:
            return refused
        tool = self._tools.get(call.name)
        if tool is None:
            return f"There is no such tool. The tools are: {', '.join(self._tools)}."
        try:
            return tool, parse_arguments(tool, call.arguments)
        except InvalidArguments as problem:
            return _shortened(str(problem))

    async def _run(self, call: ToolCall, admission: _Admission) -> ToolRun:
        started = time.perf_counter()
        if isinstance(admission, str):
            run = ToolRun(call, {"error": admission}, ran=False, duration=0.0)
        else:
            result = await _call(*admission)
            run = ToolRun(call, result, ran=True, duration=time.perf_counter() - started)
        self.ended.append(run)
        return run


def parse_arguments(tool: Tool, raw: str) -> dict[str, Any]:
    """As the schema has them: defaults filled in, whole floats as integers. Raises InvalidArguments."""
    try:
        given = strict_json.loads(raw or "{}", unique_keys=True)
        if not isinstance(given, dict):
            raise InvalidArguments("The arguments must be one JSON object.")
        arguments: dict[str, Any] = mend_json(given)
        if arguments != given and not _keeps_its_names(given):
            raise InvalidArguments("A property's name holds characters that no name may hold. Leave that property out.")
        problem = next(iter(tool.validator.iter_errors(arguments)), None)
        if problem is not None:
            raise InvalidArguments(in_words(problem))
    except strict_json.InvalidJSON as error:
        raise InvalidArguments(f"The arguments are not valid JSON: {error}.") from None
    except RecursionError:
        raise InvalidArguments("The arguments are nested too deep.") from None
    return _completed(arguments, tool.parameters.get("properties", {}))


def _keeps_its_names(value: Any) -> bool:
    """Whether no property's name had to be mended: one that had would pass for another, unseen by the schema."""
    if isinstance(value, dict):
        return all(mend(name) == name and _keeps_its_names(member) for name, member in value.items())
    return not isinstance(value, list) or all(map(_keeps_its_names, value))


def _completed(arguments: dict[str, Any], properties: Mapping[str, Any]) -> dict[str, Any]:
    for name, schema in properties.items():
        if name not in arguments:
            if "default" in schema:
                arguments[name] = schema["default"]
        elif schema.get("type") == "integer":
            arguments[name] = int(arguments[name])
    return arguments


def _shortened(problem: str) -> str:
    problem = mend(problem)
    return problem if len(problem) <= _LONGEST_PROBLEM else problem[: _LONGEST_PROBLEM - 1] + "…"


async def _call(tool: Tool, arguments: dict[str, Any]) -> ToolResult:
    try:
        result = tool.function(**arguments)
        if inspect.isawaitable(result):
            result = await result
        mended: ToolResult = mend_json(dict(result))
        json.dumps(mended, allow_nan=False)
    except Exception:
        logger.exception("tool %s failed", tool.name)
        return {"error": "The tool failed. Answer without it."}
    return mended


def sendable_name(name: str) -> str:
    """The name as it may go back to a provider, which refuses a request over a name outside its alphabet."""
    return name if _SENDABLE_NAME.fullmatch(name) else UNKNOWN_TOOL


def assistant_message(answer: Completion) -> dict[str, Any]:
    """The message that carries the tool calls; it stands before their results.

    It holds what providers refuse a follow-up without, where the stream brought it: `reasoning_content` (DeepSeek,
    Kimi) and each call's `extra_content` (Gemini's thought signature).
    """
    tool_calls = [_sent_back(call, answer.stop_reason) for call in answer.tool_calls]
    message = {"role": "assistant", "content": answer.text or None, "tool_calls": tool_calls}
    if answer.reasoning_content is not None:
        message["reasoning_content"] = answer.reasoning_content
    return message


def _sent_back(call: ToolCall, stop_reason: StopReason | None) -> dict[str, Any]:
    # Servers that parse the arguments of the history again (vLLM, llama.cpp) refuse a request over half an object.
    cut_off = refusal_for(stop_reason) is not None and not _is_object(call.arguments)
    arguments = "{}" if cut_off else call.arguments or "{}"
    sent = {"id": call.id, "type": "function", "function": {"name": sendable_name(call.name), "arguments": arguments}}
    return sent if call.extra_content is None else sent | {"extra_content": call.extra_content}


def _is_object(text: str) -> bool:
    try:
        return isinstance(strict_json.loads(text), dict)
    except strict_json.InvalidJSON:
        return False


def tool_message(run: ToolRun) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": run.call.id, "content": run.content}
