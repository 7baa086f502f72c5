"""What the holder of a run's lease may do, and nobody else: every write names the owner.

A worker that lost its lease writes nothing: its update finds no row, LeaseLost is raised, and it leaves.
"""

from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from backoffice.llm.client import price_of
from backoffice.llm.record import milliseconds
from backoffice.llm.usage import cost
from summarizer.models import Outcome, OutcomeState, Run, RunQuerySet, RunState
from summarizer.rows import RowResult
from summarizer.runs.queue import Claim, lease_end


class LeaseLost(Exception):
    """Somebody else owns the run now, or it has ended."""


def _held(claim: Claim) -> RunQuerySet:
    return Run.objects.filter(pk=claim.run_id, owner=claim.owner, state=RunState.RUNNING)


def renew(claim: Claim) -> None:
    """Raises LeaseLost."""
    if not _held(claim).update(lease_until=lease_end(timezone.now())):
        raise LeaseLost


def work_of(claim: Claim) -> tuple[Run, list[Outcome]]:
    """The run and its rows that have not ended, in request order."""
    run = _held(claim).first()
    if run is None:
        raise LeaseLost
    return run, list(run.outcomes.pending().order_by("position"))


def store(claim: Claim, outcome_id: int, result: RowResult, model: str, started_at: datetime) -> bool:
    """End one row, and renew the lease with it. True where the run's cancellation was asked for. Raises LeaseLost.

    The run is updated first: its row lock keeps a claim from coming in between.
    """
    columns = outcome_columns(result, model, started_at)
    with transaction.atomic():
        renew(claim)
        row = Outcome.objects.filter(pk=outcome_id, run_id=claim.run_id)
        if not row.update(**columns) and not row.filter(started_at=started_at).exists():
            raise LeaseLost  # stored at this very start, it is ours: the connection broke after the commit
        return _held(claim).exclude(cancel_requested_at=None).exists()


def outcome_columns(result: RowResult, model: str, started_at: datetime) -> dict[str, Any]:
    """A row's result as the columns of its outcome."""
    failure = result.failure
    usage = result.usage
    return {
        "state": OutcomeState.SUMMARISED if failure is None else OutcomeState.FAILED,
        "summary": result.summary if failure is None else None,
        "failure": failure.code.value if failure else "",
        "failure_detail": failure.detail if failure else "",
        "warnings": list(result.warnings),
        "warned": bool(result.warnings),
        "stop_reason": result.stop_reason,
        "answered_by": result.answered_by,
        "exchange": list(result.exchange),
        "input_tokens": usage.input_tokens,
        "cached_tokens": usage.cached_tokens,
        "output_tokens": usage.output_tokens,
        "cost": cost_of(result, model),
        "started_at": started_at,
        "finished_at": timezone.now(),
        "duration_ms": milliseconds(result.duration),
        "first_text_ms": milliseconds(result.first_text),
    }


def cost_of(result: RowResult, model: str) -> Decimal | None:
    """USD, None where unknown."""
    return cost(result.usage, price_of(model))


def end(claim: Claim) -> RunState:
    """Close a run that is not worked on any further: `completed` where no row is pending, else `cancelled` where that
    was asked for, else `interrupted`. Raises LeaseLost."""
    now = timezone.now()
    with transaction.atomic():
        renew(claim)
        run = Run.objects.get(pk=claim.run_id)
        state = _end_state(run)
        if state is RunState.CANCELLED:
            run.outcomes.update(state=OutcomeState.WITHDRAWN)
        finished_at = None if state is RunState.INTERRUPTED else now
        _held(claim).update(state=state, owner="", lease_until=None, finished_at=finished_at)
    return state


def _end_state(run: Run) -> RunState:
    if not run.outcomes.pending().exists():
        return RunState.COMPLETED
    return RunState.CANCELLED if run.cancel_requested_at else RunState.INTERRUPTED
