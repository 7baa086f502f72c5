"""`kill -9` costs at most the row in flight of each run that was being worked on."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from summarizer.models import Outcome, OutcomeState, Run, RunState
from tests.process.programs import ModelLog, Programs, csv_of, finished, wait_until
from tests.summarizer.making import let_lease_run_out

pytestmark = pytest.mark.process

KILLS = int(os.environ.get("KILLS", "3"))
"""How often the job is killed; more than the suite has time for on demand."""
CONCURRENCY = 2

OverModel = Callable[..., Programs]


def finished_rows() -> set[str]:
    rows = Outcome.objects.exclude(state=OutcomeState.PENDING)
    return set(rows.values_list("text_hash", flat=True))


def test_a_job_killed_at_random_moments_summarises_every_row_once(
    over_model: OverModel, model_log: ModelLog, tmp_path: Path
) -> None:
    moments = Random(KILLS)
    programs = over_model("--ttft", "0.02", RUN_LEASE_SECONDS="1.5")
    notes = csv_of(tmp_path / "notes.csv", [f"Delivery {number} costs {number}.50 EUR." for number in range(100)])
    job = programs.job("--input", notes, "--concurrency", str(CONCURRENCY))
    for _ in range(KILLS):
        calls = len(model_log.lines) + moments.randint(1, 200 // KILLS)
        wait_until(lambda calls=calls, job=job: len(model_log.lines) >= calls or job.poll() is not None)
        job.kill()
        job.communicate()
        time.sleep(0.2)  # the model's log has noticed who hung up
        done, asked = finished_rows(), len(model_log.lines)
        job = programs.job("--wait", "--concurrency", str(CONCURRENCY))
        wait_until(lambda asked=asked, job=job: len(model_log.lines) > asked or job.poll() is not None)
        assert not done & set(model_log.rows_asked(since=asked))
    status, said = finished(job, 60)
    assert status == 0, said
    assert [run.state for run in Run.objects.all()] == [RunState.COMPLETED] * 2
    assert Outcome.objects.filter(state=OutcomeState.SUMMARISED).count() == 100
    asked_in_all = model_log.rows_asked()
    assert len(asked_in_all) == 100
    assert asked_in_all.total() <= 100 + KILLS * CONCURRENCY


def test_a_rerun_names_the_run_that_a_dead_job_holds_and_the_time_left(
    over_model: OverModel, model_log: ModelLog, tmp_path: Path
) -> None:
    programs = over_model("--ttft", "0.1", RUN_LEASE_SECONDS="30")
    job = programs.job("--input", csv_of(tmp_path / "notes.csv", [f"Delivery {'x' * n}." for n in range(5)]))
    wait_until(lambda: len(model_log.lines) >= 2)
    job.kill()
    job.communicate()
    done = finished_rows()
    [run] = Run.objects.all()
    status, said = finished(programs.job())
    assert status == 0
    assert f"Run {run.pk} is held by another worker, whose lease runs out in " in said
    assert finished_rows() == done
    let_lease_run_out(run.pk)
    status, said = finished(programs.job())
    assert status == 0, said
    assert f"Rows: {5 - len(done)}, {5 - len(done)} summarised" in said
