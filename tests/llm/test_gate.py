"""A 429 holds back what has not started yet; what is in flight goes on, and nothing is asked again because of it."""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from backoffice.llm.client import client_for, close_clients, gate_of, model_config
from backoffice.llm.gate import LONGEST_HOLD_SECONDS, Gate, retry_after
from backoffice.llm.streaming import ModelRequest, complete
from summarizer.rows import summarise
from tests.llm.virtual_time import run_in_virtual_time

LIMITED_ONCE = "A note. [[fault: 429=7*1]]"


async def entered(gate: Gate) -> float:
    """The moment at which a call may start."""
    async with gate.place():
        return asyncio.get_running_loop().time()


def test_an_open_gate_lets_everybody_through_at_once() -> None:
    assert run_in_virtual_time(entered(Gate(1))) == 0.0


def test_a_held_gate_opens_when_the_provider_said() -> None:
    async def calls() -> list[float]:
        gate = Gate(8)
        gate.hold(7)
        return await asyncio.gather(*(entered(gate) for _ in range(3)))

    assert run_in_virtual_time(calls()) == pytest.approx([7, 7, 7])


def test_a_shorter_hold_does_not_end_a_longer_one() -> None:
    async def call() -> float:
        gate = Gate(1)
        gate.hold(9)
        gate.hold(2)
        return await entered(gate)

    assert run_in_virtual_time(call()) == pytest.approx(9)


def test_a_hold_that_comes_while_somebody_waits_counts_for_them_too() -> None:
    async def call() -> float:
        gate = Gate(1)
        gate.hold(2)
        waiting = asyncio.create_task(entered(gate))
        await asyncio.sleep(1)
        gate.hold(5)
        return await waiting

    assert run_in_virtual_time(call()) == pytest.approx(6)


def test_nobody_is_held_longer_than_the_sdk_itself_would_wait() -> None:
    async def call() -> float:
        gate = Gate(1)
        gate.hold(86_400)
        return await entered(gate)

    assert run_in_virtual_time(call()) == pytest.approx(LONGEST_HOLD_SECONDS)


def test_nobody_is_held_longer_than_a_call_may_take() -> None:
    async def call() -> float:
        config = replace(model_config(), call_timeout=8.0, chunk_timeout=4.0)
        await complete(ModelRequest([{"role": "user", "content": "Hello. [[fault: 429=100*3]]"}], 10), config)
        started = asyncio.get_running_loop().time()
        waited = await entered(gate_of(config)) - started
        await close_clients()
        return waited

    assert run_in_virtual_time(call()) <= 8


def test_no_more_calls_are_in_flight_than_there_are_places() -> None:
    async def most() -> int:
        gate, inside, seen = Gate(3), 0, 0

        async def call() -> None:
            nonlocal inside, seen
            async with gate.place():
                inside += 1
                seen = max(seen, inside)
                await asyncio.sleep(1)
                inside -= 1

        await asyncio.gather(*(call() for _ in range(10)))
        return seen

    assert run_in_virtual_time(most()) == 3


class RateLimit:
    """A provider that takes so many calls a second and answers the others with a 429; the SDK asks it twice more."""

    def __init__(self, calls: int) -> None:
        self.calls, self.failed = calls, 0
        self._taken: Counter[int] = Counter()

    async def call(self, gate: Gate) -> None:
        async with gate.place():
            for _ in range(3):
                now = asyncio.get_running_loop().time()
                await asyncio.sleep(0.01)
                self._taken[int(now)] += 1
                if self._taken[int(now)] <= self.calls:
                    return
                gate.limited()
                gate.hold(1)
                await asyncio.sleep(1)
            self.failed += 1


@pytest.mark.parametrize("a_second", [2, 3, 20])
@pytest.mark.parametrize("runs", [4, 32])
def test_what_starts_after_a_hold_does_not_fail_for_the_sake_of_what_was_limited(a_second: int, runs: int) -> None:
    async def calls() -> int:
        gate, provider = Gate(32), RateLimit(a_second)

        async def run() -> None:
            for _ in range(15):
                await provider.call(gate)

        await asyncio.gather(*(run() for _ in range(runs)))
        return provider.failed

    assert run_in_virtual_time(calls()) == 0


