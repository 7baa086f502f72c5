"""The one tool of the customer chat. Its declaration is the contract: it is sent to the model and it validates."""

from typing import Any, Final

from backoffice.llm.tools import Tool, ToolResult
from weatherbot.backends import configured_backend
from weatherbot.backends.reports import LookupFailed, Query, Units

GET_WEATHER_PARAMETERS: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "location": {
            "type": "string",
            "minLength": 1,
            "description": "A town or city; region or country after a comma where the name alone is ambiguous: "
            "'Oslo', 'Springfield, Illinois'.",
        },
        "units": {"type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius"},
        "forecast_days": {
            "type": "integer",
            "minimum": 1,
            "maximum": 7,
            "default": 1,
            "description": "How many days, today included.",
        },
    },
    "required": ["location"],
    "additionalProperties": False,
}


async def get_weather(*, location: str, units: Units, forecast_days: int) -> ToolResult:
    """The weather of one place, as `Report.as_result` has it, or `{"error": words}`.

    Trusts its arguments: `Toolbox` has validated them against the declaration and filled in its defaults. Each call
    may stand for a paid lookup.
    """
    try:
        return await configured_backend().weather(Query(location, units, forecast_days))
    except LookupFailed as failure:
        return {"error": str(failure)}


GET_WEATHER = Tool(
    "get_weather",
    "Look up the current weather and the forecast of one place. Call it once for each place.",
    GET_WEATHER_PARAMETERS,
    get_weather,
)
