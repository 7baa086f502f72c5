"""How long runs and imports are kept: whole runs, once they have ended."""

from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from backoffice.audit.retention import Exchanges, Retained, register
from summarizer.models import FINISHED_RUN, ImportDraft, Outcome, Run, RunQuerySet


def expired_runs(before: datetime) -> RunQuerySet:
    """A run with a next attempt of a row that stays, stays as well: without it the row would be queued once more."""
    previous_stays = ~Q(requeued_from__run__state__in=FINISHED_RUN) | Q(requeued_from__run__finished_at__gte=before)
    next_attempts = Outcome.objects.filter(previous_stays, run=OuterRef("pk"), requeued_from__isnull=False)
    return Run.objects.filter(~Exists(next_attempts), state__in=FINISHED_RUN, finished_at__lt=before)


def unfinished_runs(before: datetime) -> QuerySet[Run]:
    return Run.objects.exclude(state__in=FINISHED_RUN).filter(created_at__lt=before)


def old_drafts(before: datetime) -> QuerySet[ImportDraft]:
    return ImportDraft.objects.filter(created_at__lt=before)


register(
    Retained(
        system="summarizer",
        what="runs",
        expired=expired_runs,
        delete=RunQuerySet.purge,
        exchanges=Exchanges(
            of=lambda runs: Outcome.objects.filter(run__in=runs),
            provider="run__provider",
            model="run__model",
            ended=Coalesce("finished_at", "run__finished_at"),
        ),
        unfinished=unfinished_runs,
        batch=20,
    )
)
register(Retained("summarizer", "imports of notes", expired=old_drafts, delete=QuerySet.delete))
