"""Runs that an operator wants worked on now: who asks first hands them to the worker, who asks next is told so."""

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from summarizer.models import Run

ASK_AGAIN_AFTER = timedelta(seconds=60)
"""A run handed over this long ago and still not picked up may be handed over once more: its task may be lost."""


def request_start(run_ids: Sequence[int]) -> list[int]:
    """Mark these runs as handed to the worker; the ones that nobody else handed over in the last minute.

    A task too many does no harm: whoever claims a run first has it.
    """
    return [run_id for run_id in run_ids if _request(run_id)]


def _request(run_id: int) -> bool:
    now = timezone.now()
    fresh = Q(start_requested_at=None) | Q(start_requested_at__lt=now - ASK_AGAIN_AFTER)
    return bool(Run.objects.claimable(now).filter(fresh, pk=run_id).update(start_requested_at=now))
