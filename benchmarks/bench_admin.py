"""How quick the operators' desk is over a million outcomes: queries and time of the home page, the lists, search and a
run's page.

    python benchmarks/bench_admin.py                                   a new SQLite file
    DATABASE_URL=postgres://… python benchmarks/bench_admin.py         a new database beside the one named

Fills a database of its own, which it removes again, with a year of nights (--nights, --outcomes); every page is asked
for three times, and the quickest counts.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
folder = tempfile.TemporaryDirectory(prefix="bench-admin-")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backoffice.settings")
os.environ.setdefault("DATABASE_URL", f"sqlite:///{folder.name}/bench.sqlite3")
os.environ["LLM_PROVIDER"] = "scripted"

import django  # noqa: E402 - the environment decides about the database first

django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.urls import reverse  # noqa: E402
from django.utils import timezone  # noqa: E402

from summarizer.models import Outcome, Run, RunState, Trigger  # noqa: E402
from summarizer.runs.queue import hash_of  # noqa: E402

ROWS_A_RUN = 50
WORDS = ("toner", "rent", "invoice", "delivery", "harbour", "credit", "freight", "office", "paper", "licence", "board")
CODES = ("timeout", "rate_limited", "connection", "provider_error", "interrupted")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--outcomes", type=int, default=1_000_000)
    parser.add_argument("--nights", type=int, default=365)
    parser.add_argument("--show-sql", action="store_true", help="print the slowest query of each page")
    options = parser.parse_args()
    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = f"{folder.name}/filled.sqlite3"
    name = connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        started = time.perf_counter()
        _fill(options.outcomes, options.nights)
        made = f"{options.outcomes:,} outcomes over {options.nights} nights"
        print(f"{connection.vendor}: {made}, filled in {time.perf_counter() - started:.0f} s")
        _measure(options.show_sql)
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


COLUMNS = (
    "run_id", "position", "row_id", "text", "text_hash", "state", "summary", "failure", "failure_detail", "stop_reason",
    "answered_by", "exchange", "warnings", "warned", "attempt", "input_tokens", "output_tokens", "cost", "started_at",
    "finished_at", "duration_ms",
)  # fmt: skip


def _fill(outcomes: int, nights: int) -> None:
    people = [User.objects.create_user(f"operator{number}") for number in range(5)]
    dice = random.Random(7)
    runs = outcomes // ROWS_A_RUN
    insert = f"INSERT INTO summarizer_outcome ({', '.join(COLUMNS)}) VALUES ({', '.join(['%s'] * len(COLUMNS))})"
    with connection.cursor() as cursor:
        for start in range(0, runs, 400):
            numbers = range(start, min(start + 400, runs))
            made = Run.objects.bulk_create(_run(number, runs, nights, people[number % 5], dice) for number in numbers)
            with transaction.atomic():
                cursor.executemany(insert, [row for run in made for row in _rows(run, dice)])
        # Some rows are next attempts, so that their index is not empty.
        cursor.execute("UPDATE summarizer_outcome SET requeued_from_id = id - 100, attempt = 2 WHERE id % 500 = 0")
        cursor.execute("ANALYZE")


def _run(number: int, runs: int, nights: int, person: User, dice: random.Random) -> Run:
    moment = timezone.now() - timedelta(days=nights * (1 - number / runs), minutes=dice.random())
    return Run(
        state=RunState.COMPLETED, trigger=Trigger.ADMIN, created_by=person if number % 3 else None, source="night.csv",
        provider="scripted", model="gpt-4o-mini-2024-07-18", prompt_version="1", prompt="…", created_at=moment,
        started_at=moment, finished_at=moment,
    )  # fmt: skip


def _rows(run: Run, dice: random.Random) -> Iterator[tuple[Any, ...]]:
    moment = run.finished_at if connection.vendor == "postgresql" else f"{run.finished_at:%Y-%m-%d %H:%M:%S.%f}"
    for position in range(ROWS_A_RUN):
        text = f"{' '.join(dice.choices(WORDS, k=12))} {dice.randrange(10**6)},00 EUR"
        fate = dice.random()
        failed, warned = fate < 0.03, fate > 0.99
        yield (
            run.pk, position, 1 + dice.randrange(200) * ROWS_A_RUN + position, text, hash_of(text),
            "failed" if failed else "summarised", None if failed else f"A sentence about {text}.",
            dice.choice(CODES) if failed else "", "It went wrong." if failed else "", "" if failed else "end", "", "[]",
            '["truncated"]' if warned else "[]", warned, 1, None if failed else 700, None if failed else 40,
            None if failed else "0.00012000", moment, moment, 900,
        )  # fmt: skip


def _pages() -> Iterator[tuple[str, str]]:

    def listed(model: str, query: str = "") -> str:
        return reverse(f"admin:summarizer_{model}_changelist") + query

    yield "home page", reverse("admin:index")
    yield "runs", listed("run")
    yield "runs, all there is, second page", listed("run", "?period=all&p=2")
    yield "failed rows", listed("failedrow")
    yield "failed rows, all there is", listed("failedrow", "?period=all")
    yield "failed rows by code", listed("failedrow", "?failure=timeout")
    yield "failed rows by person, all there is", listed("failedrow", "?period=all&who=1")
    yield "rows to review", listed("rowtoreview")
    yield "rows to review, all there is", listed("rowtoreview", "?period=all")
    yield "all rows", listed("outcome")
    yield "all rows, all there is, page 100", listed("outcome", "?period=all&p=100")
    yield "all rows, failed", listed("outcome", "?state=failed")
    yield "search by row id", listed("outcome", "?q=4711")
    yield "search by person", listed("outcome", "?q=operator2")
    yield "search for two words", listed("outcome", "?q=harbour+licence")
    yield "search for what is not there", listed("outcome", "?q=nowhere")
    yield "search in failed rows", listed("failedrow", "?q=toner")
    yield "a run's page", reverse("admin:summarizer_run_change", args=[Run.objects.latest("pk").pk])
    yield "a row's page", reverse("admin:summarizer_outcome_change", args=[Outcome.objects.latest("pk").pk])


def _measure(show_sql: bool) -> None:

    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.create_superuser("root"))
    for name, address in _pages():
        seconds, queries = min((_asked(client, address) for _time in range(3)), key=lambda asked: asked[0])
        slowest = max(queries, key=lambda query: float(query["time"]))
        spent = f"{seconds * 1000:6.0f} ms, slowest query {float(slowest['time']) * 1000:5.0f} ms"
        print(f"{name:40} {len(queries):3} queries {spent}")
        if show_sql:
            print("   ", slowest["sql"][:1500])


def _asked(client: Client, address: str) -> tuple[float, list[dict[str, str]]]:
    with CaptureQueriesContext(connection) as captured:
        started = time.perf_counter()
        response = client.get(address)
        seconds = time.perf_counter() - started
    assert response.status_code == 200, (address, response.status_code)
    return seconds, captured.captured_queries


if __name__ == "__main__":
    main()
