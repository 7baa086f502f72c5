"""The list an operator opens in the morning: every row that failed, why, and whether it is asked again."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from summarizer.admin.acting import is_confirmed
from summarizer.admin.filters import (
    AttemptFilter,
    FailureFilter,
    ModelFilter,
    NextAttemptFilter,
    PeriodFilter,
    WhoFilter,
)
from summarizer.admin.requeueing import requeue_facts, requeue_rows, withdraw
from summarizer.admin.rows import RowsAdmin
from summarizer.models import FailedRow, Outcome, OutcomeState


@admin.register(FailedRow)
class FailedRowAdmin(RowsAdmin):
    list_display = ("row", "in_run", "note", "went_wrong", "attempt_number", "next_attempt", "who", "ended")
    list_filter = (PeriodFilter, NextAttemptFilter, FailureFilter, WhoFilter, ModelFilter, AttemptFilter)
    ordering = ("-finished_at", "-pk")
    actions = ("requeue", "undo_requeue")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).filter(state=OutcomeState.FAILED)

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        row: Outcome = self.seen(request, object_id)
        return HttpResponseRedirect(reverse("admin:summarizer_outcome_change", args=(row.pk,)))

    @admin.action(description=gettext_lazy("Queue again for the next run …"), permissions=["operate"])
    def requeue(self, request: HttpRequest, queryset: QuerySet[Any]) -> TemplateResponse | None:
        rows = Outcome.objects.filter(pk__in=queryset.order_by().values("pk"))
        if is_confirmed(request):
            requeue_rows(self, request, rows)
            return None
        facts = requeue_facts(request, rows)
        if facts is None:
            return None
        note = _(
            "They wait for the next run: the nightly job, or somebody who starts it. Until then you can take it back."
        )
        back = request.get_full_path()
        return self.confirmation(request, _("Queue failed rows again?"), facts, _("Queue again"), note=note, back=back)

    @admin.action(description=gettext_lazy("Take back: undo the re-queue"), permissions=["operate"])
    def undo_requeue(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        withdraw(self, request, queryset)
