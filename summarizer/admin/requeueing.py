"""Queueing failed rows once more, and taking that back: the words before and after, for every page that offers it."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter

from django.contrib import messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from backoffice.llm.failures import UNMENDABLE
from summarizer.admin import deeds, wording
from summarizer.admin.acting import DeskAdmin, Facts, configured
from summarizer.costing import most_cost
from summarizer.models import Outcome, OutcomeQuerySet, OutcomeState, Run, Trigger
from summarizer.runs.queue import Origin, Requeued, requeue
from summarizer.runs.withdrawing import withdraw_next_attempts

SHOWN_RUNS = 5
MOST_AT_ONCE = 10_000
"""Rows that one press queues again; whoever wants more presses once more."""


def wants_another(row: Outcome) -> bool:
    return row.state == OutcomeState.FAILED or row.was_never_begun


def requeue_facts(request: HttpRequest, rows: OutcomeQuerySet) -> Facts | None:
    """What a re-queue of these rows comes to; None, and a message, where there is nothing to do or no model."""
    config = configured(request)
    if config is None:
        return None
    selected = rows.order_by().count()
    texts = list(rows.wanting().order_by("pk").values_list("text", flat=True)[:MOST_AT_ONCE])
    if not texts:
        said = _("None of these rows can be queued again: they %(why)s.")
        messages.warning(request, said % {"why": _why_not()})
        return None
    facts = [
        (_("Rows that will be queued"), wording.number(len(texts))),
        (_("Rows that will be skipped"), _skipped(selected - len(texts))),
    ]
    if refused := rows.requeueable(UNMENDABLE).order_by().count():
        said = _("%(rows)s: asking again will not help, look at the note first")
        facts.append((_("Of these, refused by the provider"), said % {"rows": wording.rows(refused)}))
    return [
        *facts,
        (_("Model"), f"{config.model} ({config.provider})"),
        (_("The most it can cost"), wording.at_most(most_cost(texts, config.model))),
    ]


def _skipped(count: int) -> str:
    if not count:
        return "0"
    return _("%(count)s (they %(why)s)") % {"count": wording.number(count), "why": _why_not()}


def _why_not() -> str:
    return _("did not fail, have a next attempt already, or are next attempts that were taken back")


def requeue_rows(admin: DeskAdmin, request: HttpRequest, rows: OutcomeQuerySet) -> Requeued | None:
    """Queue those of these rows that want another attempt for the next run, say so, and log it; None where no model is
    configured."""
    config = configured(request)
    if config is None:
        return None
    selected = rows.order_by().count()
    wanting = list(rows.wanting().defer("exchange").order_by("pk")[:MOST_AT_ONCE])
    done = requeue(wanting, Origin(Trigger.REQUEUE, request.user, _source(wanting)), config)
    admin.log_each(request, _deeds_of(wanting, done.runs))
    if done.rows:
        messages.success(request, _queued_again(done))
    if skipped := selected - done.rows:
        said = _("Skipped: %(rows)s (they %(why)s).")
        messages.warning(request, said % {"rows": wording.rows(skipped), "why": _why_not()})
    return done


def _deeds_of(rows: Sequence[Outcome], runs: Sequence[Run]) -> Iterator[tuple[str, Model]]:
    """On each new run that it was queued, on each row in which run it is asked again, and on each row's run which
    rows are."""
    by_key = {row.pk: row for row in rows}
    following = Outcome.objects.filter(run__in=[run.pk for run in runs]).order_by("run_id", "position")
    for run_id, group in groupby(following.values_list("run_id", "requeued_from_id"), key=itemgetter(0)):
        mine = [by_key[key] for _run, key in group if key in by_key]
        yield deeds.QUEUED_ROWS % {"run": run_id}, Run(pk=run_id)
        yield from ((deeds.ROW_QUEUED % {"run": run_id}, row) for row in mine)
        for before, its in groupby(sorted(mine, key=attrgetter("run_id")), key=attrgetter("run_id")):
            numbers = ", ".join(str(row.row_id) for row in its)
            yield deeds.ROWS_QUEUED % {"run": run_id, "numbers": numbers}, Run(pk=before)


def _source(rows: Sequence[Outcome]) -> str:
    """Where a re-queue's rows came from, as a run keeps it."""
    runs = sorted({row.run_id for row in rows})
    if len(runs) == 1:
        return deeds.FROM_RUN % {"run": runs[0]}
    return deeds.FROM_RUNS % {"runs": deeds.english(len(runs), "run")}


def _queued_again(done: Requeued) -> str:
    text = _("%(rows)s queued again in") % {"rows": wording.rows(done.rows)}
    return format_html("{} {}.", text, links_to(done.runs))


def links_to(runs: Sequence[Run]) -> str:
    """The first runs as links, and how many more there are."""
    links = [link_to(run.pk) for run in runs[:SHOWN_RUNS]]
    if (more := len(runs) - SHOWN_RUNS) > 0:
        links.append(format_html("{}", _("and %(runs)s more") % {"runs": wording.runs(more)}))
    return format_html_join(", ", "{}", ((link,) for link in links))


def next_runs(rows: Sequence[Outcome]) -> list[Run]:
    """The runs in which these rows have a next attempt that was not withdrawn."""
    following = Outcome.objects.filter(requeued_from__in=[row.pk for row in rows]).exclude(state=OutcomeState.WITHDRAWN)
    return [Run(pk=run_id) for run_id in following.order_by("run_id").values_list("run_id", flat=True).distinct()]


def link_to(run_id: int) -> SafeString:
    url = reverse("admin:summarizer_run_change", args=(run_id,))
    return format_html('<a class="desk-link" href="{}">{}</a>', url, _("run %(id)s") % {"id": run_id})


def withdraw(admin: DeskAdmin, request: HttpRequest, rows: QuerySet[Outcome]) -> None:
    """Take back the queued next attempts of these rows, say so, and log it."""
    chosen = list(rows.order_by("pk").only("pk", "row_id", "run_id")[:MOST_AT_ONCE])
    withdrawn = withdraw_next_attempts([row.pk for row in chosen])
    if withdrawn:
        _log_withdrawn(admin, request, chosen, withdrawn)
        said = _("Taken back: %(rows)s. What was taken back can be queued again.")
        messages.success(request, said % {"rows": wording.rows(len(withdrawn))})
    if left := len(chosen) - len(withdrawn):
        said = _("Left alone: %(rows)s without a queued next attempt.")
        messages.warning(request, said % {"rows": wording.rows(left)})


def _log_withdrawn(
    admin: DeskAdmin, request: HttpRequest, rows: Sequence[Outcome], attempts: Sequence[Outcome]
) -> None:
    """On each run what it lost, on each attempt that it was taken back, and on each row that its next attempt was."""
    by_key = {row.pk: row for row in rows}
    admin.log(request, deeds.TAKEN_BACK, *attempts)
    for run_id, group in groupby(attempts, key=lambda attempt: attempt.run_id):
        mine = list(group)
        numbers = ", ".join(str(attempt.row_id) for attempt in mine)
        admin.log(request, deeds.ROWS_TAKEN_BACK % {"numbers": numbers}, Run(pk=run_id))
        before = [by_key[attempt.requeued_from_id] for attempt in mine if attempt.requeued_from_id in by_key]
        admin.log(request, deeds.NEXT_TAKEN_BACK % {"run": run_id}, *before)
