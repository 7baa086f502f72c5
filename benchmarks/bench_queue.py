"""Benchmark 3, the queue: rows a second over workers and runs side by side; a claim and a job's memory in a long queue.

python -m benchmarks.bench_queue
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack

from benchmarks.contestants import ROOT, model_server
from benchmarks.project import databases, deployed
from benchmarks.report import Report

LATENCY = 0.2
"""Seconds to a model's answer; a row takes two."""
WORKERS = (1, 2, 4)
CONCURRENCY = (1, 8, 32)
RUNS_EACH, ROWS_EACH = 2, 4
"""Runs for each place of each worker, and rows in each run."""
SHORT, LONG = 100, 100_000
ROWS_SHORT, ROWS_LONG, ROWS_OF_A_RUN = 1_000, 100_000, 50
WORKED_SECONDS = 40.0
"""Enough for more rows than the short queue has."""
MEMORY_LIMIT = 1.1
CLAIM_LIMIT = 2.0
"""A claim in the long queue beside one in the short: constant, but for the noise of a machine."""


def rows_a_second(environment: Mapping[str, str], workers: int, concurrency: int) -> float:
    """As the database has it, from the first row's start to the last one's end: the workers' own start is not in it."""
    runs = workers * concurrency * RUNS_EACH
    _queue(environment, "fill", str(runs), str(ROWS_EACH))
    command = [sys.executable, "manage.py", "summarise_batch", "--concurrency", str(concurrency)]
    with ExitStack() as stack:
        jobs = [
            stack.enter_context(subprocess.Popen(command, cwd=ROOT, env=dict(environment), stdout=subprocess.DEVNULL))
            for _ in range(workers)
        ]
        for job in jobs:
            job.wait()
    return float(_queue(environment, "speed", str(runs)))


def _queue(environment: Mapping[str, str], *arguments: str) -> str:
    command = [sys.executable, "-m", "benchmarks.queueing", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=dict(environment), check=True, text=True, stdout=subprocess.PIPE)
    return done.stdout.strip()


def measure_speed(report: Report, database: str) -> None:
    with model_server(LATENCY) as url, deployed(url, database) as environment:
        speeds = {
            (workers, concurrency): rows_a_second(environment, workers, concurrency)
            for workers in WORKERS
            for concurrency in CONCURRENCY
        }
    report.table(
        f"Rows a second on {database}, a model that takes {LATENCY * 1000:.0f} ms a call",
        ("runs side by side in a worker", *(f"{workers} workers" for workers in WORKERS)),
        [(each, *(f"{speeds[workers, each]:.1f}" for workers in WORKERS)) for each in CONCURRENCY],
    )


def measure_claims(report: Report, database: str, long: int = LONG) -> None:
    """Behind the long queue stand as many finished runs, as in a service that has worked for a while."""
    with deployed("http://127.0.0.1:1/v1", database) as environment:
        _queue(environment, "fill", str(SHORT), "0")
        short = float(_queue(environment, "claim"))
        _queue(environment, "finish")
        _queue(environment, "fill", str(long), "0")
        claimed = float(_queue(environment, "claim"))
    report.figure(f"a claim of {SHORT} queued runs on {database}", short * 1000, "ms")
    report.figure(f"a claim of {long} queued runs on {database}", claimed * 1000, "ms")
    report.ratio(f"claim_{database}", claimed / short, CLAIM_LIMIT)


def measure_memory(report: Report, database: str) -> None:
    """Of a job that works off a short queue, and of one that works for a while on a long one."""
    with model_server() as url, deployed(url, database) as environment:
        _queue(environment, "fill", str(ROWS_SHORT // ROWS_OF_A_RUN), str(ROWS_OF_A_RUN))
        short = _peak_of_job(environment)
        _queue(environment, "fill", str(ROWS_LONG // ROWS_OF_A_RUN), str(ROWS_OF_A_RUN))
        long = _peak_of_job(environment, ends_after=WORKED_SECONDS)
    report.figure(f"a job's memory with {ROWS_SHORT} rows queued on {database}", short, "MB")
    report.figure(f"a job's memory with {ROWS_LONG} rows queued on {database}", long, "MB")
    report.ratio(f"job_memory_{database}", long / short, MEMORY_LIMIT)


def _peak_of_job(environment: Mapping[str, str], ends_after: float | None = None) -> float:
    """Megabytes; `ends_after`: seconds after which the job is asked to end."""
    command = [sys.executable, "manage.py", "summarise_batch"]
    job = subprocess.Popen(command, cwd=ROOT, env=dict(environment), stdout=subprocess.DEVNULL)
    if ends_after is not None:
        time.sleep(ends_after)
        job.terminate()
    _, status, used = os.wait4(job.pid, 0)
    assert os.waitstatus_to_exitcode(status) == (0 if ends_after is None else 128 + signal.SIGTERM)
    return used.ru_maxrss / 1024


def main(report: Report, *, limits_only: bool = False) -> None:
    for database in databases():
        if not limits_only:
            measure_speed(report, database)
        measure_claims(report, database)
        measure_memory(report, database)


if __name__ == "__main__":
    main(Report())
