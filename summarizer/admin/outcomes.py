from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString

from backoffice.audit.admin import ReadOnlyAdmin, pretty_json
from summarizer.admin.acting import OperatedAdmin, requeue_rows
from summarizer.models import Outcome

OUTCOME_FIELDS = (
    "run", "row_id", "text", "state", "summary", "failure", "failure_detail", "warnings", "stop_reason", "answered_by",
    "attempt", "requeued_from", "input_tokens", "cached_tokens", "output_tokens", "cost", "started_at", "finished_at",
    "duration_ms", "first_text_ms", "conversation",
)  # fmt: skip


@admin.register(Outcome)
class OutcomeAdmin(OperatedAdmin, ReadOnlyAdmin):
    list_display = ("row_id", "run", "state", "summary", "failure", "warnings", "attempt", "finished_at")
    list_filter = ("state", "failure")
    list_select_related = ("run",)
    fields = readonly_fields = OUTCOME_FIELDS
    ordering = ("-id",)
    actions = ("requeue",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Outcome]:
        return super().get_queryset(request).select_related("run")

    @admin.display(description="Exchange with the model")
    def conversation(self, outcome: Outcome) -> SafeString:
        return pretty_json(outcome.exchange)

    @admin.action(description="Re-queue failed rows", permissions=["operate"])
    def requeue(self, request: HttpRequest, queryset: QuerySet[Outcome]) -> None:
        requeue_rows(request, queryset.defer("exchange"))
