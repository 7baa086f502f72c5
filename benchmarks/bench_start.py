"""Benchmark 4, the start: how long a command takes before it works.

python -m benchmarks.bench_start
"""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from tempfile import NamedTemporaryFile

from benchmarks.contestants import ROOT, model_server
from benchmarks.project import deployed, manage
from benchmarks.report import Report

ROUNDS = 5


def seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The median of some rounds."""
    costs = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        costs.append(time.perf_counter() - started)
    return statistics.median(costs)


def main(report: Report) -> None:
    with model_server() as url, deployed(url) as environment, NamedTemporaryFile("w", suffix=".jsonl") as note:
        note.write(json.dumps({"row_id": 1, "text": "Gesamtbetrag 1.234,50 EUR"}))
        note.flush()
        python, django_alone = (seconds(lambda code=code: _run(environment, code)) for code in ("", "import django"))
        report.figure("python -c ''", python, "s")
        report.figure("import django", django_alone, "s")
        report.figure("import openai", seconds(lambda: _run(environment, "import openai")), "s")
        report.figure("manage.py check", seconds(lambda: _manage(environment, "check")), "s")
        report.figure("summarise_batch, nothing to do", seconds(lambda: _manage(environment, "summarise_batch")), "s")
        first = ("summarise_batch", "--input", note.name)
        report.figure("summarise_batch, one row", seconds(lambda: _manage(environment, *first)), "s")


def _run(environment: Mapping[str, str], code: str) -> None:
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=dict(environment), check=True)


def _manage(environment: Mapping[str, str], *arguments: str) -> None:
    manage(environment, *arguments, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main(Report())
