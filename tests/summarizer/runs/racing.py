"""Several workers, operators or jobs at the same instant."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from django.db import connections

T = TypeVar("T")


def at_once(count: int, act: Callable[[], T]) -> list[T]:
    """Call `act` in so many threads, each with a connection of its own, from one starting signal on."""
    barrier = Barrier(count)

    def racer() -> T:
        try:
            barrier.wait(10)
            return act()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(count) as threads:
        return [running.result() for running in [threads.submit(racer) for _ in range(count)]]
