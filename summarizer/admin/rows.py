"""What the lists of rows have in common: all rows, failed rows, rows to review."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from summarizer.admin import wording
from summarizer.admin.exports import ExportedAdmin
from summarizer.admin.filters import between
from summarizer.admin.searching import search_rows
from summarizer.models import Outcome, OutcomeState

SHOWN = 90
"""Characters of a note or a summary in a list."""


class RowsAdmin(ExportedAdmin):
    """A list of rows, filtered, searched within the period shown, and exported as it is filtered."""

    search_fields = ("text",)  # a search box; search_rows has the search
    search_help_text = _("Row id, person, or words of the note or summary")
    list_display_links = None
    list_filter_sheet = False
    sortable_by = ()

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("summarizer.view_outcome")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: Any = super().get_queryset(request)
        following = Outcome.objects.exclude(state=OutcomeState.WITHDRAWN).only("state", "run_id", "requeued_from_id")
        rows = rows.visible_to(request.user).select_related("run__created_by").defer("exchange", "run__prompt")
        listed: QuerySet[Any] = rows.prefetch_related(Prefetch("next_attempts", following, to_attr="following"))
        return listed

    def limit_to_period(self, rows: QuerySet[Any], since: datetime | None, until: datetime | None) -> QuerySet[Any]:
        return rows.filter(between("finished_at", since, until))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        return search_rows(queryset, search_term), False  # type: ignore[arg-type]

    @display(description=_("Row"))
    def row(self, row: Outcome) -> SafeString:
        url = reverse("admin:summarizer_outcome_change", args=(row.pk,))
        return row_link(url, row)

    @display(description=_("In run"))
    def in_run(self, row: Outcome) -> SafeString:
        url = reverse("admin:summarizer_run_change", args=(row.run_id,))
        mark = format_html(' <span class="desk-mark">{}</span>', _("scripted")) if row.run.is_scripted else ""
        return format_html('<a class="desk-link" href="{}">{}</a>{}', url, row.run_id, mark)

    @display(description=_("State"), label=wording.OUTCOME_COLOURS)
    def state_label(self, row: Outcome) -> tuple[str, str]:
        return row.state, str(OutcomeState(row.state).label)

    @display(description=_("Note"))
    def note(self, row: Outcome) -> SafeString:
        return shortened(row.text)

    @display(description=_("Summary"))
    def said(self, row: Outcome) -> SafeString:
        return shortened(row.summary or "")

    @display(description=_("What went wrong"))
    def went_wrong(self, row: Outcome) -> str:
        return wording.what_happened(row.failure)

    @display(description=_("Attempt"))
    def attempt_number(self, row: Outcome) -> int:
        return row.attempt

    @display(description=_("Next attempt"))
    def next_attempt(self, row: Any) -> SafeString | str:
        return next_attempt(row.following)

    @display(description=_("Who"))
    def who(self, row: Outcome) -> str:
        return wording.who(row.run)

    @admin.display(description=_("Ended"))
    def ended(self, row: Outcome) -> str:
        return wording.moment(row.finished_at)


def row_link(url: str, row: Outcome) -> SafeString:
    html = '<span class="desk-phone">{} </span><a class="desk-link" href="{}">{}</a>'
    return format_html(html, _("Row"), url, row.row_id)


def shortened(text: str) -> SafeString:
    """The beginning of a text, the whole of it when the mouse rests on it."""
    return format_html('<span class="desk-text" title="{}">{}</span>', text, Truncator(text).chars(SHOWN))


def next_attempt(following: Sequence[Outcome]) -> SafeString | str:
    if not following:
        return ""
    [attempt] = following
    url = reverse("admin:summarizer_run_change", args=(attempt.run_id,))
    return format_html('<a class="desk-link" href="{}">{}</a>', url, wording.in_run(attempt))
