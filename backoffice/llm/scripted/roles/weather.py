"""The part of the customer chat: it asks for the weather of the places a message names, and tells what it was told."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from backoffice.llm.scripted.chat_request import ChatRequest
from backoffice.llm.scripted.faults import without_markers
from backoffice.llm.scripted.replies import Reply, ToolCall, text_reply, tool_reply
from backoffice.llm.scripted.script import encode_json

TOOL = "get_weather"
ASK_FOR_PLACE = "Which place would you like the weather for?"
REFUSE = "I can only help with the weather. Name a place and I will look it up."
CANNOT = "I cannot look up the weather right now."
MOST_DAYS = 7
FEW_WORDS = 4
"""A message this short that names a place is a question for its weather."""

_TOPIC = re.compile(
    r"weather|forecast|temperature|rain|snow|sun|wind|umbrella|degrees|warm|cold|hot|storm|wetter|regen|schnee|météo|temps|"
    r"pluie|väder|regn|pogod|deszcz|আবহাওয়া|বৃষ্টি|°|celsius|fahrenheit",
    re.IGNORECASE,
)
_FAHRENHEIT = re.compile(r"fahrenheit|°\s?f\b", re.IGNORECASE)
_DAYS = re.compile(r"(?<!\d)(\d{1,2})[ -]?(?:days?|tage?n?|jours?|dagar|dni)\b", re.IGNORECASE)
_WEEK = re.compile(r"\b(?:week|woche|semaine|vecka|tydzień)\b", re.IGNORECASE)
_TOMORROW = re.compile(r"\b(?:tomorrow|morgen|demain|imorgon|jutro)\b", re.IGNORECASE)
_WORD = r"[^\W\d_a-z][^\W\d_]*(?:[-'’][^\W\d_]+)*"
_PLACE = re.compile(rf"{_WORD}(?: (?:am |an der |upon |de )?{_WORD})*")
_AFTER_PREPOSITION = re.compile(r"\b(?:in|for|at|near|à|på|w)\s+([^\W\d_]{3,})")
"""Where nobody wrote a capital letter: `weather in oslo`."""
_NO_PLACE_WORDS = """
    a also an and are at between c can celsius compare could day days do does f fahrenheit for forecast friday
    general give hello here hey hi how i if ignore in is it let me monday my need next now on or please same
    saturday should show sing some sunday tell thank thanks that the then there this thursday today tomorrow tonight
    translate tuesday weather wednesday week what whats when where which who why will write you your
    blir das diese fait-il heute hur jaka jest nächste quel quelle temps tag tage tagen vad wetter wie wird
"""
_NO_PLACES = frozenset(_NO_PLACE_WORDS.split())


def plays(request: ChatRequest) -> bool:
    return TOOL in request.tools


def reply(request: ChatRequest) -> Reply:
    if request.tool_results:
        return text_reply(" ".join(_told(result) for result in request.tool_results))
    message = without_markers(request.user_text)
    places = list(dict.fromkeys(_places(message)))
    if not _is_about_weather(message, places):
        return text_reply(REFUSE)
    if not places:
        return text_reply(ASK_FOR_PLACE)
    if not request.may_call_tools:
        return text_reply(CANNOT)
    return tool_reply(*(ToolCall(TOOL, _arguments(place, message)) for place in places))


def _is_about_weather(message: str, places: list[str]) -> bool:
    if _TOPIC.search(message):
        return True
    return bool(places) and (len(message.split()) <= FEW_WORDS or _names_days(message))


def _names_days(message: str) -> bool:
    return any(pattern.search(message) for pattern in (_DAYS, _WEEK, _TOMORROW))


def _places(message: str) -> Iterator[str]:
    found = [match[0] for match in _PLACE.finditer(message)]
    if all(map(_is_no_place, " ".join(found).split())):
        found += [match[1].title() for match in _AFTER_PREPOSITION.finditer(message) if match[1] not in _NO_PLACES]
    for name in found:
        words = name.split()
        while words and _is_no_place(words[0]):
            words.pop(0)
        while words and _is_no_place(words[-1]):
            words.pop()
        if words:
            yield " ".join(words)


def _is_no_place(word: str) -> bool:
    if word[0].islower() or word.lower() in _NO_PLACES:
        return True
    return any(pattern.fullmatch(word) for pattern in (_TOPIC, _WEEK, _TOMORROW))


def _arguments(place: str, message: str) -> str:
    arguments: dict[str, Any] = {"location": place}
    if _FAHRENHEIT.search(message):
        arguments["units"] = "fahrenheit"
    days = _days(message)
    if days > 1:
        arguments["forecast_days"] = days
    return encode_json(arguments)


def _days(message: str) -> int:
    asked = _DAYS.search(message)
    if asked is not None:
        return max(1, min(MOST_DAYS, int(asked[1])))
    if _WEEK.search(message):
        return MOST_DAYS
    return 2 if _TOMORROW.search(message) else 1


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
