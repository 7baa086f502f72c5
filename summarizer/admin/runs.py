from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest

from backoffice.audit.admin import ReadOnlyAdmin
from summarizer.admin.acting import OperatedAdmin, configured, requeue_rows
from summarizer.models import Outcome, OutcomeState, Run
from summarizer.tasks import start

RUN_FIELDS = (
    "id", "state", "trigger", "created_by", "source", "provider", "model", "prompt_version", "created_at", "started_at",
    "finished_at", "lease_until", "cancel_requested_at", "prompt",
)  # fmt: skip


class OutcomeInline(admin.TabularInline[Outcome, Run]):
    model = Outcome
    fields = ("row_id", "state", "summary", "failure", "failure_detail", "warnings", "attempt", "cost")
    readonly_fields = fields
    extra = 0
    can_delete = False
    show_change_link = True
    ordering = ("position",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Outcome]:
        return super().get_queryset(request).defer("exchange")


@admin.register(Run)
class RunAdmin(OperatedAdmin, ReadOnlyAdmin):
    list_display = ("id", "state", "trigger", "created_by", "provider", "model", "created_at", "rows", "done", "failed")
    list_filter = ("state", "trigger", "provider")
    list_select_related = ("created_by",)
    fields = readonly_fields = RUN_FIELDS
    ordering = ("-id",)
    inlines = (OutcomeInline,)
    actions = ("run_now", "requeue_failed_rows")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        ended = Q(outcomes__state__in=(OutcomeState.SUMMARISED, OutcomeState.FAILED))
        runs: QuerySet[Run] = super().get_queryset(request)
        return runs.annotate(
            row_count=Count("outcomes"),
            done_count=Count("outcomes", filter=ended),
            failed_count=Count("outcomes", filter=Q(outcomes__state=OutcomeState.FAILED)),
        )

    @admin.display(description="Rows", ordering="row_count")
    def rows(self, run: Any) -> int:
        return int(run.row_count)

    @admin.display(description="Done", ordering="done_count")
    def done(self, run: Any) -> int:
        return int(run.done_count)

    @admin.display(description="Failed", ordering="failed_count")
    def failed(self, run: Any) -> int:
        return int(run.failed_count)

    @admin.action(description="Run now", permissions=["operate"])
    def run_now(self, request: HttpRequest, queryset: QuerySet[Run]) -> None:
        if configured(request) is None:
            return
        waiting = [run.pk for run in queryset if run.is_claimable]
        start(waiting)
        if waiting:
            messages.success(request, f"{len(waiting)} runs were handed to the background worker.")
        if len(waiting) < len(queryset):
            messages.warning(
                request, f"{len(queryset) - len(waiting)} runs were skipped: they run already or have ended."
            )

    @admin.action(description="Re-queue failed rows", permissions=["operate"])
    def requeue_failed_rows(self, request: HttpRequest, queryset: QuerySet[Run]) -> None:
        failed = Outcome.objects.filter(run__in=queryset.values("pk"), state=OutcomeState.FAILED)
        requeue_rows(request, failed.defer("exchange"))
