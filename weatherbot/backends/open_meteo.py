"""Weather from Open-Meteo (open-meteo.com/en/docs): a place is geocoded, then forecast, with `requests` in a thread.

Two HTTP requests make one lookup. Everything that can go wrong is LookupFailed, in words of ours; a place that nobody
knows is an answer like any other, and remembered like one.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from django.conf import settings
from pydantic import BaseModel, FiniteFloat, ValidationError

from weatherbot.backends.fetching import UNREADABLE, Fetcher
from weatherbot.backends.lookups import Answer, Limits, Lookups
from weatherbot.backends.places import Place, Places, chosen, split_name
from weatherbot.backends.reports import TOO_SLOW, Day, LookupFailed, Query, Report

M = TypeVar("M", bound=BaseModel)

MOST_PLACES = 20
LONGEST_NAME = 100

CURRENT = "temperature_2m,weather_code"
DAILY = "weather_code,temperature_2m_max,temperature_2m_min,precipitation_probability_max"
_CONDITIONS = {
    0: "clear sky", 1: "mainly clear", 2: "partly cloudy", 3: "overcast", 45: "fog", 48: "freezing fog",
    51: "light drizzle", 53: "drizzle", 55: "dense drizzle", 56: "light freezing drizzle", 57: "freezing drizzle",
    61: "light rain", 63: "rain", 65: "heavy rain", 66: "light freezing rain", 67: "freezing rain",
    71: "light snow", 73: "snow", 75: "heavy snow", 77: "snow grains",
    80: "light rain showers", 81: "rain showers", 82: "violent rain showers", 85: "light snow showers",
    86: "snow showers", 95: "thunderstorm", 96: "thunderstorm with hail", 99: "thunderstorm with heavy hail",
}  # fmt: skip
"""WMO weather codes (code table 4677), those that Open-Meteo uses."""


class _Current(BaseModel):
    temperature_2m: FiniteFloat
    weather_code: int


class _Daily(BaseModel):
    time: list[str]
    weather_code: list[int]
    temperature_2m_max: list[FiniteFloat]
    temperature_2m_min: list[FiniteFloat]
    precipitation_probability_max: list[int | None]


class _Forecast(BaseModel):
    current: _Current
    daily: _Daily


class OpenMeteoBackend:
    def __init__(self) -> None:
        limits = Limits(
            settings.WEATHER_CONCURRENT_LOOKUPS, settings.WEATHER_DAILY_LOOKUPS, settings.WEATHER_LOOKUP_SECONDS
        )
        self._fetcher = Fetcher(limits.concurrent)
        self._seconds = limits.seconds
        self._key: str = settings.OPEN_METEO_API_KEY
        self._lookups = Lookups(self._look_up, limits)

    async def weather(self, query: Query) -> Answer:
        return await self._lookups.answer(query)

    def _look_up(self, query: Query) -> Answer:
        """The two requests together take no longer than a customer waits, so that none holds its thread for long."""
        give_up_at = time.monotonic() + self._seconds
        name, qualifiers = split_name(query.place)
        if len(name) > LONGEST_NAME:
            return {"error": "That is too long for the name of a place."}
        asked = {"name": name, "count": MOST_PLACES, "language": "en", "format": "json"}
        found = self._get("geocoding-api", "/v1/search", asked, Places, give_up_at).results
        choice = chosen(found, name, qualifiers)
        if isinstance(choice, str):
            return {"error": choice}
        asked = {
            "latitude": choice.place.latitude, "longitude": choice.place.longitude, "timezone": "auto",
            "current": CURRENT, "daily": DAILY, "temperature_unit": query.units, "forecast_days": query.days,
        }  # fmt: skip
        forecast = self._get("api", "/v1/forecast", asked, _Forecast, give_up_at)
        return _report(choice.place, query, forecast, choice.note).as_result()

    def _get(self, host: str, path: str, parameters: Mapping[str, Any], shape: type[M], give_up_at: float) -> M:
        if self._key:
            host, parameters = f"customer-{host}", {**parameters, "apikey": self._key}
        seconds = give_up_at - time.monotonic()
        if seconds <= 0:
            raise LookupFailed(TOO_SLOW)
        try:
            return shape.model_validate_json(
                self._fetcher.get(f"https://{host}.open-meteo.com{path}", parameters, seconds)
            )
        except ValidationError:
            raise LookupFailed(UNREADABLE) from None


def _report(place: Place, query: Query, forecast: _Forecast, note: str | None) -> Report:
    now = forecast.current
    days = _days(forecast.daily)
    if len(days) != query.days:
        raise LookupFailed(UNREADABLE)
    return Report(place.full_name, query.units, round(now.temperature_2m), _condition(now.weather_code), days, note)


def _days(daily: _Daily) -> Sequence[Day]:
    columns = (
        daily.time,
        map(_condition, daily.weather_code),
        map(round, daily.temperature_2m_max),
        map(round, daily.temperature_2m_min),
        daily.precipitation_probability_max,
    )
    try:
        return [Day(*values) for values in zip(*columns, strict=True)]
    except ValueError:
        raise LookupFailed(UNREADABLE) from None


def _condition(code: int) -> str:
    return _CONDITIONS.get(code, "unsettled")
