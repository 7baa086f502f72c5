"""Lookups cost money: each is made once, few at a time, and so many a day."""

import asyncio
import gc
import itertools
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pytest_django import Settings

from tests.slow_cache import BACKEND, SlowCache
from tests.weatherbot.conftest import Customer
from weatherbot.backends import lookups
from weatherbot.backends.lookups import LIMIT_REACHED, Limits, Lookups
from weatherbot.backends.reports import TOO_SLOW, LookupFailed, Query

OSLO = Query("Oslo", "celsius", 1)


@dataclass
class Provider:
    """Stands for the paid service: it answers when the test lets it."""

    asked: list[Query] = field(default_factory=list)
    open: threading.Event = field(default_factory=threading.Event)
    at_once: int = 0
    most_at_once: int = 0
    failure: Exception | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def look_up(self, query: Query) -> dict[str, Any]:
        with self.lock:
            self.asked.append(query)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        assert self.open.wait(5)
        with self.lock:
            self.at_once -= 1
        if self.failure:
            raise self.failure
        return {"location": query.location}


@pytest.fixture
def provider() -> Provider:
    return Provider()


@pytest.fixture
def made(provider: Provider) -> Iterator[Callable[..., Lookups]]:
    """What a test leaves in flight ends with it: it would count as a lookup of the next test's day."""
    desks: list[Lookups] = []

    def make(concurrent: int = 4, daily: int = 100, seconds: float = 5.0) -> Lookups:
        desks.append(Lookups(provider.look_up, Limits(concurrent, daily, seconds)))
        return desks[-1]

    yield make
    provider.open.set()
    for desk in desks:
        desk._threads.shutdown(cancel_futures=True)


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0.005)


async def test_the_same_question_is_one_lookup(made: Callable[..., Lookups], provider: Provider) -> None:
    provider.open.set()
    desk = made()
    first = await desk.answer(OSLO)
    assert await desk.answer(Query(" OSLO ", "celsius", 1)) == first
    assert len(provider.asked) == 1


@pytest.mark.parametrize(
    "other", [Query("Rome", "celsius", 1), Query("Oslo", "fahrenheit", 1), Query("Oslo", "celsius", 2)]
)
async def test_another_place_unit_or_number_of_days_is_another_lookup(
    made: Callable[..., Lookups], provider: Provider, other: Query
) -> None:
    provider.open.set()
    desk = made()
    await desk.answer(OSLO)
    await desk.answer(other)
    assert provider.asked == [OSLO, other]


async def test_the_same_question_at_the_same_time_is_one_lookup(
    made: Callable[..., Lookups], provider: Provider
) -> None:
    desk = made()
    waiting = [asyncio.create_task(desk.answer(OSLO)) for _ in range(20)]
    await _until(lambda: bool(provider.asked))
    provider.open.set()
    assert len({str(answer) for answer in await asyncio.gather(*waiting)}) == 1
    assert len(provider.asked) == 1


