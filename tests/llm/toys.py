"""Tools for the tests of the toolbox, which write down what they were called with."""

from collections.abc import Mapping
from typing import Any

from backoffice.llm.events import ToolCall
from backoffice.llm.tools import Tool

WEATHER: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "location": {"type": "string", "minLength": 1},
        "units": {"type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius"},
        "days": {"type": "integer", "minimum": 1, "maximum": 7, "default": 1},
    },
    "required": ["location"],
    "additionalProperties": False,
}


class Recorder:
    """A tool whose function keeps its arguments and gives back the same result each time."""

    def __init__(self, result: Any = None, parameters: Mapping[str, Any] = WEATHER, name: str = "get_weather") -> None:
        self.ran: list[dict[str, Any]] = []
        self._result = {"ok": True} if result is None else result
        self.tool = Tool(name, "Looks things up.", parameters, self._function)

    def _function(self, **arguments: Any) -> Any:
        self.ran.append(arguments)
        if isinstance(self._result, Exception):
            raise self._result
        return self._result


def call(arguments: str = '{"location": "Oslo"}', id_: str = "a", name: str = "get_weather") -> ToolCall:
    return ToolCall(id_, name, arguments)
