"""Answers that are data: a Pydantic model is asked for, and what comes back is that model or a code that says why not.

What a model writes is an untrusted string. It is read only from a complete stream and in one order: stop reason, JSON
syntax (RFC 8259), schema. Nothing it says raises.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from backoffice.llm import strict_json
from backoffice.llm.client import ModelConfig
from backoffice.llm.events import Completion, StopReason
from backoffice.llm.failures import Failure
from backoffice.llm.streaming import Message, ModelRequest, ModelStream
from backoffice.llm.text import mend_json, path_step
from backoffice.llm.usage import Usage, total

M = TypeVar("M", bound=BaseModel)

MAX_CALLS = 2
MOST_PROBLEMS = 20

STRICT_KEYWORDS = frozenset(
    {"type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "$ref", "$defs"}
    | {"description"}
)
"""What every server's strict mode understands. Bounds on lengths and sizes are checked here, after the answer."""
_NAME = re.compile(r"[^A-Za-z0-9_-]+")
LONGEST_SCHEMA_NAME = 64
_SCALARS = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
_JSON_TYPES = {**_SCALARS, list: "array", dict: "object"}


class ResultCode(StrEnum):
    OK = "ok"
    TRUNCATED = "truncated"
    UNUSABLE_STOP = "unusable_stop"
    INVALID_JSON = "invalid_json"
    INVALID_SCHEMA = "invalid_schema"


ASKED_AGAIN = frozenset({ResultCode.INVALID_JSON, ResultCode.INVALID_SCHEMA})


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and where; never what was said."""

    loc: tuple[str | int, ...]
    msg: str


@dataclass(frozen=True, slots=True)
class Reading(Generic[M]):
    """What one completion says. The value is there where the code is `ok`, and nowhere else."""

    code: ResultCode
    value: M | None = None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class StructuredResult(Generic[M]):
    """What asking came to. Where the provider failed there is a failure and no code."""

    code: ResultCode | None
    value: M | None
    problems: tuple[Problem, ...]
    failure: Failure | None
    calls: int
    """How many were made."""
    usage: Usage
    """Of all calls together."""


OnCall = Callable[[Completion, Sequence[Message]], None]
"""Told of each call, however it ended, with the messages that the call added to the conversation."""


def _nobody_listens(_completion: Completion, _messages: Sequence[Message]) -> None:
    """The audit of a caller that keeps none."""


async def ask_structured(
    request: ModelRequest,
    model: type[M],
    config: ModelConfig,
    max_calls: int = MAX_CALLS,
    on_call: OnCall = _nobody_listens,
) -> StructuredResult[M]:
    """Ask for an instance of `model`; an answer that is no JSON or breaks the schema is asked for again, with what was
    wrong, at most `max_calls` times in all.

    The request gets the strict response format of `model`, and the answer is read strictly, whatever the model's own
    configuration: `"1"` and `true` are no integers. Raises ValueError where `max_calls` is below 1, and TypeError for a
    model that strict mode cannot express; a failure of the provider is in the result.
    """
    if max_calls < 1:
        raise ValueError("max_calls is at least 1")
    request = replace(request, response_format=response_format(model))
    added = request.messages
    usages: list[Usage] = []
    while True:
        completion = await _called(request, config, added, on_call)
        usages.append(completion.usage)
        if completion.failure is not None:
            return StructuredResult(None, None, (), completion.failure, len(usages), total(usages))
        reading = read_structured(completion, model)
        if reading.code not in ASKED_AGAIN or len(usages) >= max_calls:
            return StructuredResult(reading.code, reading.value, reading.problems, None, len(usages), total(usages))
        added = _correction(completion, reading.problems)
        request = replace(request, messages=[*request.messages, *added])


async def _called(request: ModelRequest, config: ModelConfig, added: Sequence[Message], on_call: OnCall) -> Completion:
    async with ModelStream(request, config) as stream:
        try:
            return await stream.drain()
        finally:
            on_call(stream.completion, added)


def _correction(completion: Completion, problems: Sequence[Problem]) -> list[Message]:
    """Says what was wrong. An empty answer is not repeated: no server takes an assistant's message without content."""
    listed = "\n".join(f"- {_where(problem.loc)}: {problem.msg}" for problem in problems)
    words = (
        "Your answer could not be used:\n"
        f"{listed}\n"
        "Answer the same question again, with one JSON object of the required schema and nothing around it."
    )
    said = [{"role": "assistant", "content": completion.text}] if completion.text else []
    return [*said, {"role": "user", "content": words}]


def _where(loc: Sequence[str | int]) -> str:
    return ".".join(map(str, loc)) or "the answer"


