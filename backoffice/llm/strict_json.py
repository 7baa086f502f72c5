"""JSON as RFC 8259 has it, for text that strangers wrote: providers, models and API clients.

The standard library's parser lets `NaN`, `Infinity` and duplicate keys through, and raises three unrelated exceptions
for bad syntax, nesting too deep and numbers too long. Here there is one exception, in words a model can act on.
"""

import json
from collections.abc import Callable
from typing import Any


class InvalidJSON(ValueError):
    """The text is no JSON that can be read; the message says why and never quotes the text."""


def _refuse_constant(name: str) -> None:
    raise InvalidJSON(f"{name} is not a JSON value")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise InvalidJSON("a property is given twice")
    return members


_DECODE: Callable[[str], Any] = json.JSONDecoder(parse_constant=_refuse_constant).decode
_DECODE_UNIQUE: Callable[[str], Any] = json.JSONDecoder(
    parse_constant=_refuse_constant, object_pairs_hook=_unique
).decode


def loads(text: str, *, unique_keys: bool = False) -> Any:
    """Parse one JSON document.

    Raises InvalidJSON for bad syntax, `NaN` and infinities, nesting beyond the interpreter's limit, numbers too long
    to parse, and with `unique_keys` for a property given twice in one object.
    """
    try:
        return (_DECODE_UNIQUE if unique_keys else _DECODE)(text)
    except InvalidJSON:
        raise
    except json.JSONDecodeError as error:
        raise InvalidJSON(f"{error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise InvalidJSON("it is nested too deep") from None
    except ValueError:
        raise InvalidJSON("it holds a number too long to parse") from None