async def test_an_answer_is_forgotten_when_it_is_no_longer_fresh(
    made: Callable[..., Lookups], provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lookups.FRESH_SECONDS == 600
    monkeypatch.setattr(lookups, "FRESH_SECONDS", 0)
    provider.open.set()
    desk = made()
    await desk.answer(OSLO)
    await desk.answer(OSLO)
    assert len(provider.asked) == 2


async def test_no_place_is_readable_in_the_cache(
    made: Callable[..., Lookups], provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.open.set()
    keys: list[str] = []
    monkeypatch.setattr(lookups.cache, "get", keys.append)
    await made().answer(Query("Oslo, at my secret address", "celsius", 1))
    assert keys
    assert "secret" not in keys[0]


async def test_a_failure_is_not_remembered(made: Callable[..., Lookups], provider: Provider) -> None:
    provider.open.set()
    provider.failure = LookupFailed("Closed.")
    desk = made()
    with pytest.raises(LookupFailed, match="Closed"):
        await desk.answer(OSLO)
    provider.failure = None
    assert await desk.answer(OSLO) == {"location": "Oslo"}


async def test_a_programming_error_does_not_hold_the_place_for_ever(
    made: Callable[..., Lookups], provider: Provider
) -> None:
    provider.open.set()
    provider.failure = ZeroDivisionError()
    desk = made()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            await desk.answer(OSLO)
    assert len(provider.asked) == 2


async def test_so_many_lookups_at_once_and_no_more(made: Callable[..., Lookups], provider: Provider) -> None:
    desk = made(concurrent=3)
    waiting = [asyncio.create_task(desk.answer(Query(f"Place {n}", "celsius", 1))) for n in range(10)]
    await _until(lambda: provider.at_once == 3)
    provider.open.set()
    await asyncio.gather(*waiting)
    assert provider.most_at_once == 3


async def test_after_the_days_last_lookup_there_is_an_error(made: Callable[..., Lookups], provider: Provider) -> None:
    provider.open.set()
    desk = made(daily=2)
    for place in ("Oslo", "Rome"):
        await desk.answer(Query(place, "celsius", 1))
    with pytest.raises(LookupFailed, match=LIMIT_REACHED):
        await desk.answer(Query("Bern", "celsius", 1))
    assert await desk.answer(OSLO) == {"location": "Oslo"}  # remembered, and so free
    assert len(provider.asked) == 2


async def test_the_next_day_begins_anew(
    made: Callable[..., Lookups], provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.open.set()
    desk = made(daily=1)
    await desk.answer(OSLO)

    class Tomorrow(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:
            return datetime.now(UTC) + timedelta(days=1)

    monkeypatch.setattr(lookups, "datetime", Tomorrow)
    assert await desk.answer(Query("Rome", "celsius", 1))


async def test_a_lookup_that_takes_too_long_is_an_error_and_still_serves_the_next(
    made: Callable[..., Lookups], provider: Provider
) -> None:
    desk = made(seconds=0.1)
    with pytest.raises(LookupFailed, match=TOO_SLOW):
        await desk.answer(OSLO)
    provider.open.set()
    await _until(lambda: not desk._flights)
    assert await desk.answer(OSLO) == {"location": "Oslo"}
    assert len(provider.asked) == 1


async def test_a_lookup_whose_turn_comes_too_late_is_not_paid_for_and_its_failure_bothers_nobody(
    made: Callable[..., Lookups], provider: Provider, caplog: pytest.LogCaptureFixture
) -> None:
    desk = made(concurrent=1, seconds=0.1)
    waiting = [asyncio.create_task(desk.answer(Query(place, "celsius", 1))) for place in ("Oslo", "Rome")]
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert all(isinstance(outcome, LookupFailed) for outcome in outcomes)
    provider.open.set()
    await _until(lambda: not desk._flights)
    assert [query.location for query in provider.asked] == ["Oslo"]
    await asyncio.sleep(0.01)
    del waiting, outcomes
    gc.collect()
    assert "never retrieved" not in caplog.text


async def test_a_customer_who_leaves_does_not_take_the_lookup_from_the_others(
    made: Callable[..., Lookups], provider: Provider
) -> None:
    desk = made()
    leaving, staying = (asyncio.create_task(desk.answer(OSLO)) for _ in range(2))
    await _until(lambda: bool(provider.asked))
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    provider.open.set()
    assert await staying == {"location": "Oslo"}


@pytest.fixture
def slow_cache(settings: Settings) -> Iterator[type[SlowCache]]:
    settings.CACHES = {"default": {"BACKEND": BACKEND}}
    SlowCache.asked.clear()
    SlowCache.answers.clear()
    yield SlowCache
    SlowCache.answers.set()


async def test_a_slow_cache_holds_up_nobody_else(
    made: Callable[..., Lookups], provider: Provider, slow_cache: type[SlowCache]
) -> None:
    provider.open.set()
    answer = asyncio.create_task(made().answer(OSLO))
    await _until(slow_cache.asked.is_set)
    slow_cache.answers.set()
    assert await answer == {"location": "Oslo"}


async def test_a_customer_waits_no_longer_for_the_cache_than_for_a_lookup(
    made: Callable[..., Lookups], slow_cache: type[SlowCache]
) -> None:
    with pytest.raises(LookupFailed, match=TOO_SLOW):
        await made(seconds=0.05).answer(OSLO)


async def test_a_rate_in_a_slow_cache_holds_up_nobody_else(customer: Customer, slow_cache: type[SlowCache]) -> None:
    answer = asyncio.create_task(customer.answer("Hello."))
    await _until(slow_cache.asked.is_set)
    slow_cache.answers.set()
    assert await answer


async def test_an_answer_that_comes_while_the_cache_is_asked_is_not_paid_for_again(
    made: Callable[..., Lookups], provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.open.set()
    desk = made()
    await desk.answer(OSLO)
    get, asked = lookups.cache.get, itertools.count()
    monkeypatch.setattr(lookups.cache, "get", lambda key: get(key) if next(asked) else None)
    assert await desk.answer(OSLO) == {"location": "Oslo"}
    assert len(provider.asked) == 1
