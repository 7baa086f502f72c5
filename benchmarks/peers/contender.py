"""How a contender is driven: a number on a line of stdin is so many rows to do, and a line of JSON says what they cost.

Contenders run in environments of their own, so this needs nothing but the standard library. Between two rounds a
contender sleeps in a read of its standard input, so that rounds of several of them can take turns.
"""

import asyncio
import json
import os
import resource
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

TASK = json.loads(os.environ.get("BENCHMARK_TASK", "{}"))
"""`base_url`, `model`, `prompt`, `note`, `tool` (the wire's declaration), `max_tokens` and `database_url`."""
WARM_UP = 5

Work = Callable[[int], Awaitable[None]]


def normalize_amount(raw: str) -> str:
    """The tool as a peer has it: the result for the benchmark's one amount, without any of the reading."""
    assert raw
    return '{"amount_minor": 123450, "currency": "EUR", "exponent": 2, "amount": "1234.50", "flags": []}'


def each(row: Callable[[], Awaitable[Any]]) -> Work:
    """One row after another."""

    async def work(rows: int) -> None:
        for _ in range(rows):
            await row()

    return work


def resident_megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


async def measured(work: Work, rows: int) -> dict[str, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    await work(rows)
    return {
        "cpu": time.process_time() - cpu,
        "wall": time.perf_counter() - wall,
        "megabytes": resident_megabytes(),
        "threads": threading.active_count(),
    }


async def contend(work: Work) -> None:
    """Rounds until standard input ends."""
    await work(WARM_UP)
    print("ready", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(await measured(work, int(line))), flush=True)


def run(start: Callable[[], Awaitable[Work]]) -> None:
    """`start` makes the client on the running loop and gives back the work."""

    async def main() -> None:
        await contend(await start())

    asyncio.run(main())
