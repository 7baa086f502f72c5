"""Lookups that cost money: each is made once, few at a time, and so many a day.

A lookup runs in a thread, and goes on there when the customer who asked first has left: it is paid for, and its answer
serves whoever asks next. Both counts and answers are in Django's cache; processes that do not share one count apart.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from threading import Lock
from typing import Any

from django.core.cache import cache

from backoffice.caching import in_cache
from weatherbot.backends.reports import TOO_SLOW, LookupFailed, Query

logger = logging.getLogger(__name__)

Answer = Mapping[str, Any]

FRESH_SECONDS = 600
TWO_DAYS = 2 * 86_400
LIMIT_REACHED = "The weather lookups of today are used up. Try again tomorrow."


@dataclass(frozen=True, slots=True)
class Limits:
    concurrent: int
    daily: int
    """Paid lookups between two midnights, UTC."""
    seconds: float
    """How long one may take, waiting for its turn included."""


class Lookups:
    """Puts a cache, single flight and the limits before a function that asks the provider."""

    def __init__(self, look_up: Callable[[Query], Answer], limits: Limits) -> None:
        """`look_up` runs in threads and raises LookupFailed for whatever must not be remembered."""
        self._look_up = look_up
        self._limits = limits
        self._threads = ThreadPoolExecutor(limits.concurrent, thread_name_prefix="weather")
        self._lock = Lock()
        self._flights: dict[str, Future[Answer]] = {}

    async def answer(self, query: Query) -> Answer:
        """From the cache, from a lookup under way, or from a new one. Raises LookupFailed."""
        try:
            async with asyncio.timeout(self._limits.seconds):
                found = await in_cache(self._cached_or_flight, query)
        except TimeoutError:
            raise LookupFailed(TOO_SLOW) from None
        if not isinstance(found, Future):
            return found
        flight = asyncio.wrap_future(found)
        flight.add_done_callback(_looked_at)
        done, _ = await asyncio.wait([flight], timeout=self._limits.seconds)
        if not done:
            raise LookupFailed(TOO_SLOW)
        return flight.result()

    def _cached_or_flight(self, query: Query) -> Answer | Future[Answer]:
        """The cache is not asked under the lock, which a slow one would hold: a flight that lands in between is not
        seen here, but by the next one, which asks the cache again before it costs anything."""
        key = _key(query)
        cached: Answer | None = cache.get(key)
        if cached is not None:
            return cached
        with self._lock:
            flight = self._flights.get(key)
            if flight is None:
                give_up_at = time.monotonic() + self._limits.seconds
                flight = self._flights[key] = self._threads.submit(self._fly, key, query, give_up_at)
            return flight

    def _fly(self, key: str, query: Query, give_up_at: float) -> Answer:
        """It leaves the list only when its answer is cached."""
        try:
            cached: Answer | None = cache.get(key)
            return self._paid(key, query, give_up_at) if cached is None else cached
        except LookupFailed as failure:
            logger.warning("weather lookup failed: %s", failure)
            raise
        finally:
            with self._lock:
                del self._flights[key]

    def _paid(self, key: str, query: Query, give_up_at: float) -> Answer:
        self._admit(give_up_at)
        answer = self._look_up(query)
        cache.set(key, answer, FRESH_SECONDS)
        return answer

    def _admit(self, give_up_at: float) -> None:
        """Nobody waits any more for a lookup whose turn came too late, so nobody pays for it."""
        if time.monotonic() >= give_up_at:
            raise LookupFailed(TOO_SLOW)
        key = f"weather-lookups-{datetime.now(UTC):%Y-%m-%d}"
        cache.add(key, 0, TWO_DAYS)
        if cache.incr(key) > self._limits.daily:
            raise LookupFailed(LIMIT_REACHED)


def _looked_at(flight: asyncio.Future[Answer]) -> None:
    """So that the loop does not complain of a failure that nobody waits for any more."""
    if not flight.cancelled():
        flight.exception()


def _key(query: Query) -> str:
    """Places are personal data, and of any length and script: the cache sees their hash."""
    what = f"{query.units}\n{query.days}\n{query.place.casefold()}"
    return f"weather-{sha256(what.encode()).hexdigest()}"
