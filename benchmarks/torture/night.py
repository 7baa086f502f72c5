"""One night over a database and a model server that are there already; started by `benchmarks.torture`."""

import json
import os
import sys
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from random import Random

import django

django.setup()

from benchmarks.torture import evidence  # noqa: E402 - these need Django set up
from benchmarks.torture.databases import as_owner  # noqa: E402
from benchmarks.torture.evidence import Night  # noqa: E402
from benchmarks.torture.queue import progress, queue_notes  # noqa: E402
from benchmarks.torture.workers import Workforce  # noqa: E402

PAUSE_IN_LEASES = 1.5
RESTART_AT = 0.4
"""Of the rows, when the database is restarted."""
PATIENCE_SECONDS = 1_800


def main() -> int:
    options, folder = Namespace(**json.loads(sys.argv[1])), Path(sys.argv[2])
    restart_command: list[str] = json.loads(sys.argv[3])
    random = Random(options.seed)
    notes = queue_notes(options.rows, options.run_size, random)
    pause = PAUSE_IN_LEASES * float(os.environ["RUN_LEASE_SECONDS"])
    workforce = Workforce(options.workers, options.concurrency, folder, dict(os.environ), pause, random)
    started = time.monotonic()
    try:
        restarts = storm(options, workforce, restart_command, random)
        seconds = time.monotonic() - started
        reports = workforce.reports
        asked = evidence.read_log(folder / "model.log")
        night = evidence.figures(asked, reports)
        complaints = [*evidence.complaints_about_rows(notes, asked), *evidence.complaints_about_reports(reports)]
        complaints += too_much_asked(options, workforce, restarts, night)
        complaints += [f"a worker crashed: {words}" for words in workforce.crashes]
        last = workforce.hire("--requeue-failed", "--max-attempts=2")
        workforce.dismiss()
        complaints += evidence.complaints_about_last_job(last.report)
    finally:
        workforce.disband()
    blows = workforce.blows | {"restarts": restarts}
    print(json.dumps({"seed": options.seed, "seconds": round(seconds, 1), "blows": blows, **asdict(night)}, indent=1))
    for complaint in complaints:
        print(f"WRONG: {complaint}")
    print("Something is wrong." if complaints else "Nothing was lost, doubled or told wrongly.")
    return 1 if complaints else 0


def storm(options: Namespace, workforce: Workforce, restart_command: Sequence[str], random: Random) -> int:
    """Strike until every run is completed; how often the database was restarted.

    Blows follow the rows that have ended and not the clock, so that a slow machine is struck no harder than it works.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    between = options.rows / options.blows
    next_blow, restarts = between / 2, 0
    while (now := progress()) is None or now.unfinished_runs:
        if time.monotonic() > deadline:
            raise TimeoutError(f"the night does not end: {now}")
        workforce.tend()
        if restart_command and not restarts and now and now.ended_rows > RESTART_AT * options.rows:
            restarts += 1
            as_owner(*restart_command)
        if now and now.ended_rows > next_blow:
            workforce.strike()
            next_blow = now.ended_rows + between * random.uniform(0.5, 1.5)
        time.sleep(0.1)
    workforce.dismiss()
    return restarts


def too_much_asked(options: Namespace, workforce: Workforce, restarts: int, night: Night) -> Iterator[str]:
    """A blow costs at most the row in flight of each run that its worker works on, a restart that of every worker; and
    only a worker that slept through its lease can begin with a row that somebody else has ended meanwhile."""
    struck = sum(workforce.blows.values()) + restarts * options.workers
    if night.asked_twice > struck * options.concurrency:
        yield f"{night.asked_twice} rows were asked twice after {struck} blows"
    slept = workforce.blows["paused"] * options.concurrency
    if night.asked_after_the_end > slept:
        yield f"{night.asked_after_the_end} rows were asked again after their end, in {slept} sleeps"


if __name__ == "__main__":
    sys.exit(main())
