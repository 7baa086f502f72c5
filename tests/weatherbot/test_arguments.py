"""The model's arguments are an untrusted string: the declared schema decides, and bad ones never reach the tool."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.weatherbot.conftest import Customer, Weather
from tests.weatherbot.playing import Call, PlayedModel, asks, says
from weatherbot.backends.reports import Query

Play = Callable[..., PlayedModel]

REFUSED = {
    "malformed": '{"location":"Oslo"',
    "empty": "",
    "blank": " ",
    "a list": '["Oslo"]',
    "a string": '"Oslo"',
    "a string holding JSON": json.dumps('{"location":"Oslo"}'),
    "null": "null",
    "no location": "{}",
    "empty location": '{"location":""}',
    "location is a number": '{"location":7}',
    "location is null": '{"location":null}',
    "location is a list": '{"location":["Oslo"]}',
    "unknown units": '{"location":"Oslo","units":"kelvin"}',
    "units in capitals": '{"location":"Oslo","units":"Celsius"}',
    "no days": '{"location":"Oslo","forecast_days":0}',
    "eight days": '{"location":"Oslo","forecast_days":8}',
    "half a day": '{"location":"Oslo","forecast_days":2.5}',
    "true days": '{"location":"Oslo","forecast_days":true}',
    "days as text": '{"location":"Oslo","forecast_days":"3"}',
    "days not a number": '{"location":"Oslo","forecast_days":NaN}',
    "unexpected property": '{"location":"Oslo","country":"Norway"}',
    "location twice": '{"location":"Oslo","location":"Rome"}',
    "location twice but for a NUL": '{"location":"Oslo","location\\u0000":"Rome"}',
    "location but for a NUL": '{"location\\u0000":"Rome"}',
    "units but for a NUL": '{"location":"Oslo","\\u0000units":"fahrenheit"}',
    "a name of half a character": '{"location":"Oslo","\\ud83d":1}',
    "5,000 digits": '{"location":"Oslo","forecast_days":' + "1" * 5_000 + "}",
    "100,000 levels": '{"location":' + "[" * 100_000 + "]" * 100_000 + "}",
}


@pytest.mark.parametrize("arguments", REFUSED.values(), ids=REFUSED)
async def test_bad_arguments_come_back_to_the_model_and_never_reach_the_tool(
    customer: Customer, play: Play, weather: Weather, caplog: pytest.LogCaptureFixture, arguments: str
) -> None:
    model = play(asks(Call(arguments)), says("Sorry."))
    assert await customer.answer() == "Sorry."
    assert weather.lookups == []
    (result,) = model.results
    assert set(result) == {"error"}
    assert 0 < len(result["error"]) <= 300
    assert "tool get_weather failed" not in caplog.text


@pytest.mark.parametrize(
    ("arguments", "query"),
    [
        ('{"location":"Oslo"}', Query("Oslo", "celsius", 1)),
        ('{"location":"Oslo","forecast_days":3.0}', Query("Oslo", "celsius", 3)),
        ('{"location":"Oslo","units":"fahrenheit","forecast_days":7}', Query("Oslo", "fahrenheit", 7)),
        ('{"location":"  "}', Query("  ", "celsius", 1)),
        ('{"location":"\\ud83c\\udf28"}', Query("🌨", "celsius", 1)),
    ],
)
async def test_good_arguments_reach_the_tool_with_the_defaults_filled_in(
    customer: Customer, play: Play, weather: Weather, arguments: str, query: Query
) -> None:
    play(asks(Call(arguments)), says("Done."))
    await customer.answer()
    assert weather.lookups == [query]
    assert type(weather.lookups[0].days) is int


@pytest.mark.parametrize("name", ["get_wether", "GET_WEATHER", "", "get weather", "x" * 200])
async def test_an_unknown_tool_is_an_error_result_that_names_the_tool_there_is(
    customer: Customer, play: Play, weather: Weather, name: str
) -> None:
    model = play(asks(Call(name=name)), says("Sorry."))
    assert await customer.answer() == "Sorry."
    assert weather.lookups == []
    assert "get_weather" in model.results[0]["error"]
    assert model.refusals == []


async def test_a_good_call_runs_beside_a_bad_one(customer: Customer, play: Play, weather: Weather) -> None:
    model = play(asks(Call("{", id="a"), Call(id="b")), says("Done."))
    await customer.answer()
    bad, good = model.results
    assert set(bad) == {"error"}
    assert good["location"] == "Oslo"


async def test_the_model_may_correct_itself(customer: Customer, play: Play, weather: Weather) -> None:
    wrong: Any = Call('{"location":"Oslo","forecast_days":30}', id="a")
    play(asks(wrong), asks(Call(id="b")), says("Done."))
    assert await customer.answer() == "Done."
    assert weather.lookups == [Query("Oslo", "celsius", 1)]
