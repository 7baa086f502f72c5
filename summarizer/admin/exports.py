"""The files an operator takes away: a filtered list as CSV or XLSX."""

from typing import Any

from django.contrib import messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseRedirect, StreamingHttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from summarizer.admin import wording
from summarizer.exporting import MAX_XLSX_ROWS, Column, csv_lines, xlsx_blocks

XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def columns() -> list[Column]:
    """What an export has of each row, under titles in the operator's language."""
    return [
        Column(_("Row"), lambda row: row.row_id),
        Column(_("In run"), lambda row: row.run_id),
        Column(_("State"), lambda row: row.state),
        Column(_("Note"), lambda row: row.text),
        Column(_("Summary"), lambda row: row.summary),
        Column(_("Warnings"), lambda row: ", ".join(row.warnings)),
        Column(_("Failure code"), lambda row: row.failure),
        Column(_("Failure"), lambda row: row.failure_detail),
        Column(_("Attempt"), lambda row: row.attempt),
        Column(_("Who"), lambda row: row.run.created_by.get_username() if row.run.created_by else row.run.trigger),
        Column(_("Model"), lambda row: row.run.model),
        Column(_("Provider"), lambda row: row.run.provider),
        Column(_("Tokens in"), lambda row: row.input_tokens),
        Column(_("Tokens out"), lambda row: row.output_tokens),
        Column(_("Cost (USD)"), lambda row: row.cost),
        Column(_("Queued at"), lambda row: row.run.created_at),
        Column(_("Ended at"), lambda row: row.finished_at),
    ]


def export_response(admin: Any, request: HttpRequest, kind: str) -> HttpResponseBase:
    """A streamed file; a workbook too large for one goes back to the list with a message instead."""
    if not admin.has_view_permission(request):
        raise PermissionDenied
    if kind not in ("csv", "xlsx"):
        raise Http404
    try:
        rows = admin.export_rows(request).prefetch_related(None)
    except IncorrectLookupParameters:
        raise Http404 from None
    if kind == "xlsx" and rows.order_by()[MAX_XLSX_ROWS:].exists():
        said = _("A workbook holds at most %(rows)s: choose a shorter period, or CSV.")
        messages.error(request, said % {"rows": wording.rows(MAX_XLSX_ROWS)})
        url = reverse(f"admin:{admin.opts.app_label}_{admin.opts.model_name}_changelist")
        return HttpResponseRedirect(f"{url}?{request.GET.urlencode()}")
    content = csv_lines(rows, columns()) if kind == "csv" else xlsx_blocks(rows, columns())
    name = f"{admin.opts.model_name}-{timezone.localtime():%Y-%m-%d-%H%M}.{kind}"
    return StreamingHttpResponse(
        content,
        content_type="text/csv; charset=utf-8" if kind == "csv" else XLSX_TYPE,
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
    )
