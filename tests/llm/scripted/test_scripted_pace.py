"""Slowness, silence and leaving early, through both doors."""

import asyncio
from collections.abc import Callable

import openai
import pytest

from backoffice.llm.scripted import Options, ScriptedModel
from backoffice.llm.scripted.doors import Answer, Exchange, Handler, HttpCall
from backoffice.llm.scripted.misbehaviour import Pace
from tests.llm.scripted.asking import body, posted, stream, with_faults
from tests.llm.scripted.conftest import Door

LIMIT = 0.25
"""Seconds of silence that the client bears."""


async def _noted(door: Door, count: int = 1) -> list[Exchange]:
    """Waits until the stand-in has noted how its answers ended: on a port that is a moment after the client knows."""
    for _ in range(200):
        if len(door.exchanges) >= count:
            break
        await asyncio.sleep(0.01)
    return door.exchanges


@pytest.mark.parametrize(
    "options", [Options(pace=Pace(time_to_first_token=0.05)), with_faults("ttft=0.05"), with_faults("stall=0.05")]
)
async def test_the_first_token_can_be_late(door: Door, options: Options) -> None:
    received = await stream(await door.open(options), body())
    assert received.stop_reasons == ["stop"]
    assert (await _noted(door))[0].seconds >= 0.05


@pytest.mark.parametrize("options", [Options(pace=Pace(chunk_delay=0.005)), with_faults("delay=0.005")])
async def test_chunks_can_come_slowly(door: Door, options: Options) -> None:
    received = await stream(await door.open(options), body())
    assert received.stop_reasons == ["stop"]
    assert (await _noted(door))[0].seconds >= 0.005 * (len(received.chunks) - 1)


def test_nothing_waits_unless_it_was_asked_to() -> None:
    script = posted(ScriptedModel(), body(stream=True)).script
    assert script.before == ()
    assert all(isinstance(step, bytes) for step in script.body)


async def test_a_stall_before_the_answer_is_a_timeout(door: Door) -> None:
    client = await door.open(timeout=LIMIT, max_retries=0)
    received = await stream(client, body(), faults="stall")
    assert type(received.error) is openai.APITimeoutError
    assert (await _noted(door))[0].ended in {"timed_out", "hung_up"}


async def test_a_stall_is_retried_by_the_sdk(door: Door) -> None:
    client = await door.open(timeout=LIMIT, max_retries=1)
    received = await stream(client, body(), faults="stall*1")
    assert received.error is None
    assert [exchange.attempt for exchange in await _noted(door, 2)] == [1, 2]


async def test_a_stall_inside_the_answer_is_a_timeout_after_some_text(door: Door) -> None:
    client = await door.open(timeout=LIMIT)
    received = await stream(client, body(), faults="stall-mid")
    assert type(received.error) is openai.APITimeoutError
    assert received.text
    assert len(await _noted(door)) == 1


async def test_a_short_stall_is_borne(door: Door) -> None:
    client = await door.open(timeout=2.0)
    received = await stream(client, body(), faults="stall-mid=0.02")
    assert received.stop_reasons == ["stop"]
    assert [exchange.ended for exchange in await _noted(door)] == ["sent"]


async def test_silence_counts_from_the_last_piece(door: Door) -> None:
    client = await door.open(timeout=0.4)
    received = await stream(client, body(), faults="delay=0.03")
    assert 0.03 * (len(received.chunks) - 1) > 0.4
    assert received.error is None


async def test_leaving_a_stream_early_is_noticed(door: Door) -> None:
    client = await door.open(with_faults("stall-mid"))
    async with await client.chat.completions.create(**body(stream=True)) as chunks:
        await anext(aiter(chunks))
    assert [exchange.ended for exchange in await _noted(door)] == ["hung_up"]


class Watched:
    """Tells when a request has arrived."""

    def __init__(self, handler: Handler) -> None:
        self.arrived = asyncio.Event()
        self._handler = handler

    def handle(self, call: HttpCall) -> Answer:
        self.arrived.set()
        return self._handler.handle(call)


@pytest.mark.parametrize("fault", ["stall", "stall-mid"])
async def test_a_client_that_is_cancelled_in_silence_is_noticed(door: Door, fault: str) -> None:
    watched = Watched(ScriptedModel(with_faults(fault), door.exchanges.append))
    reading = asyncio.create_task(stream(await door.open_to(watched), body()))
    await watched.arrived.wait()
    await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert [exchange.ended for exchange in await _noted(door)] == ["hung_up"]


async def test_an_answer_read_up_to_its_last_piece_was_sent(door: Door) -> None:
    client = await door.open()
    async with await client.chat.completions.create(**body(stream=True)) as chunks:
        async for _ in chunks:
            pass
    assert [exchange.ended for exchange in await _noted(door)] == ["sent"]


async def test_a_client_without_a_limit_waits(door: Door) -> None:
    client = await door.open(timeout=None)
    received = await stream(client, body(), faults="stall-mid=0.1")
    assert received.stop_reasons == ["stop"]


@pytest.mark.parametrize("seen", [lambda e: e.user_sha256, lambda e: e.model, lambda e: e.call])
async def test_attempts_of_one_request_are_noted_alike(door: Door, seen: Callable[[Exchange], object]) -> None:
    client = await door.open(with_faults("503=0.001*2"))
    await stream(client, body())
    assert len({seen(exchange) for exchange in await _noted(door, 3)}) == 1


async def test_the_note_itself_is_not_in_what_is_noted(door: Door) -> None:
    await stream(await door.open(), body("a secret of the customer"))
    assert "secret" not in repr(await _noted(door))