def test_after_rounds_without_a_limit_all_places_are_used_again() -> None:
    async def most_after_a_limit() -> int:
        gate, inside, seen = Gate(8), 0, 0

        async def call(*, limited: bool = False) -> None:
            nonlocal inside, seen
            async with gate.place():
                inside += 1
                seen = max(seen, inside)
                await asyncio.sleep(1)
                if limited:
                    gate.limited()
                inside -= 1

        await asyncio.gather(*(call() for _ in range(16)))
        await asyncio.gather(*(call(limited=True) for _ in range(8)))
        assert seen == 8
        seen = 0
        await asyncio.gather(*(call() for _ in range(5)))
        fewer, seen = seen, 0
        await asyncio.gather(*(call() for _ in range(100)))
        assert fewer == 4
        return seen

    assert run_in_virtual_time(most_after_a_limit()) == 8


def test_nobody_starts_beside_a_call_that_is_being_limited() -> None:
    async def call() -> float:
        gate = Gate(8)

        async def limited() -> None:
            async with gate.place():
                gate.limited()
                await asyncio.sleep(5)

        first = asyncio.create_task(limited())
        await asyncio.sleep(1)
        started = await entered(gate)
        await first
        return started

    assert run_in_virtual_time(call()) == pytest.approx(5)


def test_a_limit_that_no_call_of_the_gate_met_changes_nothing() -> None:
    async def call() -> float:
        gate, other = Gate(2), Gate(2)
        gate.limited()
        async with other.place():
            gate.limited()
            return await entered(gate)

    assert run_in_virtual_time(call()) == 0


def test_a_place_is_given_back_by_a_call_that_was_cancelled_at_the_gate() -> None:
    async def call() -> float:
        gate = Gate(1)
        gate.hold(60)
        waiting = asyncio.create_task(entered(gate))
        await asyncio.sleep(1)
        waiting.cancel()
        return await entered(gate)

    assert run_in_virtual_time(call()) == pytest.approx(60)


def test_the_next_row_of_the_process_starts_when_the_limited_one_was_told_to() -> None:
    async def rows() -> tuple[float, float]:
        config = model_config()
        limited = asyncio.create_task(summarise(LIMITED_ONCE, config))
        await asyncio.sleep(0.001)
        later = await summarise("Another note.", config)
        first = await limited
        await close_clients()
        assert first.failure is None
        assert later.failure is None
        return first.duration, asyncio.get_running_loop().time()

    _, ended = run_in_virtual_time(rows())
    assert ended >= 7


def test_a_call_that_does_not_pass_the_gate_is_not_held_back_by_a_limited_one() -> None:
    async def calls() -> float:
        config = model_config()
        gate_of(config).hold(60)
        await complete(ModelRequest([{"role": "user", "content": "Hello."}], 10), config)
        await close_clients()
        return asyncio.get_running_loop().time()

    assert run_in_virtual_time(calls()) < 1


def test_a_429_without_retry_after_holds_nobody_back() -> None:
    async def calls() -> float:
        config = model_config()
        await summarise("A note. [[fault: 429*1]]", config)
        before = asyncio.get_running_loop().time()
        await entered(gate_of(config))
        assert client_for(config)
        await close_clients()
        return asyncio.get_running_loop().time() - before

    assert run_in_virtual_time(calls()) == 0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "0"}, 0),
    ],
)
def test_the_providers_wait_is_read_in_seconds(headers: dict[str, str], seconds: float) -> None:
    assert retry_after(headers) == seconds


def test_the_providers_wait_may_be_a_date() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    wait = retry_after({"retry-after": soon})
    assert wait is not None
    assert 25 < wait <= 30


@pytest.mark.parametrize("value", ["", "soon", "-3", "nan", "1e999", "Tue, 99 Foo 2026 00:00:00 GMT"])
def test_a_wait_that_cannot_be_read_is_none(value: str) -> None:
    assert retry_after({"retry-after": value}) is None


@pytest.mark.parametrize("value", ["", "x", "-1"])
def test_a_wait_in_milliseconds_that_cannot_be_read_is_none(value: str) -> None:
    assert retry_after({"retry-after-ms": value}) is None


def test_a_date_that_has_passed_holds_nobody() -> None:
    assert retry_after({"retry-after": format_datetime(datetime.now(UTC) - timedelta(hours=1), usegmt=True)}) is None
