"""What breaks a JSON schema (draft 2020-12), in words that a model or a client can act on.

The validator's own words quote Python (`None is not of type 'string'`) and what was sent; here a problem is told in the
schema's terms alone.
"""

import json
from collections.abc import Callable
from typing import Any

from jsonschema import ValidationError

_TYPES = {"array": "a list", "integer": "an integer", "null": "null", "object": "an object"}


def in_words(problem: ValidationError) -> str:
    """`days: must be at least 1`: the path, where there is one, and what would be right."""
    keyword = str(problem.validator)
    rule: Any = problem.validator_value
    tell = _SENTENCES.get(keyword)
    told = f"breaks the rule {_json({keyword: rule})}" if tell is None else tell(rule, problem)
    where = ".".join(str(step) for step in problem.absolute_path)
    return f"{where}: {told}" if where else told


def _type(rule: Any, _: ValidationError) -> str:
    names = [rule] if isinstance(rule, str) else rule
    return "must be " + " or ".join(_TYPES.get(name, f"a {name}") for name in names)


def _required(rule: Any, problem: ValidationError) -> str:
    given: Any = problem.instance
    return f"`{next(name for name in rule if name not in given)}` is missing"


def _additional_properties(_: Any, problem: ValidationError) -> str:
    given: Any = problem.instance
    schema: Any = problem.schema
    known = schema.get("properties", {})
    unknown = next(name for name in given if name not in known)
    return f"`{unknown}` is not allowed; the properties are: {', '.join(known) or 'none'}"


def _min_length(rule: Any, _: ValidationError) -> str:
    return "must not be empty" if rule == 1 else f"must hold at least {rule} characters"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


_SENTENCES: dict[str, Callable[[Any, ValidationError], str]] = {
    "type": _type,
    "required": _required,
    "additionalProperties": _additional_properties,
    "enum": lambda rule, _: f"must be one of: {', '.join(map(_json, rule))}",
    "minLength": _min_length,
    "minimum": lambda rule, _: f"must be at least {_json(rule)}",
    "maximum": lambda rule, _: f"must be at most {_json(rule)}",
}
