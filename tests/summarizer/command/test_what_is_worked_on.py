"""Without arguments the job works off what is queued or abandoned; options add to that."""

from datetime import datetime, timedelta

from django.utils import timezone

from backoffice.llm.failures import FailureCode
from summarizer.models import Outcome, OutcomeState, Run, RunState
from summarizer.runs import lease
from summarizer.runs.queue import cancel
from tests.summarizer.command.conftest import Batch
from tests.summarizer.making import (
    claimed_run,
    failed_rows,
    let_lease_run_out,
    queued_run,
    rows_of,
    states_of,
    store,
    summarised,
)


def test_queued_interrupted_and_abandoned_runs_are_worked_off(batch: Batch) -> None:
    queued = queued_run("One.").pk
    interrupted, abandoned = claimed_run("Two."), claimed_run("Three.", "Four.")
    lease.end(interrupted)
    store(abandoned, rows_of(abandoned.run_id)[0], summarised("Kept."))
    let_lease_run_out(abandoned.run_id)
    ran = batch("--json")
    assert (ran.json["runs"], ran.json["rows"]) == (3, 3)
    assert {run.state for run in Run.objects.all()} == {RunState.COMPLETED}
    assert rows_of(abandoned.run_id)[0].summary == "Kept."
    assert queued


def test_cancelled_and_completed_runs_are_left_alone(batch: Batch) -> None:
    cancel(queued_run("One.").pk)
    failed_rows("Two.")
    assert "nothing to do" in batch().out


def test_failed_rows_are_queued_again_on_demand(batch: Batch) -> None:
    [row] = failed_rows("One.")
    assert "nothing to do" in batch().out
    ran = batch("--requeue-failed")
    assert "1 row that failed before was queued again." in ran.out
    assert [attempt.state for attempt in row.next_attempts.all()] == ["summarised"]
    assert ran.status == 0


def test_failed_rows_are_queued_again_only_once(batch: Batch) -> None:
    failed_rows("One.")
    batch("--requeue-failed")
    assert "nothing to do" in batch("--requeue-failed").out


def test_a_row_is_given_up_after_so_many_attempts(batch: Batch) -> None:
    failed_rows("One. [[fault:eof]]")
    for _ in range(4):
        batch("--requeue-failed", "--max-attempts", "2")
    assert sorted(Outcome.objects.values_list("attempt", flat=True)) == [1, 2]


def test_rows_that_asking_again_cannot_mend_are_not_queued_again(batch: Batch) -> None:
    failed_rows("One.", code=FailureCode.REJECTED)
    assert "nothing to do" in batch("--requeue-failed").out


def test_every_run_is_worked_off_however_many_there_are(batch: Batch) -> None:
    for number in range(12):
        queued_run(f"Note {number}.")
    assert batch("--json", "--concurrency", "3").json["runs"] == 12
    assert not Outcome.objects.exclude(state=OutcomeState.SUMMARISED).exists()


def test_waiting_takes_up_a_run_when_its_lease_has_run_out(batch: Batch) -> None:
    held = claimed_run("One.")
    Run.objects.filter(pk=held.run_id).update(lease_until=soon())
    ran = batch("--wait")
    assert ran.status == 0
    assert states_of(held.run_id) == ["summarised"]
    assert ran.out.count(f"Waiting for run {held.run_id}, whose lease runs out in 1 s") == 1


def soon() -> datetime:
    return timezone.now() + timedelta(seconds=0.5)


def test_runs_of_another_provider_are_told_of_and_left(batch: Batch) -> None:
    run = queued_run("One.")
    Run.objects.filter(pk=run.pk).update(provider="openai")
    ran = batch("--json")
    assert "1 run waits that was queued for another LLM_PROVIDER" in ran.err
    assert (ran.status, ran.json["others"], ran.json["rows"]) == (0, 1, 0)


def test_a_concurrency_beyond_all_runs_costs_nothing(batch: Batch) -> None:
    queued_run("One.")
    ran = batch("--concurrency", "100000", "--json")
    assert (ran.status, ran.json["runs"]) == (0, 1)
