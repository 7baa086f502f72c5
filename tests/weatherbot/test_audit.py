"""Every chat is stored once, when it has ended, however it ended, and before its customer hears of it."""

import asyncio
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import DatabaseError, connection

from backoffice.audit.models import HistoryIsFinal
from backoffice.database import in_database
from backoffice.llm.client import model_config
from backoffice.llm.scripted.script import Script, Sleep
from tests.weatherbot.conftest import Customer, Weather
from tests.weatherbot.leaving import Leaving
from tests.weatherbot.playing import Call, PlayedModel, asks, says
from weatherbot.chat import answer_to
from weatherbot.models import Chat
from weatherbot.prompts import PROMPT_VERSION, SYSTEM_PROMPT

Play = Callable[..., PlayedModel]


async def _stored() -> Chat:
    """The one chat there is."""
    return await in_database(Chat.objects.get)


async def test_a_chat_keeps_what_was_asked_and_answered(customer: Customer, play: Play, weather: Weather) -> None:
    play(asks(Call(), tokens=(1_000, 20)), says("Cold."))
    await customer.answer("Weather in Oslo?")
    chat = await _stored()
    assert (chat.state, chat.message, chat.answer) == ("answered", "Weather in Oslo?", "Cold.")
    assert (chat.failure, chat.failure_detail, chat.stop_reason) == ("", "", "end")
    assert (chat.rounds, chat.input_tokens, chat.output_tokens) == (2, 1_010, 25)
    assert chat.cost == Decimal("0.00016650")
    assert (chat.provider, chat.model, chat.answered_by) == ("openai", "gpt-4o-mini-2024-07-18", "m-1")
    assert (chat.prompt_version, chat.prompt) == (PROMPT_VERSION, SYSTEM_PROMPT)
    assert chat.started_at is not None
    assert chat.finished_at is not None
    assert chat.started_at <= chat.finished_at
    assert chat.duration_ms is not None
    assert chat.first_text_ms is not None
    assert 0 <= chat.first_text_ms <= chat.duration_ms


async def test_a_chat_keeps_each_tool_call_with_arguments_validity_result_and_duration(
    customer: Customer, play: Play, weather: Weather
) -> None:
    weather.delays = {"Oslo": 0.05}
    play(asks(Call(id="a"), Call('{"location":7}', id="b")), says("Cold."))
    await customer.answer()
    good, bad = (await _stored()).exchange[0]["tool_runs"]
    assert (good["name"], good["arguments"], good["ran"]) == ("get_weather", '{"location":"Oslo"}', True)
    assert good["result"]["location"] == "Oslo"
    assert good["duration_ms"] >= 50
    assert (bad["arguments"], bad["ran"], bad["duration_ms"]) == ('{"location":7}', False, 0)
    assert "error" in bad["result"]


async def test_a_chat_keeps_the_whole_exchange(customer: Customer, play: Play, weather: Weather) -> None:
    model = play(asks(Call(), text="Looking."), says("Cold."))
    await customer.answer()
    first, second = (await _stored()).exchange
    assert first["answer"]["text"] == "Looking."
    assert second["answer"]["text"] == "Cold."
    told = [*first["messages"], *second["messages"]]
    assert told == model.requests[-1]["messages"][1:]


@pytest.mark.parametrize("stop", ["length", "content_filter"])
async def test_an_answer_that_was_cut_off_is_marked(customer: Customer, play: Play, stop: str) -> None:
    play(says("It is", stop=stop))
    await customer.answer()
    chat = await _stored()
    assert (chat.state, chat.stop_reason, chat.answer) == ("answered", stop, "It is")


async def test_unknown_tokens_and_cost_are_unknown(customer: Customer, play: Play) -> None:
    without_usage = says("Cold.").body
    play(Script(body=(*without_usage[:-2], without_usage[-1])))
    await customer.answer()
    chat = await _stored()
    assert (chat.input_tokens, chat.output_tokens, chat.cost) == (None, None, None)


async def test_a_failed_chat_keeps_what_had_arrived(customer: Customer, play: Play) -> None:
    play(asks(Call()), Script(body=says("It is").body[:1]))
    await customer.chat()
    chat = await _stored()
    assert (chat.state, chat.failure, chat.answer, chat.rounds) == ("failed", "interrupted", None, 2)
    assert chat.failure_detail
    assert chat.exchange[1]["answer"]["text"] == "It is"
    assert chat.first_text_ms is None


async def test_a_streamed_chat_is_stored_like_any_other(customer: Customer, play: Play) -> None:
    play(says("Cold."))
    await customer.stream("Oslo?")
    chat = await _stored()
    assert (chat.state, chat.message, chat.answer) == ("answered", "Oslo?", "Cold.")


