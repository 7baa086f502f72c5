"""A failed row is queued again: one next attempt that was not withdrawn, however often and by however many."""

import pytest
from django.db import IntegrityError
from django.db.models.signals import post_save

from backoffice.llm.client import model_config
from backoffice.llm.failures import FailureCode
from summarizer.models import Outcome, Run, RunState, Trigger
from summarizer.runs import lease
from summarizer.runs.queue import Origin, Requeued, cancel, create_runs, requeue
from tests.summarizer.making import (
    BY_COMMAND,
    claimed_run,
    failed,
    failed_rows,
    plain_notes,
    queued_run,
    rows_of,
    store,
    summarised,
    taken,
)
from tests.summarizer.runs.racing import at_once

pytestmark = pytest.mark.django_db

BY_OPERATOR = Origin(Trigger.REQUEUE, source="run 1")


def again(*rows: Outcome) -> Requeued:
    return requeue(rows, BY_OPERATOR, model_config())


def test_the_next_attempt_is_a_pending_row_of_a_new_queued_run() -> None:
    [row] = failed_rows("A note.")
    [run] = again(row).runs
    [following] = rows_of(run.pk)
    assert (run.state, run.trigger, run.source) == (RunState.QUEUED, "requeue", "run 1")
    assert (following.state, following.attempt, following.requeued_from) == ("pending", 2, row)
    assert (following.row_id, following.text, following.text_hash) == (row.row_id, row.text, row.text_hash)


def test_the_failed_row_stays_as_it_was() -> None:
    [row] = failed_rows("A note.")
    before = Outcome.objects.filter(pk=row.pk).values().get()
    again(row)
    assert Outcome.objects.filter(pk=row.pk).values().get() == before


def test_pressing_again_makes_no_second_attempt() -> None:
    rows = failed_rows("One.", "Two.")
    results = [again(*rows), again(*rows)]
    assert [(result.rows, result.skipped, len(result.runs)) for result in results] == [(2, 0, 1), (0, 2, 0)]
    assert Run.objects.filter(trigger=Trigger.REQUEUE).count() == 1


@pytest.mark.parametrize("state", ["pending", "summarised"])
def test_a_row_that_did_not_fail_is_skipped(state: str) -> None:
    claimed = claimed_run("A note.")
    if state == "summarised":
        store(claimed, rows_of(claimed.run_id)[0], summarised())
    lease.end(claimed)
    [row] = rows_of(claimed.run_id)
    assert row.state == state
    assert again(row) == Requeued((), 0, 1)


def test_a_row_withdrawn_with_its_run_before_it_began_has_one_next_attempt() -> None:
    claimed = claimed_run("A note.")
    lease.end(claimed)
    cancel(claimed.run_id)
    [row] = rows_of(claimed.run_id)
    results = [again(row), again(row)]
    assert [(result.rows, result.skipped) for result in results] == [(1, 0), (0, 1)]
    [attempt] = rows_of(results[0].runs[0].pk)
    assert (attempt.requeued_from_id, attempt.state) == (row.pk, "pending")


def test_a_next_attempt_withdrawn_with_its_run_is_not_repeated_itself() -> None:
    """Its row is: otherwise the two of them would have an attempt each."""
    [row] = failed_rows("A note.")
    [run] = again(row).runs
    cancel(run.pk)
    assert again(*rows_of(run.pk)) == Requeued((), 0, 1)
    assert again(row).rows == 1


def test_a_next_attempt_that_was_withdrawn_makes_room_for_another() -> None:
    [row] = failed_rows("A note.")
    [withdrawn] = again(row).runs
    cancel(withdrawn.pk)
    assert again(row).rows == 1
    assert sorted(Outcome.objects.filter(requeued_from=row).values_list("state", flat=True)) == ["pending", "withdrawn"]
    assert again(row).rows == 0


def test_a_next_attempt_that_failed_is_itself_queued_again() -> None:
    [row] = failed_rows("A note.")
    [run] = again(row).runs
    claimed = taken(run.pk)
    store(claimed, rows_of(run.pk)[0], failed())
    lease.end(claimed)
    assert again(row).rows == 0
    [third] = again(*rows_of(run.pk)).runs
    assert rows_of(third.pk)[0].attempt == 3


def test_rows_of_several_runs_share_runs_of_up_to_fifty_with_unique_row_ids() -> None:
    rows = [*failed_rows(*(f"A {n}." for n in range(30))), *failed_rows(*(f"B {n}." for n in range(40)))]
    done = again(*rows)
    ids = [[row.row_id for row in rows_of(run.pk)] for run in done.runs]
    assert done.rows == 70
    assert sorted(map(len, ids)) == [30, 40]
    assert all(len(set(run)) == len(run) <= 50 for run in ids)


def test_more_than_fifty_rows_make_more_than_one_run() -> None:
    done = again(*failed_rows_of_a_file(120))
    assert done.rows == 120
    assert [len(rows_of(run.pk)) for run in done.runs] == [50, 50, 20]


def failed_rows_of_a_file(count: int) -> list[Outcome]:
    runs = create_runs(plain_notes(count), BY_COMMAND, model_config())
    for run in runs:
        claimed = taken(run.pk)
        for row in rows_of(run.pk):
            store(claimed, row, failed())
    return list(Outcome.objects.order_by("pk"))


def test_which_failures_asking_again_can_mend() -> None:
    rows = failed_rows("One.", code=FailureCode.REJECTED) + failed_rows("Two.", code=FailureCode.TIMEOUT)
    assert list(Outcome.objects.requeueable().mendable()) == rows[1:]
    assert list(Outcome.objects.requeueable(["rejected"])) == rows[:1]


def test_the_database_itself_refuses_a_second_next_attempt() -> None:
    [row] = failed_rows("A note.")
    again(row)
    with pytest.raises(IntegrityError, match=r"one_next_attempt|UNIQUE|unique"):
        Outcome.objects.create(run=queued_run(), position=9, row_id=9, text="A note.", requeued_from=row)


def test_a_row_that_somebody_was_quicker_for_is_left_out_and_the_others_of_its_run_are_queued() -> None:
    first, second = failed_rows(*(f"Note {n}." for n in range(50))), failed_rows("One.", "Two.", "Three.")

    def quicker(**_run_was_created: object) -> None:
        post_save.disconnect(quicker, Run)
        assert again(second[1]).rows == 1

    post_save.connect(quicker, Run)
    done = again(*first, *second)
    assert (done.rows, done.skipped) == (52, 1)
    assert [row.requeued_from for row in rows_of(done.runs[1].pk)] == [second[0], second[2]]
    assert Outcome.objects.filter(requeued_from__in=second).count() == 3


@pytest.mark.django_db(transaction=True)
def test_many_operators_at_once_make_one_next_attempt() -> None:
    rows = failed_rows("One.", "Two.", "Three.")
    done = at_once(6, lambda: again(*rows))
    assert sum(result.rows for result in done) == 3
    assert sum(result.skipped for result in done) == 15
    assert Outcome.objects.filter(requeued_from__in=rows).count() == 3


@pytest.mark.django_db(transaction=True)
def test_operators_at_once_with_overlapping_choices_queue_every_row_once() -> None:
    rows = failed_rows(*(f"Note {number}." for number in range(12)))
    choices = iter([rows[:8], rows[4:], rows[2:10], rows])
    done = at_once(4, lambda: again(*next(choices)))
    assert sum(result.rows for result in done) == 12
    assert Outcome.objects.filter(requeued_from__in=rows).count() == 12
    assert all(rows_of(run.pk) for run in Run.objects.all())
