"""The real backend: two requests make one lookup, and every way they can fail is an error the model can relay."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import requests
import responses
from pytest_django import Settings

from tests.weatherbot.conftest import Customer
from tests.weatherbot.open_meteo import FORECAST, GEOCODING, forecast, place, places, served
from tests.weatherbot.playing import Call, PlayedModel, asks, says
from weatherbot import backends
from weatherbot.weather_tool import get_weather


@pytest.fixture
def web() -> Iterator[responses.RequestsMock]:
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        yield mock


@pytest.fixture
def open_meteo(settings: Settings) -> Iterator[Settings]:
    settings.WEATHER_BACKEND = "open_meteo"
    backends.backend_called.cache_clear()
    yield settings
    backends.backend_called.cache_clear()


pytestmark = pytest.mark.usefixtures("open_meteo")


async def _weather(location: str = "Oslo", days: int = 1, **arguments: Any) -> dict[str, Any]:
    return dict(await get_weather(location=location, units="celsius", forecast_days=days, **arguments))


async def test_a_place_is_geocoded_and_its_forecast_told(web: responses.RequestsMock) -> None:
    served(web, days=2)
    assert await _weather(days=2) == {
        "location": "Oslo, Norway",
        "units": "celsius",
        "temperature": -2,
        "condition": "light snow",
        "forecast": [
            {"date": f"2026-12-0{day}", "condition": "overcast", "high": 2, "low": -4, "rain_chance_percent": 35}
            for day in (1, 2)
        ],
    }


async def test_it_is_asked_for_what_the_model_asked_for(web: responses.RequestsMock) -> None:
    served(web, days=3)
    await get_weather(location=" new   oslo ", units="fahrenheit", forecast_days=3)
    found, told = (dict(call.request.params) for call in web.calls)
    assert found == {"name": "new oslo", "count": "20", "language": "en", "format": "json"}
    assert (told["latitude"], told["longitude"]) == ("59.91273", "10.74609")
    assert (told["temperature_unit"], told["forecast_days"], told["timezone"]) == ("fahrenheit", "3", "auto")


async def test_connecting_and_reading_have_a_timeout(web: responses.RequestsMock) -> None:
    served(web)
    await _weather()
    for call in web.calls:
        connect, read = call.request.req_kwargs["timeout"]
        assert 0 < connect < read <= 10


async def test_a_customers_key_goes_to_the_customers_hosts(web: responses.RequestsMock, settings: Settings) -> None:
    settings.OPEN_METEO_API_KEY = "secret"
    for url, body in ((GEOCODING, places(place())), (FORECAST, forecast())):
        web.get(url.replace("https://", "https://customer-"), json=body)
    assert "error" not in await _weather()
    assert all(call.request.params["apikey"] == "secret" for call in web.calls)


async def test_a_chance_of_rain_that_nobody_knows_is_left_out(web: responses.RequestsMock) -> None:
    days = forecast()
    web.get(GEOCODING, json=places(place()))
    web.get(FORECAST, json={**days, "daily": {**days["daily"], "precipitation_probability_max": [None]}})
    assert "rain_chance_percent" not in (await _weather())["forecast"][0]


async def test_a_weather_code_of_the_future_is_told_all_the_same(web: responses.RequestsMock) -> None:
    web.get(GEOCODING, json=places(place()))
    web.get(FORECAST, json=forecast(current={"temperature_2m": 1, "weather_code": 12_345}))
    assert (await _weather())["condition"] == "unsettled"


async def test_an_unknown_place_is_an_error_that_says_what_to_do(web: responses.RequestsMock) -> None:
    web.get(GEOCODING, json=places())
    assert "'Osloo'" in (await _weather("Osloo"))["error"]


async def test_a_name_of_endless_length_is_not_looked_up(web: responses.RequestsMock) -> None:
    assert set(await _weather("Oslo" * 1_000)) == {"error"}
    assert len(web.calls) == 0


BAD_ANSWERS: dict[str, dict[str, Any]] = {
    "connect timeout": {"body": requests.ConnectTimeout()},
    "read timeout": {"body": requests.ReadTimeout()},
    "refused": {"body": requests.ConnectionError("https://api.open-meteo.com/?apikey=secret")},
    "broken off": {"body": requests.exceptions.ChunkedEncodingError()},
    "400": {"status": 400, "json": {"error": True, "reason": "secret"}},
    "429": {"status": 429, "json": {"error": True, "reason": "Daily API request limit exceeded. secret"}},
    "500": {"status": 500, "body": "secret"},
    "redirect": {"status": 302, "headers": {"Location": "https://secret.invalid/"}},
    "HTML": {"body": "<html>secret</html>", "content_type": "text/html"},
    "not UTF-8": {"body": b"\xff\xfe", "content_type": "application/json"},
    "a list": {"json": []},
    "empty": {"body": ""},
}
BAD_PLACES: dict[str, dict[str, Any]] = {
    "no latitude": {"json": {"results": [{"name": "Oslo", "longitude": 1}]}},
    "latitude is text": {"json": places(place(latitude="north"))},
    "latitude is no number": {"body": '{"results":[{"name":"Oslo","latitude":NaN,"longitude":1}]}'},
    "results is an object": {"json": {"results": {}}},
}
BAD_FORECASTS: dict[str, dict[str, Any]] = {
    "no daily": {"json": {"current": {"temperature_2m": 1, "weather_code": 1}}},
    "no current": {"json": {"daily": forecast()["daily"]}},
    "too few days": {"json": forecast(0)},
    "too many days": {"json": forecast(2)},
    "days of different number": {"json": forecast(daily={**forecast()["daily"], "weather_code": [1, 2]})},
    "no temperature": {"json": forecast(daily={**forecast()["daily"], "temperature_2m_max": [None]})},
}


def _check_error(result: dict[str, Any]) -> None:
    assert set(result) == {"error"}
    assert result["error"].endswith(".")
    assert "secret" not in result["error"]


@pytest.mark.parametrize("answer", [*BAD_ANSWERS.values(), *BAD_PLACES.values()], ids=[*BAD_ANSWERS, *BAD_PLACES])
async def test_a_failure_of_the_geocoding_is_a_tool_error(
    web: responses.RequestsMock, answer: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    web.get(GEOCODING, **answer)
    _check_error(await _weather())
    assert "secret" not in caplog.text
    assert "Oslo" not in caplog.text


@pytest.mark.parametrize("answer", [*BAD_ANSWERS.values(), *BAD_FORECASTS.values()], ids=[*BAD_ANSWERS, *BAD_FORECASTS])
async def test_a_failure_of_the_forecast_is_a_tool_error(web: responses.RequestsMock, answer: dict[str, Any]) -> None:
    web.get(GEOCODING, json=places(place()))
    web.get(FORECAST, **answer)
    _check_error(await _weather())
    assert len(web.calls) == 2


async def test_a_redirect_is_not_followed(web: responses.RequestsMock) -> None:
    web.get(GEOCODING, **BAD_ANSWERS["redirect"])
    _check_error(await _weather())
    assert len(web.calls) == 1


async def test_a_chat_over_the_real_backend_survives_its_failure(
    customer: Customer, play: Callable[..., PlayedModel], web: responses.RequestsMock
) -> None:
    web.get(GEOCODING, status=500)
    model = play(asks(Call()), says("I cannot look it up."))
    assert await customer.answer() == "I cannot look it up."
    _check_error(model.results[0])
