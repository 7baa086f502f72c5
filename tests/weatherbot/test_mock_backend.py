"""The default weather is canned: plausible, and the same for ever."""

import pytest

from weatherbot.backends.mock import MockBackend
from weatherbot.backends.reports import LookupFailed, Query, Units
from weatherbot.weather_tool import get_weather

PLACES = ["Oslo", "Rome", "Kraków", "ঢাকা", "🌨", "x" * 5_000]


@pytest.mark.parametrize("place", PLACES)
async def test_a_place_has_the_same_weather_every_time_however_it_is_written(place: str) -> None:
    first = await MockBackend().weather(Query(place, "celsius", 3))
    again = await MockBackend().weather(Query(f"  {place.upper()} ", "celsius", 3))
    assert {**first, "location": ""} == {**again, "location": ""}


async def test_places_differ() -> None:
    reports = [await MockBackend().weather(Query(place, "celsius", 7)) for place in PLACES]
    assert len({str(report["forecast"]) for report in reports}) == len(PLACES)


@pytest.mark.parametrize("days", range(1, 8))
async def test_there_are_as_many_days_as_asked_for(days: int) -> None:
    report = await MockBackend().weather(Query("Oslo", "celsius", days))
    assert len({day["date"] for day in report["forecast"]}) == days
    longer = await MockBackend().weather(Query("Oslo", "celsius", 7))
    assert longer["forecast"][:days] == report["forecast"]


async def test_fahrenheit_is_the_same_weather_in_other_units() -> None:
    celsius = await MockBackend().weather(Query("Oslo", "celsius", 1))
    fahrenheit = await MockBackend().weather(Query("Oslo", "fahrenheit", 1))
    assert fahrenheit["units"] == "fahrenheit"
    for name in ("high", "low"):
        assert fahrenheit["forecast"][0][name] == round(celsius["forecast"][0][name] * 9 / 5 + 32)


async def test_the_weather_is_plausible() -> None:
    for number in range(300):
        report = await MockBackend().weather(Query(f"Place {number}", "celsius", 7))
        for day in report["forecast"]:
            assert -20 <= day["low"] < day["high"] <= 40
            assert 0 <= day["rain_chance_percent"] <= 100
            assert "snow" not in day["condition"] or day["high"] <= 1


async def test_a_blank_place_is_none() -> None:
    with pytest.raises(LookupFailed, match="blank"):
        await MockBackend().weather(Query(" \n", "celsius", 1))


@pytest.mark.parametrize("units", ["celsius", "fahrenheit"])
async def test_the_tool_gives_a_report_or_an_error(units: Units) -> None:
    assert (await get_weather(location="Oslo", units=units, forecast_days=1))["units"] == units
    assert set(await get_weather(location=" ", units=units, forecast_days=1)) == {"error"}
