"""Queueing failed rows once more, and taking that back: the words before and after, for every page that offers it."""

from collections.abc import Sequence

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from summarizer.admin import wording
from summarizer.admin.acting import DeskAdmin, Facts, configured, tell
from summarizer.costing import most_cost
from summarizer.models import Outcome, OutcomeQuerySet, Run, Trigger
from summarizer.runs.queue import Origin, Requeued, requeue
from summarizer.runs.withdrawing import withdraw_next_attempts

MOST_AT_ONCE = 10_000
"""Rows that one press queues again; whoever wants more presses once more."""


def requeue_facts(request: HttpRequest, rows: OutcomeQuerySet) -> Facts | None:
    """What a re-queue of these rows comes to; None, and a message, where there is nothing to do or no model."""
    config = configured(request)
    if config is None:
        return None
    selected = rows.order_by().count()
    texts = list(rows.requeueable().order_by("pk").values_list("text", flat=True)[:MOST_AT_ONCE])
    if not texts:
        said = _("None of these rows can be queued again: they did not fail, or have a next attempt already.")
        messages.warning(request, said)
        return None
    return [
        (_("Rows that will be queued"), wording.number(len(texts))),
        (_("Rows that will be skipped"), _skipped(selected - len(texts))),
        (_("Model"), f"{config.model} ({config.provider})"),
        (_("The most it can cost"), wording.at_most(most_cost(texts, config.model))),
    ]


def _skipped(count: int) -> str:
    if not count:
        return "0"
    return _("%(count)s: they did not fail, or have a next attempt already") % {"count": wording.number(count)}


def requeue_rows(admin: DeskAdmin, request: HttpRequest, rows: OutcomeQuerySet) -> Requeued | None:
    """Queue the failed ones of these rows for the next run, say so, and log it; None where no model is configured."""
    config = configured(request)
    if config is None:
        return None
    selected = rows.order_by().count()
    failed = rows.requeueable().defer("exchange").order_by("pk")[:MOST_AT_ONCE]
    done = requeue(failed, Origin(Trigger.REQUEUE, request.user), config)
    for run in done.runs:
        admin.log(request, run, f"Queued failed rows again as run {run.pk}.")
    if done.rows:
        messages.success(request, _queued_again(done))
    if skipped := selected - done.rows:
        tell(request, messages.WARNING, [_("Skipped: %(count)s.") % {"count": _skipped(skipped)}])
    return done


def _queued_again(done: Requeued) -> str:
    text = _("%(rows)s queued again for the next run:") % {"rows": wording.rows(done.rows)}
    return format_html("{} {}", text, links_to(done.runs))


def links_to(runs: Sequence[Run], shown: int = 5) -> str:
    """The first runs as links, and how many more there are."""
    links = [link_to(run.pk) for run in runs[:shown]]
    if (more := len(runs) - shown) > 0:
        links.append(format_html("{}", _("and %(runs)s more") % {"runs": wording.runs(more)}))
    return format_html_join(", ", "{}", ((link,) for link in links))


def link_to(run_id: int) -> SafeString:
    url = reverse("admin:summarizer_run_change", args=(run_id,))
    return format_html('<a class="desk-link" href="{}">{}</a>', url, _("run %(id)s") % {"id": run_id})


def withdraw(admin: DeskAdmin, request: HttpRequest, rows: QuerySet[Outcome]) -> None:
    """Take back the queued next attempts of these rows, say so, and log it."""
    chosen = list(rows.order_by("pk").only("pk", "row_id", "run_id")[:MOST_AT_ONCE])
    withdrawn = withdraw_next_attempts([row.pk for row in chosen])
    if withdrawn:
        admin.log(request, chosen[0], f"Withdrew the queued next attempts of {withdrawn} rows.")
        said = _("Taken back: %(rows)s. What was taken back can be queued again.")
        messages.success(request, said % {"rows": wording.rows(withdrawn)})
    if left := len(chosen) - withdrawn:
        said = _("Left alone: %(rows)s without a queued next attempt.")
        messages.warning(request, said % {"rows": wording.rows(left)})
