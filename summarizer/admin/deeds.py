"""What the desk writes into Django's log, and where it says that rows came from: English sentences that
`backoffice.audit.deeds` tells in the reader's language."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Q
from django.utils.translation import gettext_noop as _

from backoffice.audit.deeds import know
from summarizer.drafts import PASTED
from summarizer.models import Outcome, OutcomeState, Run
from summarizer.reviews import REVIEWED
from summarizer.runs.cancelling import CANCELLED

STARTED = _("Started the run.")
TAKEN_UP = _("Took the stalled run up again.")
GIVEN_UP = _("Gave the import up.")
QUEUED = _("Queued %(rows)s as %(runs)s.")
QUEUED_FROM = _("Queued from %(name)s.")
QUEUED_FROM_PASTED = _("Queued from pasted text.")
QUEUED_ROWS = _("Queued rows again as run %(run)s.")
ROW_QUEUED = _("Queued again as run %(run)s.")
ROWS_QUEUED = _("Queued again as run %(run)s, by row number: %(numbers)s.")
QUEUED_AGAIN = _("Queued again as run %(run)s: %(reason)s")
QUEUED_AFTER_REVIEW = _("Queued row %(row)s of run %(of)s again after its review: %(reason)s")
ACCEPTED = _("Accepted the summary: %(reason)s")
TAKEN_BACK = _("Took this attempt back.")
NEXT_TAKEN_BACK = _("Took the next attempt in run %(run)s back.")
ROWS_TAKEN_BACK = _("Took back, by row number: %(numbers)s.")

FROM_RUN = _("rows of run %(run)s")
FROM_RUNS = _("rows of %(runs)s")

know(
    STARTED, TAKEN_UP, CANCELLED, GIVEN_UP, QUEUED, QUEUED_FROM_PASTED, QUEUED_FROM, QUEUED_ROWS, ROW_QUEUED,
    ROWS_QUEUED, QUEUED_AGAIN, QUEUED_AFTER_REVIEW, ACCEPTED, TAKEN_BACK, NEXT_TAKEN_BACK, ROWS_TAKEN_BACK, FROM_RUN,
    FROM_RUNS, REVIEWED, PASTED, _("pasted text"), _("review of row %(row)s of run %(run)s"),
    _("Row %(row)s of run %(run)s"), _("Run %(id)s"),
    # As former versions had it.
    _("Withdrew the queued next attempts of %(rows)s."), _("Queued failed rows again as run %(run)s."),
)  # fmt: skip


def queued_from(name: str) -> str:
    """On a run: the import it was made of."""
    return QUEUED_FROM_PASTED if name == PASTED else QUEUED_FROM % {"name": name}


def english(count: int, noun: str) -> str:
    """`1 row`, `2 rows`: as the log keeps it."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


@dataclass(frozen=True, slots=True)
class Withdrawal:
    who: str
    when: datetime


def withdrawals(attempts: Iterable[Outcome]) -> dict[int, Withdrawal]:
    """Who withdrew which of these attempts, and when: alone, or with its whole run."""
    withdrawn = [attempt for attempt in attempts if attempt.state == OutcomeState.WITHDRAWN]
    if not withdrawn:
        return {}
    alone = _entries(Outcome, TAKEN_BACK, {attempt.pk for attempt in withdrawn})
    with_run = _entries(Run, CANCELLED, {attempt.run_id for attempt in withdrawn})
    found = {attempt.pk: alone.get(attempt.pk) or with_run.get(attempt.run_id) for attempt in withdrawn}
    return {pk: withdrawal for pk, withdrawal in found.items() if withdrawal is not None}


def _entries(model: type[Run] | type[Outcome], deed: str, keys: set[int]) -> dict[int, Withdrawal]:
    about = Q(content_type=ContentType.objects.get_for_model(model), object_id__in=[str(key) for key in keys])
    entries = LogEntry.objects.filter(about, change_message=deed).select_related("user").order_by("-pk")
    return {int(entry.object_id or 0): Withdrawal(entry.user.get_username(), entry.action_time) for entry in entries}
