"""Taking a re-queue back while nobody has begun with it: the next attempt becomes `withdrawn`, and its row can be
queued again."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from summarizer.models import Outcome, OutcomeState, Run, RunState


def withdraw_next_attempts(outcome_ids: Iterable[int]) -> list[Outcome]:
    """Withdraw the queued next attempts of these rows; the attempts that were withdrawn.

    Rows without a next attempt, and rows whose next attempt is worked on or has ended, are left as they are.
    """
    waiting = Outcome.objects.pending().filter(
        requeued_from__in=list(outcome_ids), run__state=RunState.QUEUED, attempt__gt=1
    )
    by_run: dict[int, list[Outcome]] = {}
    for attempt in waiting.order_by("position").only("row_id", "run_id", "requeued_from_id"):
        by_run.setdefault(attempt.run_id, []).append(attempt)
    return [attempt for run_id, attempts in sorted(by_run.items()) for attempt in _withdraw(run_id, attempts)]


def _withdraw(run_id: int, attempts: list[Outcome]) -> list[Outcome]:
    """The run is updated first: its row lock keeps a worker from claiming it in between. A run of which no row is left
    is cancelled."""
    queued = Run.objects.filter(pk=run_id, state=RunState.QUEUED)
    with transaction.atomic():
        if not queued.update(start_requested_at=F("start_requested_at")):
            return []
        mine = Outcome.objects.pending().filter(pk__in=[attempt.pk for attempt in attempts])
        withdrawn = set(mine.values_list("pk", flat=True))
        mine.update(state=OutcomeState.WITHDRAWN)
        if not Outcome.objects.pending().filter(run_id=run_id).exists():
            now = timezone.now()
            queued.update(state=RunState.CANCELLED, finished_at=now, cancel_requested_at=now)
    return [attempt for attempt in attempts if attempt.pk in withdrawn]
