"""Only the holder of a run's lease writes; a worker that lost it writes nothing."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.test import override_settings
from django.utils import timezone

from backoffice.llm.failures import FailureCode
from backoffice.llm.usage import Usage
from summarizer.models import RunState
from summarizer.rows import RowResult
from summarizer.runs import lease
from summarizer.runs.lease import LeaseLost
from summarizer.runs.queue import Claim, cancel
from tests.summarizer.making import (
    MODEL,
    claimed_run,
    failed,
    let_lease_run_out,
    rows_of,
    states_of,
    steal,
    store,
    stored_run,
    summarised,
)

pytestmark = pytest.mark.django_db


def test_renewing_moves_the_end_of_the_lease() -> None:
    claimed = claimed_run()
    before = stored_run(claimed.run_id).lease_until
    lease.renew(claimed)
    after = stored_run(claimed.run_id).lease_until
    assert before is not None
    assert after is not None
    assert after > before


def test_storing_a_row_renews_the_lease() -> None:
    claimed = claimed_run()
    let_lease_run_out(claimed.run_id)
    store(claimed, rows_of(claimed.run_id)[0], summarised())
    until = stored_run(claimed.run_id).lease_until
    assert until is not None
    assert until > timezone.now()


def test_the_work_of_a_run_is_what_is_pending_in_request_order() -> None:
    claimed = claimed_run("One.", "Two.", "Three.")
    store(claimed, rows_of(claimed.run_id)[1], failed())
    run, rows = lease.work_of(claimed)
    assert run.pk == claimed.run_id
    assert [row.text for row in rows] == ["One.", "Three."]


def cancelled_by_somebody(run_id: int) -> None:
    let_lease_run_out(run_id)
    cancel(run_id)


def ended_by_its_worker(run_id: int) -> None:
    lease.end(Claim(run_id, stored_run(run_id).owner))


@pytest.mark.parametrize(
    "act",
    [
        lease.renew,
        lease.work_of,
        lease.end,
        lambda claimed: store(claimed, rows_of(claimed.run_id)[0], summarised("Too late.")),
    ],
    ids=["renew", "read", "end", "store"],
)
@pytest.mark.parametrize("lost", [steal, cancelled_by_somebody, ended_by_its_worker])
def test_whoever_lost_the_lease_is_told_and_changes_nothing(
    act: Callable[[Claim], object], lost: Callable[[int], object]
) -> None:
    claimed = claimed_run("One.", "Two.")
    lost(claimed.run_id)
    before = (vars_of(claimed), states_of(claimed.run_id))
    with pytest.raises(LeaseLost):
        act(claimed)
    assert (vars_of(claimed), states_of(claimed.run_id)) == before


def vars_of(claimed: Claim) -> tuple[object, ...]:
    run = stored_run(claimed.run_id)
    return run.state, run.owner, run.lease_until, run.finished_at


def test_a_row_is_ended_once() -> None:
    claimed = claimed_run()
    [row] = rows_of(claimed.run_id)
    store(claimed, row, summarised("The first."))
    with pytest.raises(LeaseLost):
        store(claimed, row, summarised("The second."))
    assert rows_of(claimed.run_id)[0].summary == "The first."


def test_a_row_of_another_run_is_not_written() -> None:
    claimed, other = claimed_run("One."), claimed_run("Two.")
    with pytest.raises(LeaseLost):
        store(claimed, rows_of(other.run_id)[0], summarised())
    assert states_of(other.run_id) == ["pending"]


def test_a_summarised_row_keeps_everything_that_is_known_of_it() -> None:
    claimed = claimed_run()
    started_at = timezone.now()
    result = RowResult(
        summary="A summary.",
        failure=None,
        warnings=("truncated",),
        stop_reason="length",
        answered_by="answering-model",
        exchange=({"answer": {"text": "A summary."}},),
        usage=Usage(1_000_000, 100_000, 200_000),
        duration=1.5,
        first_text=0.25,
    )
    lease.store(claimed, rows_of(claimed.run_id)[0].pk, result, MODEL, started_at)
    [row] = rows_of(claimed.run_id)
    assert (row.state, row.summary, row.failure, row.warnings) == ("summarised", "A summary.", "", ["truncated"])
    assert (row.stop_reason, row.answered_by, row.exchange) == ("length", "answering-model", [*result.exchange])
    assert (row.input_tokens, row.cached_tokens, row.output_tokens) == (1_000_000, 200_000, 100_000)
    assert (row.duration_ms, row.first_text_ms) == (1500, 250)
    assert row.cost == Decimal("0.8") * Decimal("0.15") + Decimal("0.2") * Decimal("0.075") + Decimal("0.06")
    assert row.started_at == started_at
    assert row.finished_at is not None


def test_a_failed_row_keeps_its_code_and_its_detail() -> None:
    claimed = claimed_run()
    store(claimed, rows_of(claimed.run_id)[0], failed(FailureCode.TIMEOUT))
    [row] = rows_of(claimed.run_id)
    assert (row.state, row.summary, row.failure, row.failure_detail) == ("failed", None, "timeout", "It went wrong.")


@pytest.mark.parametrize("usage", [Usage(), Usage(100, None), Usage(None, 100)])
def test_unknown_tokens_and_cost_are_unknown_and_never_nothing(usage: Usage) -> None:
    claimed = claimed_run()
    store(claimed, rows_of(claimed.run_id)[0], RowResult(summary="A summary.", failure=None, usage=usage))
    [row] = rows_of(claimed.run_id)
    assert (row.input_tokens, row.output_tokens, row.cost) == (usage.input_tokens, usage.output_tokens, None)


@override_settings(LLM_PRICES={})
def test_a_model_without_a_price_has_an_unknown_cost() -> None:
    claimed = claimed_run()
    known = RowResult(summary="A summary.", failure=None, usage=Usage(1, 1, 0))
    store(claimed, rows_of(claimed.run_id)[0], known)
    assert rows_of(claimed.run_id)[0].cost is None


def test_a_run_without_pending_rows_is_completed() -> None:
    claimed = claimed_run("One.", "Two.")
    store(claimed, rows_of(claimed.run_id)[0], failed())
    store(claimed, rows_of(claimed.run_id)[1], summarised())
    assert lease.end(claimed) is RunState.COMPLETED
    run = stored_run(claimed.run_id)
    assert (run.state, run.owner, run.lease_until) == (RunState.COMPLETED, "", None)
    assert run.finished_at is not None


def test_a_run_with_pending_rows_is_interrupted_and_not_finished() -> None:
    claimed = claimed_run("One.", "Two.")
    store(claimed, rows_of(claimed.run_id)[0], summarised())
    assert lease.end(claimed) is RunState.INTERRUPTED
    run = stored_run(claimed.run_id)
    assert (run.state, run.owner, run.lease_until, run.finished_at) == (RunState.INTERRUPTED, "", None, None)
    assert states_of(claimed.run_id) == ["summarised", "pending"]


def test_a_worker_learns_of_a_cancellation_with_the_row_it_stores() -> None:
    claimed = claimed_run("One.", "Two.")
    assert store(claimed, rows_of(claimed.run_id)[0], summarised()) is False
    cancel(claimed.run_id)
    assert store(claimed, rows_of(claimed.run_id)[1], summarised()) is True


def test_a_run_whose_last_row_ended_before_the_cancellation_is_completed() -> None:
    claimed = claimed_run("One.")
    cancel(claimed.run_id)
    store(claimed, rows_of(claimed.run_id)[0], summarised())
    assert lease.end(claimed) is RunState.COMPLETED
