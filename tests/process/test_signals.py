"""SIGTERM, Ctrl-C and a closed terminal: the job leaves soon, and the next one goes on at once."""

import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from summarizer.models import Outcome, OutcomeState, Run, RunState
from tests.process.programs import ModelLog, Programs, csv_of, finished, wait_until

pytestmark = pytest.mark.process

OverModel = Callable[..., Programs]


def ended_rows() -> int:
    return Outcome.objects.exclude(state=OutcomeState.PENDING).count()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signalled_job_leaves_and_the_next_goes_on_at_once(
    over_model: OverModel, model_log: ModelLog, tmp_path: Path, number: signal.Signals
) -> None:
    programs = over_model(RUN_LEASE_SECONDS="60", RUN_GRACE_SECONDS="0.3")
    texts = ["One.", "Two: 5 EUR. [[fault:stall*1@2]]", "Three."]
    job = programs.job("--input", csv_of(tmp_path / "notes.csv", texts))
    wait_until(lambda: model_log.begun(texts[1]) == 1)
    began = time.monotonic()
    job.send_signal(number)
    status, said = finished(job, 10)
    assert (status, time.monotonic() - began < 10) == (128 + number, True), said
    assert "Traceback" not in said
    [run] = Run.objects.all()
    assert (run.state, run.owner) == (RunState.INTERRUPTED, "")
    assert [row.state for row in run.outcomes.all()] == ["summarised", "pending", "pending"]
    if number is signal.SIGTERM:
        status, said = finished(programs.job())
        assert status == 0, said
        assert Run.objects.get().state == RunState.COMPLETED
        assert [model_log.begun(text) for text in texts] == [1, 2, 1]


def test_a_row_that_ends_within_its_grace_is_kept(over_model: OverModel, model_log: ModelLog, tmp_path: Path) -> None:
    programs = over_model(RUN_GRACE_SECONDS="8")
    texts = ["One.", "Two: 5 EUR. [[fault:ttft=1@2]]", "Three."]
    job = programs.job("--input", csv_of(tmp_path / "notes.csv", texts))
    wait_until(lambda: model_log.begun(texts[1]) == 1)
    job.terminate()
    assert finished(job, 10)[0] == 143
    assert [row.state for row in Outcome.objects.all()] == ["summarised", "summarised", "pending"]


def test_a_second_signal_takes_the_grace_away(over_model: OverModel, model_log: ModelLog, tmp_path: Path) -> None:
    programs = over_model(RUN_GRACE_SECONDS="60")
    texts = ["One.", "Two: 5 EUR. [[fault:stall@2]]"]
    job = programs.job("--input", csv_of(tmp_path / "notes.csv", texts))
    wait_until(lambda: model_log.begun(texts[1]) == 1)
    job.terminate()
    time.sleep(0.3)
    assert job.poll() is None
    job.terminate()
    assert finished(job, 10)[0] == 143
    assert Run.objects.get().state == RunState.INTERRUPTED


def test_a_signal_while_the_job_waits_for_others_ends_the_waiting(
    over_model: OverModel, model_log: ModelLog, tmp_path: Path
) -> None:
    programs = over_model(RUN_LEASE_SECONDS="60", RUN_GRACE_SECONDS="0.3")
    at_work = programs.job("--input", csv_of(tmp_path / "notes.csv", ["One.", "Two. [[fault:stall]]"]))
    wait_until(lambda: ended_rows() == 1)
    waiting = programs.job("--wait")
    assert waiting.stdout is not None
    assert "Waiting for run" in waiting.stdout.readline()
    waiting.terminate()
    assert finished(waiting, 10)[0] == 143
    assert at_work.poll() is None
    assert Run.objects.get().state == RunState.RUNNING
