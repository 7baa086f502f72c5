"""An operator cancels a run: at once where nobody works on it, after the current row where somebody does."""

import pytest

from summarizer.models import RunState
from summarizer.runs import lease
from summarizer.runs.queue import cancel
from tests.summarizer.making import (
    claimed_run,
    let_lease_run_out,
    queued_run,
    rows_of,
    states_of,
    store,
    stored_run,
    summarised,
)
from tests.summarizer.runs.racing import at_once

pytestmark = pytest.mark.django_db


def test_a_queued_run_is_cancelled_at_once_and_its_rows_are_withdrawn() -> None:
    run = queued_run("One.", "Two.")
    assert cancel(run.pk)
    stored = stored_run(run.pk)
    assert stored.state == RunState.CANCELLED
    assert stored.finished_at is not None
    assert states_of(run.pk) == ["withdrawn", "withdrawn"]


def test_an_interrupted_run_is_cancelled_at_once_and_keeps_what_it_has() -> None:
    claimed = claimed_run("One.", "Two.")
    store(claimed, rows_of(claimed.run_id)[0], summarised())
    lease.end(claimed)
    assert cancel(claimed.run_id)
    assert stored_run(claimed.run_id).state == RunState.CANCELLED
    assert states_of(claimed.run_id) == ["summarised", "withdrawn"]


def test_a_running_run_goes_on_with_its_row_and_ends_after_it() -> None:
    claimed = claimed_run("One.", "Two.")
    assert cancel(claimed.run_id)
    assert stored_run(claimed.run_id).state == RunState.RUNNING
    assert states_of(claimed.run_id) == ["pending", "pending"]
    store(claimed, rows_of(claimed.run_id)[0], summarised())
    assert lease.end(claimed) is RunState.CANCELLED
    assert states_of(claimed.run_id) == ["summarised", "withdrawn"]
    assert stored_run(claimed.run_id).finished_at is not None


def test_a_run_whose_worker_died_is_cancelled_at_once() -> None:
    claimed = claimed_run()
    let_lease_run_out(claimed.run_id)
    assert cancel(claimed.run_id)
    assert stored_run(claimed.run_id).state == RunState.CANCELLED


def test_a_run_that_has_ended_cannot_be_cancelled() -> None:
    claimed = claimed_run()
    store(claimed, rows_of(claimed.run_id)[0], summarised())
    lease.end(claimed)
    assert not cancel(claimed.run_id)
    assert stored_run(claimed.run_id).state == RunState.COMPLETED


@pytest.mark.parametrize("running", [False, True])
def test_cancelling_twice_does_it_once(running: bool) -> None:
    run_id = claimed_run().run_id if running else queued_run().pk
    assert [cancel(run_id), cancel(run_id)] == [True, False]


@pytest.mark.django_db(transaction=True)
def test_a_run_that_is_left_at_the_same_instant_is_cancelled_all_the_same() -> None:
    claims = [claimed_run(f"Note {number}.") for number in range(6)]
    for claimed in claims:
        acts = iter([lambda claimed=claimed: lease.end(claimed), lambda claimed=claimed: cancel(claimed.run_id)])
        at_once(2, lambda acts=acts: next(acts)())
    assert {stored_run(claimed.run_id).state for claimed in claims} == {RunState.CANCELLED}


@pytest.mark.django_db(transaction=True)
def test_of_many_operators_at_once_one_cancels_the_run() -> None:
    run = queued_run()
    assert sorted(at_once(6, lambda: cancel(run.pk))) == [False] * 5 + [True]
    assert states_of(run.pk) == ["withdrawn"]
