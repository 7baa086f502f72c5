"""Summaries that a person should look at: the list, and the page where they decide."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.decorators import display
from unfold.widgets import UnfoldAdminTextInputWidget

from summarizer import reviews
from summarizer.admin import deeds, wording
from summarizer.admin.acting import configured, person
from summarizer.admin.filters import DecisionFilter, ModelFilter, PeriodFilter, WarningFilter, WhoFilter
from summarizer.admin.marking import amounts, marked_note, marked_summary, refusal_of
from summarizer.admin.requeueing import link_to
from summarizer.admin.rows import RowsAdmin, row_link
from summarizer.models import Outcome, RowToReview


class DecisionForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=500,
        help_text=gettext_lazy("Kept with the row, for whoever asks later."),
        widget=UnfoldAdminTextInputWidget(),
    )


@admin.register(RowToReview)
class RowToReviewAdmin(RowsAdmin):
    list_display = ("row", "in_run", "warning_labels", "note", "said", "decided", "who", "ended")
    list_filter = (PeriodFilter, DecisionFilter, WarningFilter, WhoFilter, ModelFilter)
    ordering = ("-finished_at", "-pk")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) and request.user.has_perm("summarizer.view_review")

    def has_operate_permission(self, request: HttpRequest) -> bool:
        """To decide is to keep a review, and may be to queue the row again."""
        return super().has_operate_permission(request) and request.user.has_perm("summarizer.add_review")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).filter(warned=True).prefetch_related("reviews__created_by")

    @display(description=gettext_lazy("Row"))
    def row(self, row: Outcome) -> SafeString:
        url = reverse("admin:summarizer_rowtoreview_change", args=(row.pk,))
        return row_link(url, row)

    @display(description=gettext_lazy("Warnings"))
    def warning_labels(self, row: Outcome) -> SafeString:
        names = ((wording.WARNINGS[code][0],) for code in row.warnings if code in wording.WARNINGS)
        return format_html_join(" ", '<span class="desk-mark">{}</span>', names)

    @display(description=gettext_lazy("Decision"))
    def decided(self, row: Outcome) -> SafeString:
        said = ((review.get_decision_display(), review.created_by, review.reason) for review in row.reviews.all())
        return format_html_join("; ", "{} ({}): {}", said)

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        row: Outcome = self.seen(request, object_id)
        form = DecisionForm(request.POST if request.method == "POST" else None)
        if request.method == "POST":
            if not self.has_operate_permission(request):
                raise PermissionDenied
            if form.is_valid() and self._decide(request, row, form.cleaned_data["reason"]):
                return HttpResponseRedirect(self._next(request))
        is_open = Outcome.objects.to_review().filter(pk=row.pk).exists()
        return self.page(
            request,
            "review.html",
            _("Review row %(row)s of run %(run)s") % {"row": row.row_id, "run": row.run_id},
            row=row,
            run=row.run,
            note=marked_note(row),
            summary=marked_summary(row),
            warnings=[wording.WARNINGS[code] for code in row.warnings if code in wording.WARNINGS],
            amounts=amounts(row),
            refusal=refusal_of(row),
            reviews=row.reviews.all(),
            form=form if is_open and self.has_operate_permission(request) else None,
        )

    def _decide(self, request: HttpRequest, row: Outcome, reason: str) -> bool:
        """False where nothing was decided and the page should stay."""
        try:
            if "accept" in request.POST:
                reviews.accept(row.pk, person(request), reason)
                messages.success(request, _("Accepted: row %(row)s.") % {"row": row.row_id})
                self.log(request, deeds.ACCEPTED % {"reason": reason}, row)
                return True
            return self._ask_again(request, row, reason)
        except reviews.AlreadyDecided:
            messages.warning(request, _("Row %(row)s was decided meanwhile.") % {"row": row.row_id})
            return True

    def _ask_again(self, request: HttpRequest, row: Outcome, reason: str) -> bool:
        config = configured(request)
        if config is None:
            return False
        run = reviews.ask_again(row.pk, person(request), reason, config)
        said = _("Row %(row)s is queued again:") % {"row": row.row_id}
        messages.success(request, format_html("{} {}", said, link_to(run.pk)))
        self.log(request, deeds.QUEUED_AGAIN % {"run": run.pk, "reason": reason}, row)
        self.log(request, deeds.ROWS_QUEUED % {"run": run.pk, "numbers": row.row_id}, row.run)
        facts = {"row": row.row_id, "of": row.run_id, "reason": reason}
        self.log(request, deeds.QUEUED_AFTER_REVIEW % facts, run)
        return True

    def _next(self, request: HttpRequest) -> str:
        """The next row to review, or the list where there is none."""
        following = Outcome.objects.to_review().visible_to(request.user).order_by("-finished_at", "-pk").first()
        if following is None:
            return reverse("admin:summarizer_rowtoreview_changelist")
        return reverse("admin:summarizer_rowtoreview_change", args=(following.pk,))
