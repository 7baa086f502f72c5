"""A lookup costs money: once for each id, side by side, so many at once, and in five model calls at the most."""

from collections.abc import Callable

import pytest

from backoffice.llm.scripted.script import Script
from tests.llm.streams import chunk
from tests.weatherbot.conftest import Customer, Weather
from tests.weatherbot.playing import Call, PlayedModel, asks, says

Play = Callable[..., PlayedModel]


def _in(place: str, call_id: str) -> Call:
    return Call(f'{{"location":"{place}"}}', id=call_id)


async def test_an_id_seen_again_in_the_same_response_does_not_run(
    customer: Customer, play: Play, weather: Weather
) -> None:
    model = play(asks(_in("Oslo", "a"), _in("Rome", "a")), says("Done."))
    await customer.answer()
    assert [query.location for query in weather.lookups] == ["Oslo"]
    assert ["error" in result for result in model.results] == [False, True]


async def test_an_id_seen_again_in_a_later_round_does_not_run(customer: Customer, play: Play, weather: Weather) -> None:
    model = play(asks(_in("Oslo", "a")), asks(_in("Oslo", "a")), says("Done."))
    await customer.answer()
    assert len(weather.lookups) == 1
    assert ["error" in result for result in model.results] == [False, True]


async def test_an_id_whose_first_call_was_refused_does_not_run_either(
    customer: Customer, play: Play, weather: Weather
) -> None:
    model = play(asks(Call("{", id="a")), asks(_in("Oslo", "a")), says("Done."))
    await customer.answer()
    assert weather.lookups == []
    assert ["error" in result for result in model.results] == [True, True]


async def test_an_id_may_be_used_again_in_another_chat(customer: Customer, play: Play, weather: Weather) -> None:
    play(asks(_in("Oslo", "a")), says("Done."), asks(_in("Oslo", "a")), says("Done."))
    await customer.answer()
    await customer.answer()
    assert len(weather.lookups) == 2


async def test_calls_of_one_response_run_side_by_side_and_answer_in_their_order(
    customer: Customer, play: Play, weather: Weather
) -> None:
    weather.delays = {"Oslo": 0.2, "Rome": 0.0}
    model = play(asks(_in("Oslo", "a"), _in("Rome", "b")), says("Done."))
    await customer.answer()
    assert weather.done == ["Rome", "Oslo"]
    assert [result["location"] for result in model.results] == ["Oslo", "Rome"]


async def test_at_most_eight_lookups_run_in_a_round(customer: Customer, play: Play, weather: Weather) -> None:
    model = play(asks(*(_in(f"Place {number}", f"c{number}") for number in range(10))), says("Done."))
    await customer.answer()
    assert len(weather.lookups) == 8
    assert ["error" in result for result in model.results] == [False] * 8 + [True] * 2


async def test_calls_that_are_refused_do_not_use_up_the_eight(customer: Customer, play: Play, weather: Weather) -> None:
    refused = [Call("{", id="bad"), _in("Oslo", "bad"), Call(id="unknown", name="get_wether")]
    good = [_in(f"Place {number}", f"c{number}") for number in range(9)]
    model = play(asks(*refused, *good), says("Done."))
    await customer.answer()
    assert [query.location for query in weather.lookups] == [f"Place {number}" for number in range(8)]
    assert ["error" in result for result in model.results] == [True] * 3 + [False] * 8 + [True]


async def test_each_round_carries_back_the_reasoning_that_led_to_its_calls(
    customer: Customer, play: Play, weather: Weather
) -> None:
    scripts = [(asks(_in("Oslo", "a")), "First Oslo."), (asks(_in("Rome", "b")), "Then Rome.")]
    thoughtful = [Script(body=(chunk(None, reasoning_content=said), *script.body)) for script, said in scripts]
    model = play(*thoughtful, says("Done."))
    await customer.answer()
    carried = [message["reasoning_content"] for message in model.requests[2]["messages"] if "tool_calls" in message]
    assert carried == ["First Oslo.", "Then Rome."]


async def test_only_the_fifth_model_call_is_forbidden_tools(customer: Customer, play: Play, weather: Weather) -> None:
    model = play(*(asks(_in("Oslo", str(number))) for number in range(4)), says("Cold."))
    assert await customer.answer() == "Cold."
    assert [request.get("tool_choice") for request in model.requests] == [None, None, None, None, "none"]
    assert all(request["tools"] == model.requests[0]["tools"] for request in model.requests)


async def test_a_model_that_still_asks_for_tools_then_is_a_502_and_runs_nothing_more(
    customer: Customer, play: Play, weather: Weather
) -> None:
    model = play(*(asks(_in("Oslo", str(number))) for number in range(9)))
    response = await customer.chat()
    assert (response.status_code, response.json()["code"]) == (502, "too_many_rounds")
    assert len(model.requests) == 5
    assert len(weather.lookups) == 4


@pytest.mark.parametrize("stop", ["length", "content_filter"])
async def test_calls_of_a_response_that_was_cut_off_do_not_run(
    customer: Customer, play: Play, weather: Weather, stop: str
) -> None:
    model = play(asks(Call(), stop=stop), says("Sorry."))
    assert await customer.answer() == "Sorry."
    assert weather.lookups == []
    assert set(model.results[0]) == {"error"}


async def test_calls_run_where_a_server_ends_them_with_stop(customer: Customer, play: Play, weather: Weather) -> None:
    play(asks(Call(), stop="stop"), says("Done."))
    await customer.answer()
    assert len(weather.lookups) == 1


async def test_a_tool_that_breaks_is_an_error_result(
    customer: Customer, play: Play, settings: object, caplog: pytest.LogCaptureFixture
) -> None:
    settings.WEATHER_BACKEND = "no such backend"  # type: ignore[attr-defined]
    model = play(asks(Call()), says("Sorry."))
    assert await customer.answer() == "Sorry."
    assert set(model.results[0]) == {"error"}
    assert "tool get_weather failed" in caplog.text
