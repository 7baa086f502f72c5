"""The list of runs, and what an operator does to many of them at once."""

from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.decorators import display

from backoffice.audit.admin import HistoryChangeList
from summarizer import exporting
from summarizer.admin import wording
from summarizer.admin.acting import is_confirmed
from summarizer.admin.exports import ExportedAdmin, run_columns
from summarizer.admin.filters import ModelFilter, PeriodFilter, RunStateFilter, WhoFilter, between
from summarizer.admin.requeueing import requeue_facts, requeue_rows
from summarizer.admin.run_pages import RunPages
from summarizer.admin.starting import start_facts, start_runs
from summarizer.exporting import Sheet
from summarizer.models import Outcome, OutcomeState, Run
from summarizer.runs.statistics import Tally, tallies


class RunChangeList(HistoryChangeList):
    """Counts the rows of the runs on the page, and of no other."""

    is_live = False
    """Whether a run on the page goes on, so that the page refreshes itself."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        runs = list(self.result_list)
        counted = tallies([run.pk for run in runs])
        for run in runs:
            run.tally = counted[run.pk]
        self.is_live = any(run.is_going_on for run in runs)
        self.result_list = runs


@admin.register(Run)
class RunAdmin(ExportedAdmin, RunPages):
    list_display = ("name", "state_label", "progress", "failed", "warned", "cost", "who", "queued", "ended")
    list_display_links = None
    change_list_template = "summarizer/admin/runs.html"
    list_filter = (PeriodFilter, RunStateFilter, WhoFilter, ModelFilter)
    list_filter_sheet = False
    search_fields = ("=id", "source", "created_by__username", "created_by__first_name", "created_by__last_name")
    search_help_text = gettext_lazy("Run number, file name or person")
    ordering = ("-pk",)
    sortable_by = ()
    actions = ("run_now", "requeue_failed_rows")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        runs: Any = super().get_queryset(request)
        listed: QuerySet[Any] = runs.visible_to(request.user).select_related("created_by").defer("prompt")
        return listed

    def sheet(self, rows: Any) -> Sheet:
        return exporting.runs(rows, run_columns())

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[RunChangeList]:
        return RunChangeList

    def limit_to_period(self, runs: QuerySet[Any], since: datetime | None, until: datetime | None) -> QuerySet[Any]:
        return runs.filter(between("created_at", since, until))

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        pages = (
            ("live", self.live_view),
            ("start", self.start_view),
            ("cancel", self.cancel_view),
            ("requeue", self.requeue_view),
        )
        own = [path(f"<int:object_id>/{name}", view(page), name=f"summarizer_run_{name}") for name, page in pages]
        live = path("live", view(self.live_list_view), name="summarizer_run_list_live")
        return [live, *own, *super().get_urls()]

    def live_list_view(self, request: HttpRequest) -> HttpResponse:
        """The part of the list that changes while its runs go on. It shows no messages, so it takes none away."""
        response = self.changelist_view(request)
        if isinstance(response, TemplateResponse):
            response.template_name = "summarizer/admin/runs_live.html"
        response.headers["Cache-Control"] = "no-store"
        return response

    @display(description=gettext_lazy("Run number"))
    def name(self, run: Run) -> SafeString:
        url = reverse("admin:summarizer_run_change", args=(run.pk,))
        mark = format_html(' <span class="desk-mark">{}</span>', _("scripted")) if run.is_scripted else ""
        html = '<a class="desk-link" href="{}">{}</a>{} <span class="desk-quiet">{}</span>'
        return format_html(html, url, run.pk, mark, wording.source(run))

    @display(description=gettext_lazy("State"), label=wording.RUN_COLOURS)
    def state_label(self, run: Run) -> tuple[str, str]:
        return wording.run_state(run)

    @display(description=gettext_lazy("Rows done"))
    def progress(self, run: Any) -> SafeString:
        tally: Tally = run.tally
        bar = (
            '<progress class="desk-progress" max="{}" value="{}"></progress> <span class="desk-whole">{} / {}</span>{}'
        )
        said = _("%(count)s withdrawn") % {"count": tally.withdrawn}
        withdrawn = format_html(' <span class="desk-quiet desk-whole">{}</span>', said) if tally.withdrawn else ""
        return format_html(bar, max(tally.meant, 1), tally.ended, tally.ended, tally.meant, withdrawn)

    @display(description=gettext_lazy("Failed"))
    def failed(self, run: Any) -> SafeString:
        tally: Tally = run.tally
        return format_html('<span class="{}">{}</span>', "desk-bad" if tally.failed else "desk-quiet", tally.failed)

    @display(description=gettext_lazy("Warnings"))
    def warned(self, run: Any) -> int:
        return int(run.tally.warned)

    @display(description=gettext_lazy("Cost"))
    def cost(self, run: Any) -> str:
        tally: Tally = run.tally
        return wording.spent(tally.known_cost, tally.rows_of_unknown_cost) if tally.ended else "–"

    @display(description=gettext_lazy("Who"))
    def who(self, run: Run) -> str:
        return wording.who(run)

    @display(description=gettext_lazy("Queued"))
    def queued(self, run: Run) -> str:
        return wording.moment(run.created_at)

    @display(description=gettext_lazy("Ended"))
    def ended(self, run: Run) -> str:
        return wording.moment(run.finished_at)

    @admin.action(description=gettext_lazy("Run now …"), permissions=["operate"])
    def run_now(self, request: HttpRequest, queryset: QuerySet[Any]) -> TemplateResponse | HttpResponseRedirect | None:
        runs = list(queryset)
        if is_confirmed(request):
            started = start_runs(self, request, runs)
            return _to_the_only(started)
        facts = start_facts(request, runs)
        if facts is None:
            return None
        back = request.get_full_path()
        return self.confirmation(request, _("Run these now?"), facts, _("Run now"), back=back)

    @admin.action(description=gettext_lazy("Queue failed rows again …"), permissions=["operate"])
    def requeue_failed_rows(self, request: HttpRequest, queryset: QuerySet[Any]) -> TemplateResponse | None:
        runs = queryset.order_by().values("pk")
        failed = Outcome.objects.filter(run__in=runs, state=OutcomeState.FAILED)
        if is_confirmed(request):
            requeue_rows(self, request, failed)
            return None
        facts = requeue_facts(request, failed)
        if facts is None:
            return None
        back = request.get_full_path()
        return self.confirmation(request, _("Queue failed rows again?"), facts, _("Queue again"), back=back)


def _to_the_only(started: list[int]) -> HttpResponseRedirect | None:
    """Whoever started one run wants to see it."""
    if len(started) != 1:
        return None
    return HttpResponseRedirect(reverse("admin:summarizer_run_change", args=started))
