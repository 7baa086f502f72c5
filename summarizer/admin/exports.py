"""The files an operator takes away: a filtered list as CSV or XLSX."""

from collections.abc import AsyncIterator, Callable
from typing import Any

from django.contrib import messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseRedirect, StreamingHttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from backoffice.audit.deeds import told
from summarizer.admin import wording
from summarizer.admin.acting import DeskAdmin
from summarizer.exporting import MAX_XLSX_ROWS, Cell, Column, Sheet, csv_lines, outcomes
from summarizer.models import ImportDraft, Review
from summarizer.runs.statistics import Tally

WORDS, NAME, MOMENT = 60, 26, 20
"""Widths of columns that need more than a number does."""
XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class ExportedAdmin(DeskAdmin):
    """A list that is taken away as a file, as it is filtered and searched."""

    change_list_template = "summarizer/admin/rows.html"

    def get_urls(self) -> list[URLPattern]:
        name = f"{self.opts.app_label}_{self.opts.model_name}_export"
        export = path("export/<str:kind>", self.admin_site.admin_view(self.export), name=name)
        return [export, *super().get_urls()]

    def export(self, request: HttpRequest, kind: str) -> HttpResponseBase:
        """A streamed file; a workbook too large for one goes back to the list with a message instead."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        if kind not in ("csv", "xlsx"):
            raise Http404
        try:
            rows = self.get_changelist_instance(request).get_queryset(request).prefetch_related(None)
        except IncorrectLookupParameters:
            raise Http404 from None
        if kind == "xlsx" and rows.order_by()[MAX_XLSX_ROWS:].exists():
            return self._too_many(request)
        return _streamed(self.sheet(rows), kind, f"{self.opts.model_name}-{timezone.localtime():%Y-%m-%d-%H%M}.{kind}")

    def sheet(self, rows: Any) -> Sheet:
        """The list's rows under their titles."""
        return outcomes(rows, columns())

    def _too_many(self, request: HttpRequest) -> HttpResponseRedirect:
        said = _("A workbook holds at most %(rows)s: choose a shorter period, or CSV.")
        messages.error(request, said % {"rows": wording.rows(MAX_XLSX_ROWS)})
        url = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        return HttpResponseRedirect(f"{url}?{request.GET.urlencode()}")


def _streamed(sheet: Sheet, kind: str, name: str) -> StreamingHttpResponse:
    return StreamingHttpResponse(
        csv_lines(sheet) if kind == "csv" else _workbook(sheet),
        content_type="text/csv; charset=utf-8" if kind == "csv" else XLSX_TYPE,
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
    )


def _workbook(sheet: Sheet) -> AsyncIterator[bytes]:
    from summarizer.workbooks import xlsx_blocks  # noqa: PLC0415 - it loads openpyxl: a tenth of every command's start

    return xlsx_blocks(sheet)


def columns() -> list[Column]:
    """What an export has of each row, under titles and in words of the operator's language; codes stand beside."""
    return [
        Column(_("Row"), lambda row: row.row_id),
        Column(_("In run"), lambda row: row.run_id),
        Column(_("State"), lambda row: row.get_state_display()),
        Column(_("Note"), lambda row: row.text, WORDS),
        Column(_("Summary"), lambda row: row.summary, WORDS),
        Column(_("Warnings"), lambda row: ", ".join(wording.warning(code) for code in row.warnings)),
        Column(_("Warning codes"), lambda row: ", ".join(row.warnings)),
        Column(_("What went wrong"), lambda row: wording.what_happened(row.failure), WORDS),
        Column(_("Failure code"), lambda row: row.failure),
        Column(_("Failure"), lambda row: row.failure_detail, WORDS),
        Column(_("Attempt"), lambda row: row.attempt),
        Column(_("Next attempt"), lambda row: ", ".join(map(wording.in_run, row.following)), NAME),
        *_of_review(),
        *_of_run(lambda row: row.run),
        Column(_("Tokens in"), lambda row: row.input_tokens),
        Column(_("Tokens out"), lambda row: row.output_tokens),
        Column(_("Cost (USD)"), lambda row: row.cost),
        Column(_("Queued at"), lambda row: row.run.created_at, MOMENT),
        Column(_("Ended at"), lambda row: row.finished_at, MOMENT),
    ]


