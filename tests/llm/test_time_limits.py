"""A call has a limit between data events and one for the whole; the clock jumps, so both are the real ones here."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import httpx2
import pytest
from openai import AsyncOpenAI, DefaultAioHttpClient

from backoffice.llm import client
from backoffice.llm.client import ModelConfig
from backoffice.llm.events import Chunk, Completion
from backoffice.llm.failures import FailureCode
from backoffice.llm.scripted import ScriptedTransport
from backoffice.llm.scripted.script import Script, Sleep, Step, whole_answer
from backoffice.llm.streaming import ModelStream, complete
from tests.llm.streams import ENDED, STOP, Player, chunk, data, question
from tests.llm.virtual_time import run_in_virtual_time

T = TypeVar("T")

BETWEEN_EVENTS = 30.0
WHOLE_CALL = 120.0
CONFIG = ModelConfig("openai", "m-1", "k", "http://provider.invalid/v1", BETWEEN_EVENTS, WHOLE_CALL)
PING = b": ping\n\n"


def on_jumping_clock(player: Player, work: Callable[[ModelConfig], Awaitable[T]]) -> T:
    async def prepared() -> T:
        http_client = DefaultAioHttpClient(transport=ScriptedTransport(player))
        limits = httpx2.Timeout(BETWEEN_EVENTS, pool=WHOLE_CALL)
        sdk = AsyncOpenAI(api_key="k", base_url=CONFIG.base_url, timeout=limits, max_retries=2, http_client=http_client)
        client._clients[asyncio.get_running_loop()] = {CONFIG: sdk}
        return await work(CONFIG)

    return run_in_virtual_time(prepared())


def asked(player: Player) -> Completion:
    return on_jumping_clock(player, lambda config: complete(question(), config))


def played(*body: Step) -> Completion:
    return asked(Player(Script(body=body)))


def _failure(completion: Completion) -> FailureCode | None:
    return completion.failure.code if completion.failure else None


def test_silence_inside_a_stream_ends_it_when_the_limit_has_passed() -> None:
    completion = played(chunk("half"), Sleep(1_000), STOP)
    assert (_failure(completion), completion.text) == (FailureCode.TIMEOUT, "half")
    assert completion.duration == pytest.approx(BETWEEN_EVENTS)


def test_each_data_event_starts_the_limit_anew() -> None:
    completion = played(chunk("a"), Sleep(29), data({}), Sleep(29), chunk("b"), Sleep(29), *ENDED)
    assert (completion.text, _failure(completion)) == ("ab", None)
    assert completion.duration == pytest.approx(87)


@pytest.mark.parametrize(
    "noise", [PING, b": " + b"x" * 100 + b"\n", b"id: 7\n\n", b"event: ping\n\n", b"data:\n\n", b"\n"]
)
def test_comments_and_events_without_data_do_not_keep_a_stream_alive(noise: bytes) -> None:
    completion = played(chunk("half"), *[Sleep(10), noise] * 50, *ENDED)
    assert _failure(completion) is FailureCode.TIMEOUT
    assert completion.duration == pytest.approx(BETWEEN_EVENTS)


def test_an_event_that_only_trickles_does_not_either() -> None:
    trickle = [step for byte in STOP for step in (bytes([byte]), Sleep(1))]
    completion = played(chunk("half"), *trickle)
    assert _failure(completion) is FailureCode.TIMEOUT
    assert completion.duration == pytest.approx(BETWEEN_EVENTS)


def test_comments_before_the_first_event_do_not_either() -> None:
    completion = played(*[PING, Sleep(10)] * 50)
    assert (_failure(completion), completion.duration) == (FailureCode.TIMEOUT, pytest.approx(BETWEEN_EVENTS))


def test_a_stream_that_never_ends_is_ended_by_the_limit_for_the_whole_call() -> None:
    completion = played(*[chunk("a"), Sleep(7)] * 100)
    assert (_failure(completion), completion.text) == (FailureCode.TIMEOUT, "a" * 18)
    assert completion.duration == pytest.approx(WHOLE_CALL)


def test_silence_before_the_headers_is_asked_again_twice() -> None:
    player = Player(Script(before=(Sleep(1_000),)))
    completion = asked(player)
    assert (_failure(completion), len(player.calls)) == (FailureCode.TIMEOUT, 3)
    assert 3 * BETWEEN_EVENTS < completion.duration < WHOLE_CALL


def test_a_retry_that_is_answered_is_a_good_call() -> None:
    completion = asked(Player(Script(before=(Sleep(1_000),)), Script(body=(chunk("ok"), *ENDED))))
    assert (completion.text, _failure(completion)) == ("ok", None)
    assert completion.first_text is not None
    assert completion.first_text > BETWEEN_EVENTS


def busy(status: int, **headers: str) -> Script:
    return whole_answer(status, b"", "text/plain", {name.replace("_", "-"): value for name, value in headers.items()})


def test_what_the_provider_says_about_when_to_ask_again_is_done() -> None:
    player = Player(busy(429, retry_after="7"), busy(503, retry_after="20"), Script(body=(chunk("ok"), *ENDED)))
    completion = asked(player)
    assert (completion.text, completion.duration) == ("ok", pytest.approx(27))


def test_a_provider_that_wants_to_be_left_alone_for_long_is_not_asked_again() -> None:
    player = Player(busy(429, retry_after="300"))
    completion = asked(player)
    assert (_failure(completion), len(player.calls), completion.duration) == (FailureCode.RATE_LIMITED, 1, 0)


def test_the_whole_call_includes_the_waits_between_retries() -> None:
    player = Player(busy(429, retry_after="100"))
    completion = asked(player)
    assert (_failure(completion), len(player.calls)) == (FailureCode.TIMEOUT, 2)
    assert completion.duration == pytest.approx(WHOLE_CALL)


def test_the_whole_call_includes_what_retries_took() -> None:
    player = Player(busy(429, retry_after="100"), Script(body=[chunk("a"), Sleep(9)] * 20))  # type: ignore[arg-type]
    completion = asked(player)
    assert (_failure(completion), completion.text) == (FailureCode.TIMEOUT, "aaa")
    assert completion.duration == pytest.approx(WHOLE_CALL)


def test_a_slow_consumer_is_no_silence_of_the_providers() -> None:
    async def read_slowly(config: ModelConfig) -> Completion:
        async with ModelStream(question(), config) as stream:
            async for event in stream:
                if isinstance(event, Chunk):
                    await asyncio.sleep(40)
            return stream.completion

    completion = on_jumping_clock(Player(Script(body=(chunk("a"), Sleep(20), chunk("b"), *ENDED))), read_slowly)
    assert (completion.text, _failure(completion)) == ("ab", None)


@pytest.mark.parametrize("ending", [(Sleep(1_000),), (PING, Sleep(10)) * 50])
def test_silence_after_the_stop_reason_takes_nothing_away(ending: tuple[Step, ...]) -> None:
    completion = played(chunk("ok"), STOP, *ending)
    assert (completion.text, _failure(completion)) == ("ok", None)
    assert completion.duration == pytest.approx(BETWEEN_EVENTS)


def test_a_body_held_open_after_the_marker_costs_next_to_nothing() -> None:
    completion = played(chunk("ok"), *ENDED, Sleep(1_000))
    assert (completion.text, completion.done_marker) == ("ok", True)
    assert completion.duration < 0.1


def test_the_marker_without_a_stop_reason_does_not_end_the_waiting() -> None:
    completion = played(chunk("half"), b"data: [DONE]\n\n", Sleep(1_000))
    assert (_failure(completion), completion.duration) == (FailureCode.TIMEOUT, pytest.approx(BETWEEN_EVENTS))
