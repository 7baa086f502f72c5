"""The page of one run, which is watched while it runs, and the buttons on it."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from summarizer.admin import wording
from summarizer.admin.acting import DeskAdmin, is_confirmed, person
from summarizer.admin.requeueing import links_to, next_runs, requeue_facts, requeue_rows
from summarizer.admin.starting import WORKER_COMMAND, start_facts, start_runs
from summarizer.models import Outcome, OutcomeState, Run, RunState
from summarizer.runs.cancelling import cancel_for
from summarizer.runs.queue import settle_cancelled
from summarizer.runs.starting import ASK_AGAIN_AFTER
from summarizer.runs.statistics import Tally, tallies

UNPICKED_SECONDS = 5
"""A worker looks for work every second or so; beyond this, nobody seems to look."""


class RunPages(DeskAdmin):
    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        run: Run = self.seen(request, object_id)
        return self.page(request, "run.html", _("Run %(id)s") % {"id": run.pk}, **self._state(request, run))

    def live_view(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """The part of the page that changes while the run goes on."""
        run: Run = self.seen(request, object_id)
        context = self._state(request, run) | {"opts": self.opts}
        response = TemplateResponse(request, "summarizer/admin/run_live.html", context)
        response.headers["Cache-Control"] = "no-store"
        return response

    def _state(self, request: HttpRequest, run: Run) -> dict[str, Any]:
        if run.is_stalled:
            settle_cancelled(Run.objects.filter(pk=run.pk))
            run.refresh_from_db()
        rows = list(run.outcomes.defer("exchange").order_by("position"))
        tally = tallies([run.pk])[run.pk]
        colour, state = wording.run_state(run)
        may = self.has_operate_permission(request)
        wanting = list(Outcome.objects.filter(run=run).wanting().order_by().values_list("state", flat=True))
        again = next_runs(rows) if run.is_finished else []
        return {
            "run": run,
            "rows": [_row(row) for row in rows],
            "tally": tally,
            "state": state,
            "colour": wording.RUN_COLOURS[colour],
            "facts": _facts(run, tally),
            "unpicked": _unpicked(run),
            "waits_for": _waits_for(run),
            "worker_command": WORKER_COMMAND,
            "is_handed_over": not run.is_finished and run.start_requested_at is not None,
            "is_live": not run.is_finished,
            "can_start": may and run.is_claimable and not was_just_started(run),
            "can_cancel": may and not run.is_finished and run.cancel_requested_at is None,
            "can_requeue": may and run.is_finished and bool(wanting),
            "never_begun": OutcomeState.WITHDRAWN in wanting,
            "queued_again": links_to(again),
        }

    def start_view(self, request: HttpRequest, object_id: int) -> HttpResponse:
        run: Run = self.operated(request, object_id)
        if is_confirmed(request):
            start_runs(self, request, [run])
            return HttpResponseRedirect(_url(run))
        facts = start_facts(request, [run])
        if facts is None:
            return HttpResponseRedirect(_url(run))
        title = _("Take run %(id)s up again?") if run.is_stalled else _("Run %(id)s now?")
        return self.confirmation(request, title % {"id": run.pk}, facts, _("Run now"), back=_url(run))

    def cancel_view(self, request: HttpRequest, object_id: int) -> HttpResponse:
        run: Run = self.operated(request, object_id)
        if is_confirmed(request):
            self._cancel(request, run)
            return HttpResponseRedirect(_url(run))
        tally = tallies([run.pk])[run.pk]
        facts = [
            (_("Rows that are done and stay"), wording.number(tally.done)),
            (_("Rows that will be withdrawn"), wording.number(tally.pending)),
        ]
        note = _("A run that is being worked on stops after its current row. Withdrawn rows can be queued again later.")
        title = _("Cancel run %(id)s?") % {"id": run.pk}
        return self.confirmation(request, title, facts, _("Cancel the run"), note=note, danger=True, back=_url(run))

    def _cancel(self, request: HttpRequest, run: Run) -> None:
        if not cancel_for(person(request), run.pk):
            messages.warning(request, _("Run %(id)s had ended, or was being cancelled already.") % {"id": run.pk})
            return
        if Run.objects.filter(pk=run.pk, state=RunState.CANCELLED).exists():
            messages.success(request, _("Run %(id)s is cancelled.") % {"id": run.pk})
        else:
            messages.success(request, _("Run %(id)s ends after its current row.") % {"id": run.pk})

    def requeue_view(self, request: HttpRequest, object_id: int) -> HttpResponse:
        run: Run = self.operated(request, object_id)
        rows = Outcome.objects.filter(run=run, state__in=(OutcomeState.FAILED, OutcomeState.WITHDRAWN))
        if is_confirmed(request):
            done = requeue_rows(self, request, rows)
            only = done.runs[0] if done is not None and len(done.runs) == 1 else run
            return HttpResponseRedirect(_url(only))
        facts = requeue_facts(request, rows)
        if facts is None:
            return HttpResponseRedirect(_url(run))
        title = _("Queue rows of run %(id)s again?") % {"id": run.pk}
        return self.confirmation(request, title, facts, _("Queue again"), back=_url(run))


def _url(run: Run) -> str:
    return reverse("admin:summarizer_run_change", args=(run.pk,))


def _row(row: Outcome) -> dict[str, Any]:
    return {
        "row": row,
        "state": OutcomeState(row.state).label,
        "colour": wording.OUTCOME_COLOURS[row.state],
        "happened": wording.what_happened(row.failure),
        "to_do": wording.what_to_do(row.failure),
        "warnings": [wording.WARNINGS[code][0] for code in row.warnings if code in wording.WARNINGS],
        "cost": wording.money(row.cost) if row.finished_at else "",
    }


def _facts(run: Run, tally: Tally) -> list[tuple[str, str]]:
    until = run.finished_at or timezone.now()
    return [
        (_("Who"), wording.who(run)),
        (_("Where from"), wording.source(run)),
        (_("Model"), f"{run.model} ({run.provider})"),
        (_("Prompt"), run.prompt_version),
        (_("Queued"), wording.moment(run.created_at)),
        (_("Begun"), wording.moment(run.started_at)),
        (_("Ended"), wording.moment(run.finished_at)),
        (_("Time"), wording.duration((until - run.started_at).total_seconds()) if run.started_at else "–"),
        *_spent(tally),
    ]


def _spent(tally: Tally) -> list[tuple[str, str]]:
    titles = (_("Tokens in"), _("Tokens out"), _("Cost"))
    if not tally.ended:
        return [(title, "–") for title in titles]
    values = (
        wording.tokens(tally.known_input_tokens, tally.rows_of_unknown_tokens),
        wording.tokens(tally.known_output_tokens, tally.rows_of_unknown_tokens),
        wording.spent(tally.known_cost, tally.rows_of_unknown_cost),
    )
    return list(zip(titles, values, strict=True))


def _unpicked(run: Run) -> str:
    """For how long nobody has taken up a run that was started; empty where that is no news."""
    if run.start_requested_at is None or run.is_finished:
        return ""
    seconds = (timezone.now() - run.start_requested_at).total_seconds()
    return wording.duration(seconds) if seconds >= UNPICKED_SECONDS else ""


def _waits_for(run: Run) -> int | None:
    """The run that is worked on while this one, which was started, waits."""
    if run.start_requested_at is None or run.is_finished:
        return None
    held = Run.objects.held(timezone.now()).exclude(pk=run.pk)
    return held.order_by("pk").values_list("pk", flat=True).first()


def was_just_started(run: Run) -> bool:
    """Whether pressing once more would do nothing."""
    return run.start_requested_at is not None and run.start_requested_at >= timezone.now() - ASK_AGAIN_AFTER
