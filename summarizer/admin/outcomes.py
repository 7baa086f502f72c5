"""All rows, and the page of one: what was asked, what came of it, and every attempt there was."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _

from backoffice.audit.admin import pretty_json
from summarizer.admin import wording
from summarizer.admin.acting import is_confirmed
from summarizer.admin.deeds import Withdrawal, withdrawals
from summarizer.admin.filters import AttemptFilter, FailureFilter, ModelFilter, PeriodFilter, RowStateFilter, WhoFilter
from summarizer.admin.marking import amounts, marked_note, marked_summary, refusal_of
from summarizer.admin.requeueing import requeue_facts, requeue_rows, wants_another, withdraw
from summarizer.admin.rows import RowsAdmin
from summarizer.models import Outcome, OutcomeState, Review, Run, RunState
from summarizer.runs.history import attempts_at, same_elsewhere

SHOWN_ELSEWHERE = 20


@dataclass(frozen=True, slots=True)
class Attempt:
    """A line of a row's history."""

    outcome: Outcome
    number: str
    who: str
    state: str
    colour: str
    cost: str
    reviews: list[Review]
    happened: str
    withdrawal: Withdrawal | None


@admin.register(Outcome)
class OutcomeAdmin(RowsAdmin):
    list_display = ("row", "in_run", "state_label", "note", "said", "went_wrong", "attempt_number", "who", "ended")
    list_filter = (PeriodFilter, RowStateFilter, FailureFilter, WhoFilter, ModelFilter, AttemptFilter)
    ordering = ("-run_id", "-position")  # as "-pk", and as the index has it that the period is found by

    def limit_to_period(self, rows: QuerySet[Any], since: datetime | None, until: datetime | None) -> QuerySet[Any]:
        """By when the row was queued: a pending row has not ended. Runs are numbered in the order of their queueing."""
        if since is not None:
            rows = rows.filter(run__gte=_first_run_from(since))
        return rows if until is None else rows.filter(run__lt=_first_run_from(until))

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path("<int:object_id>/requeue", view(self.requeue_view), name="summarizer_outcome_requeue"),
            path("<int:object_id>/take-back", view(self.take_back_view), name="summarizer_outcome_take_back"),
            *super().get_urls(),
        ]

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        row: Outcome = self.seen(request, object_id)
        attempts = attempts_at(row)
        following = [attempt for attempt in attempts if attempt.requeued_from_id == row.pk]
        standing = [attempt for attempt in following if attempt.state != OutcomeState.WITHDRAWN]
        operates = self.has_operate_permission(request)
        return self.page(
            request,
            "row.html",
            _("Row %(row)s of run %(run)s") % {"row": row.row_id, "run": row.run_id},
            row=row,
            run=row.run,
            state=OutcomeState(row.state).label,
            attempt=wording.attempt(row),
            colour=wording.OUTCOME_COLOURS[row.state],
            note=marked_note(row),
            summary=marked_summary(row),
            warnings=[wording.WARNINGS[code] for code in row.warnings if code in wording.WARNINGS],
            amounts=amounts(row),
            happened=wording.what_happened(row.failure),
            to_do=wording.what_to_do(row.failure),
            cost=wording.money(row.cost) if row.finished_at else "–",
            ended=wording.moment(row.finished_at),
            attempts=_told(attempts),
            elsewhere=_told(_elsewhere(request, row, attempts)),
            tokens_in=wording.tokens_of(row, row.input_tokens),
            tokens_out=wording.tokens_of(row, row.output_tokens),
            stopped=wording.stop_reason(row.stop_reason),
            refusal=refusal_of(row),
            exchange=pretty_json(row.exchange),
            can_requeue=operates and wants_another(row) and not standing,
            can_take_back=operates and any(_is_queued(attempt) for attempt in standing),
            can_review=request.user.has_perm("summarizer.view_review") and not standing and _is_undecided(row),
        )

    def requeue_view(self, request: HttpRequest, object_id: int) -> HttpResponse:
        row: Outcome = self.operated(request, object_id)
        rows, back = Outcome.objects.filter(pk=row.pk), _url(row)
        if is_confirmed(request):
            requeue_rows(self, request, rows)
            return HttpResponseRedirect(back)
        facts = requeue_facts(request, rows)
        if facts is None:
            return HttpResponseRedirect(back)
        return self.confirmation(request, _("Queue this row again?"), facts, _("Queue again"), back=back)

    def take_back_view(self, request: HttpRequest, object_id: int) -> HttpResponse:
        row: Outcome = self.operated(request, object_id)
        if is_confirmed(request):
            withdraw(self, request, Outcome.objects.filter(pk=row.pk))
            return HttpResponseRedirect(_url(row))
        facts = [(_("Row"), str(row.row_id)), (_("What went wrong"), wording.what_happened(row.failure))]
        note = _("Its queued next attempt is withdrawn. The row can be queued again later.")
        return self.confirmation(
            request, _("Take the re-queue back?"), facts, _("Take back"), note=note, back=_url(row)
        )


def _elsewhere(request: HttpRequest, row: Outcome, attempts: list[Outcome]) -> list[Outcome]:
    rows = same_elsewhere(row, attempts).visible_to(request.user).defer("exchange", "run__prompt")
    return list(rows.select_related("run__created_by").prefetch_related("reviews__created_by")[:SHOWN_ELSEWHERE])


def _url(row: Outcome) -> str:
    return reverse("admin:summarizer_outcome_change", args=(row.pk,))


def _first_run_from(moment: datetime) -> int:
    """The first run queued then or later; a number beyond every run where there is none."""
    later = Run.objects.filter(created_at__gte=moment).order_by("created_at", "pk").values_list("pk", flat=True)
    return later.first() or 2**62


def _is_undecided(row: Outcome) -> bool:
    return row.warned and not any(review.is_final for review in row.reviews.all())


def _is_queued(attempt: Outcome) -> bool:
    return attempt.state == OutcomeState.PENDING and attempt.run.state == RunState.QUEUED


def _told(attempts: list[Outcome]) -> list[Attempt]:
    taken_back = withdrawals(attempts)
    return [_attempt(attempt, taken_back.get(attempt.pk)) for attempt in attempts]


def _attempt(outcome: Outcome, withdrawal: Withdrawal | None) -> Attempt:
    return Attempt(
        outcome,
        wording.attempt(outcome),
        wording.who(outcome.run),
        str(OutcomeState(outcome.state).label),
        wording.OUTCOME_COLOURS[outcome.state],
        wording.money(outcome.cost) if outcome.finished_at else "–",
        list(outcome.reviews.all()),
        wording.what_happened(outcome.failure),
        withdrawal,
    )