@pytest.fixture
def broken_table(customer: Customer) -> Any:
    """The chats' table is away for as long as the test lasts."""
    with connection.schema_editor() as editor:
        editor.alter_db_table(Chat, "weatherbot_chat", "weatherbot_away")
    yield
    with connection.schema_editor() as editor:
        editor.alter_db_table(Chat, "weatherbot_away", "weatherbot_chat")


async def test_no_answer_leaves_where_the_chat_cannot_be_stored(
    customer: Customer, broken_table: None, caplog: pytest.LogCaptureFixture
) -> None:
    response = await customer.chat("Will it rain in Oslo at my secret address?")
    assert (response.status_code, response.json()["code"]) == (502, "internal")
    stream = await customer.stream()
    assert stream.events[-1] == ("error", {"text": "upstream failed"})
    assert "done" not in stream.kinds
    assert "a chat could not be stored: " in caplog.text
    assert "secret address" not in caplog.text


@pytest.mark.parametrize("path", ["/weather/chat", "/weather/chat/stream"])
async def test_when_the_customer_leaves_the_model_call_stops_and_the_chat_is_stored(
    customer: Customer, play: Play, path: str
) -> None:
    model = play(Script(body=(*says("It is ").body[:1], Sleep(60))))
    leaving = Leaving(path)
    await leaving.asks()
    await model.asked.wait()
    if path.endswith("stream"):
        await leaving.hears(b"It is ")
    await asyncio.sleep(0.05)
    await leaving.leaves()
    assert model.endings == ["hung_up"]
    chat = await _stored()
    assert (chat.state, chat.failure, chat.answer, chat.rounds) == ("left", "", None, 1)
    assert chat.exchange[0]["answer"]["text"] == "It is "


async def test_a_customer_who_leaves_during_a_lookup_is_stored_too(
    customer: Customer, play: Play, weather: Weather
) -> None:
    weather.delays = {"Oslo": 60}
    play(asks(Call()))
    leaving = Leaving("/weather/chat/stream")
    await leaving.asks()
    await leaving.hears(b"event: tool")
    await leaving.leaves()
    chat = await _stored()
    assert (chat.state, chat.rounds) == ("left", 1)
    assert [call["name"] for call in chat.exchange[0]["answer"]["tool_calls"]] == ["get_weather"]


async def test_lookups_that_had_ended_when_the_customer_left_are_kept(
    customer: Customer, play: Play, weather: Weather
) -> None:
    weather.delays = {"Oslo": 60}
    rome = Call('{"location":"Rome"}', id="b")
    play(asks(Call(id="a"), rome, Call("{", id="c")))
    leaving = Leaving("/weather/chat/stream")
    await leaving.asks()
    await leaving.hears(b"event: tool")
    while not weather.done:
        await asyncio.sleep(0.01)
    await leaving.leaves()
    (asked,) = (await _stored()).exchange
    assert [call["id"] for call in asked["answer"]["tool_calls"]] == ["a", "b", "c"]
    assert {run["id"]: run["ran"] for run in asked["tool_runs"]} == {"b": True, "c": False}


async def test_a_cancellation_goes_on_where_the_chat_cannot_be_stored(
    customer: Customer, play: Play, broken_table: None, caplog: pytest.LogCaptureFixture
) -> None:
    model = play(Script(body=(*says("It is ").body[:1], Sleep(60))))
    chat = asyncio.create_task(answer_to("Weather in Oslo?", model_config()))
    await model.asked.wait()
    chat.cancel()
    with pytest.raises(asyncio.CancelledError):
        await chat
    assert "a chat could not be stored: " in caplog.text


def _change(chat: Chat) -> None:
    chat.answer = "Warm."
    chat.save()


@pytest.mark.parametrize(
    "edit",
    [
        _change,
        lambda chat: chat.delete(),
        lambda chat: Chat.objects.update(answer="Warm."),
        lambda chat: Chat.objects.filter(pk=chat.pk).delete(),
    ],
    ids=["save", "delete", "bulk update", "bulk delete"],
)
async def test_history_is_final(customer: Customer, edit: Callable[[Chat], Any]) -> None:
    await customer.answer()
    before = (await _stored()).answer
    with pytest.raises(HistoryIsFinal):
        await in_database(edit, await _stored())
    assert (await _stored()).answer == before


async def test_retention_may_purge(customer: Customer) -> None:
    await customer.answer()
    await in_database(Chat.objects.all().purge)
    assert await in_database(Chat.objects.count) == 0


@pytest.mark.parametrize(
    "columns",
    [
        {"state": "lost"},
        {"state": "answered", "answer": None},
        {"state": "answered", "answer": "Cold.", "failure": "timeout"},
        {"state": "failed", "failure": ""},
        {"state": "failed", "failure": "timeout", "answer": "Cold."},
    ],
)
def test_the_database_refuses_a_chat_that_contradicts_itself(transactional_db: None, columns: dict[str, Any]) -> None:
    with pytest.raises(DatabaseError):
        Chat.objects.create(message="Oslo?", rounds=1, **columns)