def read_structured(completion: Completion, model: type[M]) -> Reading[M]:
    """Check the stop reason, then the JSON, then the schema."""
    if (stopped := stop_problem(completion)) is not None:
        return _refused(*stopped)
    try:
        text = _canonical(completion.text)
    except strict_json.InvalidJSON as error:
        return _refused(ResultCode.INVALID_JSON, f"it is not valid JSON: {error}")
    try:
        return Reading(ResultCode.OK, model.model_validate_json(text, strict=True))
    except ValidationError as error:
        return Reading(ResultCode.INVALID_SCHEMA, problems=_problems(error))


def stop_problem(completion: Completion) -> tuple[ResultCode, str] | None:
    """Why an answer may not even be read, by how it ended. A refusal is an unusable stop: asking again is no use."""
    if completion.stop_reason is StopReason.LENGTH:
        return ResultCode.TRUNCATED, "it was cut off by the length limit"
    if completion.failure is not None or completion.stop_reason is not StopReason.END:
        return ResultCode.UNUSABLE_STOP, f"it ended with {completion.stop_reason or 'no stop reason'}"
    if completion.refusal.strip():
        return ResultCode.UNUSABLE_STOP, "the model refused"
    return None


def _refused(code: ResultCode, msg: str) -> Reading[M]:
    return Reading(code, problems=(Problem((), msg),))


def _canonical(text: str) -> str:
    """The same JSON with its strings mended and nothing in it that is no JSON. Raises InvalidJSON."""
    try:
        return json.dumps(mend_json(strict_json.loads(text, unique_keys=True)), ensure_ascii=False, allow_nan=False)
    except RecursionError:
        raise strict_json.InvalidJSON("it is nested too deep") from None
    except strict_json.InvalidJSON:
        raise
    except ValueError:
        raise strict_json.InvalidJSON("it holds a number beyond all bounds") from None


def _problems(error: ValidationError) -> tuple[Problem, ...]:
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return tuple(Problem(tuple(map(path_step, each["loc"])), each["msg"]) for each in found[:MOST_PROBLEMS])


def response_format(model: type[BaseModel]) -> dict[str, Any]:
    """The chat-completions `response_format` that holds a server to the model's schema, in strict mode.

    Raises TypeError for a model that strict mode cannot express: a programming error.
    """
    name = _NAME.sub("_", model.__name__).strip("_")[:LONGEST_SCHEMA_NAME] or "answer"
    try:
        schema = strict_schema(_with_an_object_at_its_root(model.model_json_schema()))
    except TypeError as error:
        raise TypeError(f"{model.__name__} cannot be asked for: {error}") from None
    return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": schema}}


def _with_an_object_at_its_root(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A model that holds itself is declared as a reference; strict mode wants the object itself."""
    if "$ref" in schema:
        schema = {**schema["$defs"][schema["$ref"].rpartition("/")[2]], "$defs": schema["$defs"]}
    if schema.get("type") != "object":
        raise TypeError("strict mode wants an object at the root")
    return schema


def strict_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON Schema as strict mode wants it: every property required, no other allowed, and no keyword it refuses.

    A tuple becomes an array of what may stand in it; its length and order are checked here, after the answer. Raises
    TypeError for what strict mode has no words for.
    """
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    kept = {name: value for name, value in schema.items() if name in STRICT_KEYWORDS}
    for name in ("properties", "$defs"):
        if name in kept:
            kept[name] = {key: strict_schema(value) for key, value in kept[name].items()}
    for name in ("anyOf", "oneOf"):
        if name in schema:
            kept["anyOf"] = [strict_schema(option) for option in schema[name]]
    if "enum" in kept:
        kept.setdefault("type", _types_of(kept["enum"]))
    match kept.get("type"):
        case "object":
            kept |= _closed(schema, kept)
        case "array":
            kept["items"] = strict_schema(_items(schema))
        case None if "anyOf" not in kept:
            raise TypeError("strict mode has no value of any type; name the types")
    return kept


def _closed(schema: Mapping[str, Any], kept: Mapping[str, Any]) -> dict[str, Any]:
    if "properties" not in schema and (schema.get("additionalProperties") or "patternProperties" in schema):
        raise TypeError("strict mode has no object of free keys (a dict); use a list of models")
    properties = kept.get("properties", {})
    return {"properties": properties, "required": list(properties), "additionalProperties": False}


def _items(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """What may stand in an array, one schema for all places."""
    if "prefixItems" not in schema:
        items: Mapping[str, Any] = schema.get("items", {})
        return items
    options = [item for place, item in enumerate(schema["prefixItems"]) if item not in schema["prefixItems"][:place]]
    return options[0] if len(options) == 1 else {"anyOf": options}


def _types_of(values: Sequence[Any]) -> list[str]:
    return list(dict.fromkeys(_JSON_TYPES[type(value)] for value in values))