def _of_review() -> list[Column]:
    """The last decision about a row; empty where there is none."""
    return [
        Column(_("Decision"), _decided(lambda review: review.get_decision_display())),
        Column(_("Reason"), _decided(lambda review: review.reason), WORDS),
        Column(_("Decided by"), _decided(lambda review: review.created_by.get_username())),
        Column(_("Decided at"), _decided(lambda review: review.created_at), MOMENT),
    ]


def _decided(value: Callable[[Review], Cell]) -> Callable[[Any], Cell]:
    def of_last(row: Any) -> Cell:
        reviews = list(row.reviews.all())
        return value(reviews[-1]) if reviews else None

    return of_last


def run_columns() -> list[Column]:
    """What an export has of each run. Tokens and cost are of the rows of which they are known; beside them stands how
    many rows there are of which they are not."""
    return [
        Column(_("Run number"), lambda run: run.pk),
        Column(_("State"), lambda run: run.get_state_display()),
        Column(_("Where from"), wording.source, WORDS),
        *_of_run(lambda run: run),
        Column(_("Rows"), lambda run: run.tally.rows),
        Column(_("Summarised"), lambda run: run.tally.summarised),
        Column(_("Failed"), lambda run: run.tally.failed),
        Column(_("With a warning"), lambda run: run.tally.warned),
        Column(_("Withdrawn"), lambda run: run.tally.withdrawn),
        Column(_("Tokens in"), _once_ended(lambda tally: tally.known_input_tokens)),
        Column(_("Tokens out"), _once_ended(lambda tally: tally.known_output_tokens)),
        Column(_("Rows of unknown tokens"), lambda run: run.tally.rows_of_unknown_tokens),
        Column(_("Cost (USD)"), _once_ended(lambda tally: tally.known_cost)),
        Column(_("Rows of unknown cost"), lambda run: run.tally.rows_of_unknown_cost),
        Column(_("Queued at"), lambda run: run.created_at, MOMENT),
        Column(_("Begun at"), lambda run: run.started_at, MOMENT),
        Column(_("Ended at"), lambda run: run.finished_at, MOMENT),
    ]


def _once_ended(value: Callable[[Tally], Cell]) -> Callable[[Any], Cell]:
    """A sum of a run; empty as long as none of its rows has ended."""
    return lambda run: value(run.tally) if run.tally.ended else None


def _of_run(run_of: Any) -> list[Column]:
    return [
        Column(_("Who"), lambda row: wording.who(run_of(row))),
        Column(_("Model"), lambda row: run_of(row).model, NAME),
        Column(_("Provider"), lambda row: run_of(row).provider),
    ]


def draft_columns() -> list[Column]:
    return [
        Column(_("File"), lambda draft: told(draft.name), WORDS),
        Column(_("State"), lambda draft: draft_state(draft)[1]),
        Column(_("Good rows"), lambda draft: draft.good_rows),
        Column(_("Bad rows"), lambda draft: draft.bad_rows),
        Column(_("Who"), lambda draft: draft.created_by.get_username()),
        Column(_("Uploaded"), lambda draft: draft.created_at, MOMENT),
        Column(_("Ended at"), lambda draft: draft.queued_at or draft.discarded_at, MOMENT),
    ]


def draft_state(draft: ImportDraft) -> tuple[str, str]:
    """The key of its colour, and the word for its state."""
    state = "open" if draft.is_open else "queued" if draft.queued_at else "discarded"
    return state, str(wording.DRAFT_STATES[state])
