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

from jsonschema import Draft202012Validator, ValidationError

from backoffice.llm import strict_json
from backoffice.llm.events import StopReason, ToolCall
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
        """`max_calls`: how many calls of one response may run; the ones beyond get an error result."""
        self._tools = {tool.name: tool for tool in tools}
        self._max_calls = max_calls
        self._seen: set[str] = set()

    async def run(self, calls: Sequence[ToolCall], *, refused: str | None = None) -> list[ToolRun]:
        """Run the calls of one response side by side; results come in the order of the calls.

        `refused`: why none of them may run, in words for the model.
        """
        prepared = [self._prepare(position, call, refused) for position, call in enumerate(calls)]
        if len(prepared) == 1:
            return [await prepared[0]]
        return list(await asyncio.gather(*prepared))

    def _prepare(self, position: int, call: ToolCall, refused: str | None) -> Awaitable[ToolRun]:
        """Admission is decided here, in the order of the calls and before any of them runs."""
        seen = call.id in self._seen
        self._seen.add(call.id)
        if seen:
            refused = "This tool call id was used before in this conversation. Use a new id for a new call."
        elif refused is None and self._max_calls is not None and position >= self._max_calls:
            refused = f"At most {self._max_calls} tool calls are allowed at once; this one did not run."
        return self._run(call, refused)

    async def _run(self, call: ToolCall, refused: str | None) -> ToolRun:
        started = time.perf_counter()
        if refused is not None:
            return ToolRun(call, {"error": refused}, ran=False, duration=0.0)
        try:
            tool, arguments = self._admit(call)
        except InvalidArguments as problem:
            return ToolRun(call, {"error": _shortened(str(problem))}, ran=False, duration=0.0)
        result = await _call(tool, arguments)
        return ToolRun(call, result, ran=True, duration=time.perf_counter() - started)

    def _admit(self, call: ToolCall) -> tuple[Tool, dict[str, Any]]:
        tool = self._tools.get(call.name)
        if tool is None:
            raise InvalidArguments(f"There is no such tool. The tools are: {', '.join(self._tools)}.")
        return tool, parse_arguments(tool, call.arguments)


def parse_arguments(tool: Tool, raw: str) -> dict[str, Any]:
    """As the schema has them: defaults filled in, whole floats as integers. Raises InvalidArguments."""
    try:
        arguments = strict_json.loads(raw or "{}", unique_keys=True)
        if not isinstance(arguments, dict):
            raise InvalidArguments("The arguments must be one JSON object.")
        arguments = mend_json(arguments)
        problem = next(iter(tool.validator.iter_errors(arguments)), None)
        if problem is not None:
            raise InvalidArguments(_in_words(problem))
    except strict_json.InvalidJSON as error:
        raise InvalidArguments(f"The arguments are not valid JSON: {error}.") from None
    except RecursionError:
        raise InvalidArguments("The arguments are nested too deep.") from None
    return _completed(arguments, tool.parameters.get("properties", {}))


def _completed(arguments: dict[str, Any], properties: Mapping[str, Any]) -> dict[str, Any]:
    for name, schema in properties.items():
        if name not in arguments:
            if "default" in schema:
                arguments[name] = schema["default"]
        elif schema.get("type") == "integer":
            arguments[name] = int(arguments[name])
    return arguments


def _in_words(problem: ValidationError) -> str:
    where = ".".join(str(step) for step in problem.absolute_path)
    return f"{where}: {problem.message}" if where else problem.message


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


def assistant_message(text: str, calls: Sequence[ToolCall]) -> dict[str, Any]:
    """The message that carries the tool calls; it stands before their results."""
    tool_calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": sendable_name(call.name), "arguments": call.arguments or "{}"},
        }
        for call in calls
    ]
    return {"role": "assistant", "content": text or None, "tool_calls": tool_calls}


def tool_message(run: ToolRun) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": run.call.id, "content": run.content}
