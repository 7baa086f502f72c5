"""Cancelling a run on somebody's word, by whichever door it came: that they did stands in Django's log."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext_noop as _

from backoffice.audit.deeds import record
from summarizer.models import Run
from summarizer.runs.queue import cancel

CANCELLED = _("Cancelled the run.")


def cancel_for(user: User, run_id: int) -> bool:
    """As `cancel` has it. What changed nothing is no deed."""
    with transaction.atomic():
        is_cancelled = cancel(run_id)
        if is_cancelled:
            record(user, CANCELLED, Run.objects.get(pk=run_id))
    return is_cancelled
