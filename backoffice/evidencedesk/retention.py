"""How long answers are kept."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import QuerySet

from backoffice.audit.models import WrittenOnceQuerySet
from backoffice.audit.retention import Exchanges, Retained, register
from backoffice.evidencedesk.models import Answer


def expired_answers(before: datetime) -> QuerySet[Answer]:
    return Answer.objects.filter(finished_at__lt=before)


def _exchanges_of(answers: Sequence[int]) -> QuerySet[Answer]:
    return Answer.objects.filter(pk__in=answers)


register(
    Retained(
        system="evidencedesk",
        what="answers",
        expired=expired_answers,
        delete=WrittenOnceQuerySet.purge,
        exchanges=Exchanges(of=_exchanges_of),
    )
)
