"""Many chats at once on one process, for as long as it is told: no chat may fail, and memory must stay flat.

    python -m benchmarks.bench_chat_soak [--chats 500] [--seconds 600] [--latency 0.5]

Half of the customers ask in JSON and half stream. Each chat is two model calls and one lookup, and is stored.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import aiohttp
import psutil

from benchmarks.contestants import ROOT, free_port, model_server

BODY = {"message": "Weather in Oslo?"}
PATHS = ("/weather/chat", "/weather/chat/stream")
WARM_UP = 0.2
"""Share of the time in which pools and caches fill; memory is judged after it."""
SAMPLE_SECONDS = 2.0


@dataclass
class Results:
    seconds: list[float] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    samples: list[tuple[float, float, int]] = field(default_factory=list)
    """Seconds since the start, resident memory in MB, threads."""
    cpu_seconds: float = 0.0
    """Of the product's process."""


@contextmanager
def product(model: str, folder: str) -> Iterator[tuple[str, psutil.Process]]:
    """One process in production mode; its address."""
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{folder}/soak.sqlite3",
        "DJANGO_DEBUG": "false",
        "DJANGO_SECRET_KEY": "of-a-benchmark-" * 5,
        "DJANGO_SECURE_SSL_REDIRECT": "false",
        "DJANGO_LOG_LEVEL": "ERROR",
        "LLM_PROVIDER": "openai",
        "OPENAI_API_KEY": "none",
        "OPENAI_BASE_URL": model,
        "WEATHER_RATE": "1000000000/s",
    }
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environment, check=True)
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "backoffice.asgi:application", "--port", str(port), "--backlog", "4096"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        yield f"http://127.0.0.1:{port}", psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait()


async def until_ready(session: aiohttp.ClientSession, address: str) -> None:
    for _ in range(300):
        answer = await outcome(session, address + PATHS[0])
        if answer == "ok":
            return
        await asyncio.sleep(0.2)
    raise RuntimeError(f"the product does not answer: {answer}")


async def customer(session: aiohttp.ClientSession, url: str, until: float, results: Results) -> None:
    while time.monotonic() < until:
        began = time.monotonic()
        results.outcomes[await outcome(session, url)] += 1
        results.seconds.append(time.monotonic() - began)


async def outcome(session: aiohttp.ClientSession, url: str) -> str:
    try:
        async with session.post(url, json=BODY) as response:
            content = await response.read()
    except (aiohttp.ClientError, TimeoutError) as error:
        return type(error).__name__
    if response.status != 200:
        return f"status {response.status}"
    if url.endswith("stream"):
        return "ok" if b"event: done" in content else "stream without done"
    return "ok" if json.loads(content)["answer"] else "empty answer"


async def watch(process: psutil.Process, results: Results) -> None:
    began = time.monotonic()
    while True:
        memory = process.memory_info().rss / 1e6
        results.samples.append((time.monotonic() - began, memory, process.num_threads()))
        await asyncio.sleep(SAMPLE_SECONDS)


async def soak(address: str, process: psutil.Process, options: argparse.Namespace) -> Results:
    results = Results()
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(120)) as session:
        await until_ready(session, address)
        watching = asyncio.create_task(watch(process, results))
        spent = cpu_seconds(process)
        until = time.monotonic() + options.seconds
        urls = [address + PATHS[number % len(PATHS)] for number in range(options.chats)]
        await asyncio.gather(*(customer(session, url, until, results) for url in urls))
        watching.cancel()
        results.cpu_seconds = cpu_seconds(process) - spent
    return results


def cpu_seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


def slope(samples: Sequence[tuple[float, float, int]]) -> float:
    """MB a minute, by least squares."""
    times, sizes = [sample[0] / 60 for sample in samples], [sample[1] for sample in samples]
    return statistics.linear_regression(times, sizes).slope


def report(results: Results, options: argparse.Namespace) -> dict[str, object]:
    settled = [sample for sample in results.samples if sample[0] >= options.seconds * WARM_UP]
    cuts = statistics.quantiles(results.seconds, n=20)
    return {
        "chats_at_once": options.chats,
        "seconds": options.seconds,
        "model_latency": options.latency,
        "chats": len(results.seconds),
        "outcomes": dict(results.outcomes),
        "chats_per_second": round(len(results.seconds) / options.seconds, 1),
        "cpu_ms_per_chat": round(1000 * results.cpu_seconds / len(results.seconds), 2),
        "median_seconds": round(cuts[9], 2),
        "p95_seconds": round(cuts[18], 2),
        "memory_mb": {
            "first": round(results.samples[0][1]),
            "settled": round(settled[0][1]),
            "last": round(settled[-1][1]),
        },
        "memory_mb_per_minute": round(slope(settled), 2),
        "most_threads": max(sample[2] for sample in results.samples),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chats", type=int, default=500, help="at once (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=600, help="how long (default: %(default)s)")
    parser.add_argument("--latency", type=float, default=0.5, help="seconds a model call takes (default: %(default)s)")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        model_server(options.latency) as model,
        product(model, folder) as (address, process),
    ):
        results = asyncio.run(soak(address, process, options))
    print(json.dumps(report(results, options), indent=2))
    sys.exit(set(results.outcomes) != {"ok"})


if __name__ == "__main__":
    main()
