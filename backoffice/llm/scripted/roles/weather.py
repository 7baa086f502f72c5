"""The part of the customer chat: it asks for the weather of the places a message names, and tells what it was told."""

import json
from collections.abc import Mapping
from typing import Any

from backoffice.llm.scripted.chat_request import ChatRequest
from backoffice.llm.scripted.faults import without_markers
from backoffice.llm.scripted.replies import Reply, ToolCall, text_reply, tool_reply
from backoffice.llm.scripted.roles.places import places_in
from backoffice.llm.scripted.roles.weather_words import DAYS, FAHRENHEIT, NUMBERS, TOMORROW, TOPIC, WEEK
from backoffice.llm.scripted.script import encode_json

TOOL = "get_weather"
ASK_FOR_PLACE = "Which place would you like the weather for?"
REFUSE = "I can only help with the weather. Name a place and I will look it up."
CANNOT = "I cannot look up the weather right now."
MOST_DAYS = 7
FEW_WORDS = 4
"""A message this short that names a place is a question for its weather."""


def plays(request: ChatRequest) -> bool:
    return TOOL in request.tools


def reply(request: ChatRequest) -> Reply:
    if request.tool_results:
        return text_reply(" ".join(_told(result) for result in request.tool_results))
    message = without_markers(request.user_text)
    places = places_in(message)
    if not _is_about_weather(message, places):
        return text_reply(REFUSE)
    if not places:
        return text_reply(ASK_FOR_PLACE)
    if not request.may_call_tools:
        return text_reply(CANNOT)
    return tool_reply(*(ToolCall(TOOL, _arguments(place, message)) for place in places))


def _is_about_weather(message: str, places: list[str]) -> bool:
    if TOPIC.search(message):
        return True
    return bool(places) and (len(message.split()) <= FEW_WORDS or _names_days(message))


def _names_days(message: str) -> bool:
    return any(pattern.search(message) for pattern in (DAYS, WEEK, TOMORROW))


def _arguments(place: str, message: str) -> str:
    arguments: dict[str, Any] = {"location": place}
    if FAHRENHEIT.search(message):
        arguments["units"] = "fahrenheit"
    days = _days(message)
    if days > 1:
        arguments["forecast_days"] = days
    return encode_json(arguments)


def _days(message: str) -> int:
    asked = DAYS.search(message)
    if asked is not None:
        number = asked[1].lower()
        return max(1, min(MOST_DAYS, NUMBERS[number] if number in NUMBERS else int(number)))
    if WEEK.search(message):
        return MOST_DAYS
    return 2 if TOMORROW.search(message) else 1


def _told(result: str) -> str:
    try:
        value = json.loads(result)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        return "The weather service gave no answer I can read."
    if "error" in value:
        return f"I could not look that up: {str(value['error']).rstrip('.')}."
    if isinstance(value.get("forecast"), list):
        return _report(value)
    return f"{value.get('location', 'There')}: {_facts(value)}."


def _report(value: Mapping[str, Any]) -> str:
    """The weather as a person would tell it."""
    unit = "°F" if value.get("units") == "fahrenheit" else "°C"
    now = f"{value.get('location')}: {value.get('temperature')} {unit} and {value.get('condition')} now."
    days = "; ".join(_day(day, unit) for day in value["forecast"])
    note = f" {value['note']}" if "note" in value else ""
    return f"{now} {days[:1].upper()}{days[1:]}.{note}"


def _day(day: Mapping[str, Any], unit: str) -> str:
    rain = f", {day['rain_chance_percent']}% chance of rain" if "rain_chance_percent" in day else ""
    return f"{day.get('date')} {day.get('condition')}, {day.get('low')} to {day.get('high')} {unit}{rain}"


def _facts(value: Mapping[str, Any]) -> str:
    return "; ".join(_fact(name, part) for name, part in value.items() if name != "location")


def _fact(name: str, part: Any) -> str:
    label = name.replace("_", " ")
    if isinstance(part, list):
        return f"{label}: " + "; ".join(_listed(entry) for entry in part)
    return f"{label} {_listed(part)}"


def _listed(part: Any) -> str:
    if isinstance(part, Mapping):
        return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in part.items())
    return str(part)
