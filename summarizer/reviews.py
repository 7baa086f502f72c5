"""A person looks at a summary with warnings and decides: it may stand, or the row is asked once more.

The decision and its reason are kept for good; two people who decide at the same time decide once.
"""

from django.contrib.auth.models import User
from django.db import transaction

from backoffice.llm.client import ModelConfig
from summarizer.models import Decision, Outcome, Review, Run, Trigger
from summarizer.runs.queue import Origin, requeue

REVIEWED = "review of row %(row)s of run %(run)s"


class AlreadyDecided(Exception):
    """Somebody accepted the row, or had it asked again, meanwhile; or it has no warning at all."""


def accept(outcome_id: int, user: User, reason: str) -> Review:
    """Raises AlreadyDecided."""
    with transaction.atomic():
        row = _locked(outcome_id)
        return Review.objects.create(outcome=row, decision=Decision.ACCEPTED, reason=reason, created_by=user)


def ask_again(outcome_id: int, user: User, reason: str, config: ModelConfig) -> Run:
    """Queue a next attempt at the row; its run. Raises AlreadyDecided."""
    with transaction.atomic():
        row = _locked(outcome_id)
        Review.objects.create(outcome=row, decision=Decision.REQUEUED, reason=reason, created_by=user)
        origin = Origin(Trigger.REQUEUE, user, REVIEWED % {"row": row.row_id, "run": row.run_id})
        [run] = requeue([row], origin, config).runs
    return run


def _locked(outcome_id: int) -> Outcome:
    """The row, if it is still to be reviewed; nobody else decides about it until the transaction ends."""
    row = Outcome.objects.select_for_update().filter(pk=outcome_id).first()
    if row is None or not Outcome.objects.to_review().filter(pk=outcome_id).exists():
        raise AlreadyDecided
    return row
