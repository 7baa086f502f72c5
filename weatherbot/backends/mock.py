"""Canned weather, for trying everything without a network: a place has the same weather for ever, in either unit."""

from hashlib import sha256
from typing import Any

from weatherbot.backends.reports import Day, Query, Report, Units

DATES = ("today", "tomorrow", "in 2 days", "in 3 days", "in 4 days", "in 5 days", "in 6 days")
"""No calendar dates: canned weather that named them would change every day."""

_FREEZING = (("snow", 80), ("light snow", 60), ("fog", 20), ("overcast", 15), ("clear sky", 0))
_MILD = (("rain", 90), ("light rain", 65), ("overcast", 25), ("partly cloudy", 10), ("clear sky", 0))
_HOT = (("thunderstorm", 75), ("partly cloudy", 15), ("mainly clear", 5), ("clear sky", 0))


class MockBackend:
    async def weather(self, query: Query) -> dict[str, Any]:
        """A report for whatever place is named. Raises LookupFailed for a blank one."""
        place = query.place
        forecast = [_day(place, number, query.units) for number in range(query.days)]
        today = forecast[0]
        now = (today.high + today.low + 1) // 2
        return Report(place, query.units, now, today.condition, forecast).as_result()


def _day(place: str, number: int, units: Units) -> Day:
    climate = sha256(place.casefold().encode()).digest()
    weather = sha256(bytes((number,)) + climate).digest()
    high = 6 + climate[0] % 24 + weather[0] % 7 - 3
    low = high - 4 - weather[1] % 6
    kinds = _FREEZING if high <= 1 else _HOT if high >= 28 else _MILD
    condition, rain_chance = kinds[weather[2] % len(kinds)]
    return Day(DATES[number], condition, _in(units, high), _in(units, low), rain_chance)


def _in(units: Units, celsius: int) -> int:
    return round(celsius * 9 / 5 + 32) if units == "fahrenheit" else celsius
