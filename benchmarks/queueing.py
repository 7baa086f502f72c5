"""Fills a deployment's queue, and asks its database how fast it was worked off; a process of its own for each database.

python -m benchmarks.queueing fill RUNS ROWS | finish | claim | speed RUNS
"""

import statistics
import sys
import time

import django

django.setup()

from django.db import connection, transaction  # noqa: E402 - models need Django set up
from django.db.models import Max, Min  # noqa: E402
from django.utils import timezone  # noqa: E402

from backoffice.llm.client import model_config  # noqa: E402
from summarizer.models import Outcome, Run, RunState, Trigger  # noqa: E402
from summarizer.prompts import PROMPT_VERSION, SYSTEM_PROMPT  # noqa: E402
from summarizer.runs.queue import claim_next, hash_of  # noqa: E402

NOTE = "Rechnung 4711 der Musterbau GmbH: Gesamtbetrag 1.234,50 EUR, zahlbar in 30 Tagen."
CHUNK = 2_000
CLAIMS = 50


def fill(runs: int, rows: int) -> None:
    """Queue so many runs of so many rows."""
    config = model_config()
    columns = {"provider": config.provider, "model": config.model, "prompt_version": PROMPT_VERSION}
    for start in range(0, runs, CHUNK):
        with transaction.atomic():
            made = Run.objects.bulk_create(
                Run(trigger=Trigger.COMMAND, prompt=SYSTEM_PROMPT, **columns) for _ in range(min(CHUNK, runs - start))
            )
            Outcome.objects.bulk_create(
                Outcome(run=run, position=position, row_id=position + 1, text=NOTE, text_hash=hash_of(NOTE))
                for run in made
                for position in range(rows)
            )
    _analyze()


def finish() -> None:
    """As if every run had been worked off, long ago and a thousand times as often."""
    Run.objects.update(state=RunState.COMPLETED, owner="", lease_until=None, finished_at=timezone.now())


def claim() -> float:
    """Seconds, the median of some claims."""
    provider = model_config().provider
    seconds = []
    for _ in range(CLAIMS):
        started = time.perf_counter()
        assert claim_next(provider) is not None
        seconds.append(time.perf_counter() - started)
    return statistics.median(seconds)


def speed(runs: int) -> float:
    """Rows a second over the latest runs."""
    ids = Run.objects.order_by("-pk").values_list("pk", flat=True)[:runs]
    rows = Outcome.objects.filter(run__in=list(ids))
    span = rows.aggregate(first=Min("started_at"), last=Max("finished_at"))
    return rows.count() / (span["last"] - span["first"]).total_seconds()


def _analyze() -> None:
    """As autovacuum does within a minute of so many new rows."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


if __name__ == "__main__":
    name, *numbers = sys.argv[1:]
    said = {"fill": fill, "finish": finish, "claim": claim, "speed": speed}[name](*map(int, numbers))
    if said is not None:
        print(said)
