"""Benchmark 2, the chat: customers of `POST /weather/chat` side by side, audit and throttle on.

Beside the smallest FastAPI app with the same loop and no audit, over the SDK's default client and over its aiohttp one.

    python -m benchmarks.bench_chat
"""

import json
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from benchmarks.contestants import PEERS, NotInstalled, model_server, python_of, status_of, web_server
from benchmarks.customers import Load, ask_all
from benchmarks.project import databases, deployed, manage
from benchmarks.report import Report, median_ratio, statistics

OURS, DEFAULT, AIOHTTP = "weatherbot", "FastAPI, default client", "FastAPI, aiohttp client"
SLOW = 0.5
"""Seconds to a model's answer."""
CROWDS = (1, 50, 200, 500, 1000)
COMPARED = (200, 500)
ROUNDS = 3
WAITING_SECONDS = 4.0
"""The model's latency where a thousand customers are counted while all of them wait."""
MOST_MEGABYTES = 300
POOL = 20

SHOW_TASK = """
import json
from django.conf import settings
from weatherbot.chat import MAX_TOKENS
from weatherbot.prompts import SYSTEM_PROMPT
from weatherbot.weather_tool import GET_WEATHER
print(json.dumps({"model": settings.LLM_MODEL, "prompt": SYSTEM_PROMPT, "tool": GET_WEATHER.declaration,
                  "max_tokens": MAX_TOKENS}))
"""


@dataclass
class Served:
    """An app that is asked, and what its customers met in each round."""

    port: int
    process_id: int
    rounds: list[Load] = field(default_factory=list)

    def ask(self, customers: int, chats: int) -> None:
        self.rounds.append(ask_all(self.port, customers, chats))

    def all_of(self, name: str) -> list[float]:
        return [getattr(load, name) for load in self.rounds]

    def median(self, name: str) -> float:
        return statistics.median(self.all_of(name))


@contextmanager
def our_app(environment: Mapping[str, str]) -> Iterator[Served]:
    """Each customer has an address of its own, and a rate that no benchmark reaches."""
    open_doors = {**environment, "WEATHER_RATE": "100000/min", "DJANGO_NUM_PROXIES": "1"}
    with web_server(sys.executable, "backoffice.asgi:application", open_doors) as (port, process_id):
        yield Served(port, process_id)


@contextmanager
def apps(model_url: str, report: Report, *, peers: bool) -> Iterator[dict[str, Served]]:
    with ExitStack() as stack:
        environment = stack.enter_context(deployed(model_url))
        served = {OURS: stack.enter_context(our_app(environment))}
        shown = manage(environment, "shell", "-c", SHOW_TASK, capture_output=True).stdout
        task: dict[str, Any] = {**json.loads(shown.splitlines()[-1]), "base_url": model_url}
        for name, client in ((DEFAULT, "default"), (AIOHTTP, "aiohttp")) if peers else ():
            peer = {"BENCHMARK_TASK": json.dumps(task), "BENCHMARK_CLIENT": client, "PYTHONPATH": str(PEERS)}
            try:
                server = web_server(python_of("fastapi"), "fastapi_chat:app", peer)
            except NotInstalled as error:
                report.say(f"left out: {error}")
            else:
                served[name] = Served(*stack.enter_context(server))
        yield served


def measure_crowd(
    report: Report, customers: int, latency: float, *, peers: bool = True, rounds: int = ROUNDS, chats: int = 3
) -> None:
    """So many customers at once; the rounds of the apps take turns."""
    with model_server(latency) as url, apps(url, report, peers=peers) as served:
        for app in served.values():
            ask_all(app.port, min(customers, 20), 2)
        for _ in range(rounds):
            for app in served.values():
                app.ask(customers, chats)
        tell(report, served, customers, latency)


def tell(report: Report, served: Mapping[str, Served], customers: int, latency: float) -> None:
    report.table(
        f"{customers} customers, a model that takes {latency * 1000:.0f} ms a call",
        ("", "chats/s", "p50 ms", "p99 ms", "errors", "MB"),
        [
            (
                name,
                f"{app.median('a_second'):.1f}",
                f"{app.median('p50') * 1000:.0f}",
                f"{app.median('p99') * 1000:.0f}",
                sum(load.errors for load in app.rounds),
                f"{status_of(app.process_id)['VmHWM'] / 1024:.0f}",
            )
            for name, app in served.items()
        ],
    )
    if DEFAULT in served and customers in COMPARED:
        _compare(report, served, f"{customers}_{latency * 1000:.0f}ms")


def _compare(report: Report, served: Mapping[str, Served], case: str) -> None:
    ours, default, aiohttp = (served[name] for name in (OURS, DEFAULT, AIOHTTP))
    for name, peer, limit in (("default", default, 1.0), ("aiohttp", aiohttp, 1 / 0.75)):
        value = median_ratio(peer.all_of("a_second"), ours.all_of("a_second"))
        report.ratio(f"chat_throughput_{case}_{name}", value, round(limit, 3))
    report.ratio(f"chat_p99_{case}", median_ratio(ours.all_of("p99"), default.all_of("p99")), 1.2)


def measure_waiting(report: Report, customers: int = 1000) -> None:
    """Memory and threads while all of them wait for the model."""
    with model_server(WAITING_SECONDS) as url, deployed(url) as environment, our_app(environment) as app:
        ask_all(app.port, 2, 1)
        idle, asking = status_of(app.process_id), threading.Thread(target=app.ask, args=(customers, 1))
        asking.start()
        most: dict[str, int] = {"Threads": 0}
        while asking.is_alive():
            seen = status_of(app.process_id)
            most["Threads"] = max(most["Threads"], seen["Threads"])
            time.sleep(0.1)
        megabytes = status_of(app.process_id)["VmHWM"] / 1024
    report.figure(f"threads, idle and at most with {customers} waiting", idle["Threads"], f"and {most['Threads']}")
    report.figure(f"threads for each of {customers} waiting chats", (most["Threads"] - idle["Threads"]) / customers, "")
    report.figure("memory, idle", idle["VmRSS"] / 1024, "MB")
    report.ratio(f"chat_memory_{customers}", megabytes / MOST_MEGABYTES, 1)
    report.ratio(f"chat_errors_{customers}", app.rounds[0].errors, 0)


def measure_pool(report: Report, customers: int = 500) -> None:
    """On PostgreSQL, more customers than connections."""
    with (
        model_server(SLOW) as url,
        deployed(url, "postgresql") as environment,
        our_app({**environment, "DATABASE_POOL_SIZE": str(POOL)}) as app,
    ):
        app.ask(customers, 2)
    load = app.rounds[0]
    report.figure(f"{customers} customers on PostgreSQL with a pool of {POOL}", load.a_second, "chats/s")
    report.ratio(f"chat_errors_postgresql_{customers}", load.errors, 0)


def main(report: Report, *, limits_only: bool = False) -> None:
    for latency in (SLOW, 0.0):
        for customers in COMPARED if limits_only else CROWDS:
            measure_crowd(report, customers, latency, chats=20 if customers == 1 else 3)
    measure_waiting(report)
    if "postgresql" in databases():
        measure_pool(report)


if __name__ == "__main__":
    main(Report())
