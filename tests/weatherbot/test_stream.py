"""`POST /weather/chat/stream`: the same chat as server-sent events."""

from collections.abc import Callable

import pytest
from pytest_django import Settings

from backoffice.database import in_database
from backoffice.llm.scripted.script import Drop, Script, Sleep
from tests.weatherbot.conftest import Customer, Weather
from tests.weatherbot.leaving import Leaving
from tests.weatherbot.playing import Call, PlayedModel, asks, says
from weatherbot.models import Chat

Play = Callable[..., PlayedModel]


async def test_text_arrives_in_chunks_and_done_comes_last(customer: Customer, play: Play) -> None:
    play(says("It is ", "3 °C."))
    stream = await customer.stream()
    assert stream.events == [
        ("chunk", {"text": "It is "}),
        ("chunk", {"text": "3 °C."}),
        ("done", {"stop_reason": "end", "usage": {"input_tokens": 10, "output_tokens": 5}}),
    ]


async def test_both_endpoints_give_the_same_answer(customer: Customer) -> None:
    question = "Weather in Oslo and Rome for 3 days, in Fahrenheit?"
    assert (await customer.stream(question)).answer == await customer.answer(question)


async def test_a_round_that_asks_for_tools_says_so_after_its_text(
    customer: Customer, play: Play, weather: Weather
) -> None:
    play(asks(Call(id="a"), Call(id="b"), text="Looking."), asks(Call(id="c")), says("Cold."))
    stream = await customer.stream()
    assert stream.kinds == ["chunk", "tool", "tool", "chunk", "done"]
    assert [data for kind, data in stream.events if kind == "tool"] == [{"name": "get_weather"}] * 2
    assert stream.answer == "Cold."


async def test_every_tool_name_is_told_once_a_round_and_an_unsendable_one_under_a_stand_in(
    customer: Customer, play: Play
) -> None:
    play(asks(Call(id="a"), Call(id="b", name="<script>"), Call(id="c")), says("Cold."))
    stream = await customer.stream()
    assert [data["name"] for kind, data in stream.events if kind == "tool"] == ["get_weather", "unknown_tool"]


async def test_usage_is_that_of_all_model_calls(customer: Customer, play: Play) -> None:
    play(asks(Call(), tokens=(100, 20)), says("Cold.", tokens=(150, 8)))
    kind, data = (await customer.stream()).events[-1]
    assert (kind, data["usage"]) == ("done", {"input_tokens": 250, "output_tokens": 28})


async def test_usage_that_one_call_does_not_tell_is_null(customer: Customer, play: Play) -> None:
    silent = says("Cold.")
    play(asks(Call()), Script(body=(*silent.body[:-2], silent.body[-1])))
    assert (await customer.stream()).events[-1][1]["usage"] == {"input_tokens": None, "output_tokens": None}


@pytest.mark.parametrize("stop", ["length", "content_filter"])
async def test_done_tells_how_the_answer_ended(customer: Customer, play: Play, stop: str) -> None:
    play(says("It is", stop=stop))
    assert (await customer.stream()).events[-1][1]["stop_reason"] == stop


@pytest.mark.parametrize(
    "scripts",
    [
        pytest.param([Script(body=(says("It is").body[0], Drop()))], id="dropped"),
        pytest.param([asks(Call()), Script(400)], id="refused after a lookup"),
        pytest.param([asks(Call(id=str(number))) for number in range(5)], id="too many rounds"),
    ],
)
async def test_a_failure_is_one_error_event_and_nothing_after_it(
    customer: Customer, play: Play, scripts: list[Script]
) -> None:
    play(*scripts)
    stream = await customer.stream()
    assert stream.events[-1] == ("error", {"text": "upstream failed"})
    assert stream.kinds.count("error") == 1
    assert "done" not in stream.kinds


async def test_the_chat_is_stored_before_done_is_sent(customer: Customer, play: Play) -> None:
    play(says("Cold."))
    response = await customer.post("/weather/chat/stream", {"message": "Oslo?"})
    stored = [
        await in_database(Chat.objects.count) async for data in response.streaming_content if b"event: done" in data
    ]
    assert stored == [1]


async def test_the_response_is_neither_cached_nor_buffered_and_kept_alive(
    customer: Customer, play: Play, settings: Settings
) -> None:
    settings.SSE_KEEPALIVE_SECONDS = 0.05
    slow = says("Cold.")
    play(Script(body=(Sleep(0.3), *slow.body)))
    response = await customer.post("/weather/chat/stream", {"message": "Oslo?"})
    assert response["Cache-Control"] == "no-store"
    assert response["X-Accel-Buffering"] == "no"
    received = [data async for data in response.streaming_content]
    assert received[0].startswith(b":")
    assert b"event: done" in received[-1]


async def test_a_piece_reaches_the_client_while_the_model_still_speaks(customer: Customer, play: Play) -> None:
    first, *rest = says("It is ", "cold.").body
    play(Script(body=(first, Sleep(60), *rest)))
    leaving = Leaving("/weather/chat/stream")
    await leaving.asks()
    await leaving.hears(b"It is ")
    await leaving.leaves()
    chat = await in_database(Chat.objects.get)
    assert (chat.state, chat.exchange[0]["answer"]["text"]) == ("left", "It is ")
