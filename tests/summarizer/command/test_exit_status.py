"""What the exit status says to cron."""

from pathlib import Path

import pytest
from pytest_django import Settings

from summarizer.models import Outcome, Run, RunState
from tests.process.programs import csv_of
from tests.summarizer.command.conftest import Batch
from tests.summarizer.making import claimed_run, queued_run, states_of

DOWN = "[[fault:503=0.001]]"


def test_0_when_all_rows_were_summarised(batch: Batch) -> None:
    run = queued_run("One.", "Two costs 7 EUR.")
    assert batch().status == 0
    assert states_of(run.pk) == ["summarised", "summarised"]


def test_0_when_there_is_nothing_to_do(batch: Batch) -> None:
    ran = batch()
    assert ran.status == 0
    assert "nothing to do" in ran.out


def test_0_when_a_summary_has_a_warning(batch: Batch) -> None:
    queued_run("One. [[fault:length]]")
    ran = batch()
    assert ran.status == 0
    assert "1 with a warning to review" in ran.out


def test_3_when_some_rows_failed(batch: Batch) -> None:
    queued_run("One.", "Two. [[fault:eof]]")
    ran = batch()
    assert ran.status == 3
    assert "To try the failed rows again: python manage.py summarise_batch --requeue-failed" in ran.out


def test_nobody_is_told_to_try_again_what_asking_again_cannot_mend(batch: Batch) -> None:
    queued_run("One. [[fault:400]]")
    assert "To try" not in batch().out


def test_3_when_every_row_of_the_only_run_failed_for_nothing_is_left(batch: Batch) -> None:
    queued_run(f"One. {DOWN}", f"Two. {DOWN}")
    assert batch().status == 3


@pytest.mark.parametrize("fault", [DOWN, "[[fault:drop-mid]]", "[[fault:429=0.001]]"])
def test_4_when_the_provider_is_down_and_work_is_left(batch: Batch, fault: str) -> None:
    queued_run(f"One. {fault}", f"Two. {fault}")
    left = queued_run("Three.")
    ran = batch("--concurrency", "1")
    assert ran.status == 4
    assert "The provider is down" in ran.out
    assert "Left for the next job: 1 run." in ran.out
    assert states_of(left.pk) == ["pending"]


def test_4_when_the_key_is_refused_and_work_is_left(batch: Batch) -> None:
    queued_run("One. [[fault:401]]", "Two. [[fault:401]]")
    left = queued_run("Three.")
    ran = batch("--concurrency", "1")
    assert ran.status == 4
    assert "The provider refuses our key: check OPENAI_API_KEY." in ran.out
    assert states_of(left.pk) == ["pending"]


def test_a_run_that_failed_for_reasons_of_its_own_stops_nothing(batch: Batch) -> None:
    queued_run("One. [[fault:400]]", "Two. [[fault:400]]")
    going_on = queued_run("Three.")
    assert batch("--concurrency", "1").status == 3
    assert states_of(going_on.pk) == ["summarised"]


def test_1_when_no_model_is_configured_and_nothing_is_stored(batch: Batch, settings: Settings, tmp_path: Path) -> None:
    settings.LLM_PROVIDER = "openai"
    ran = batch("--input", csv_of(tmp_path / "notes.csv", ["One."]))
    assert ran.status == 1
    assert "OPENAI_API_KEY" in ran.err
    assert not Run.objects.exists()


def test_1_when_the_file_is_not_there(batch: Batch) -> None:
    ran = batch("--input", "no-such-file.csv")
    assert ran.status == 1
    assert "no-such-file.csv" in ran.err


@pytest.mark.parametrize("arguments", [("--concurrency", "0"), ("--max-attempts", "none"), ("--no-such-option",)])
def test_wrong_usage_is_refused_in_words(batch: Batch, arguments: tuple[str, ...]) -> None:
    ran = batch(*arguments)
    assert ran.status != 0
    assert arguments[0] in ran.err


def test_a_row_that_is_held_by_somebody_else_is_no_failure(batch: Batch) -> None:
    held = claimed_run("One.")
    ran = batch()
    assert ran.status == 0
    assert f"Run {held.run_id} is held by another worker" in ran.out
    assert Run.objects.get(pk=held.run_id).state == RunState.RUNNING
    assert not Outcome.objects.exclude(state="pending").exists()
