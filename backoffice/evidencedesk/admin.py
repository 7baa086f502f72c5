from collections.abc import Mapping

from django.contrib import admin
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from backoffice.audit.admin import ReadOnlyAdmin, pretty_json
from backoffice.audit.columns import FailureFilter, WordsFilter, columns, failure_told
from backoffice.audit.labels import LABELS, Text
from backoffice.evidencedesk.corpus import DocumentStatus
from backoffice.evidencedesk.models import Answer
from backoffice.evidencedesk.schemas import AnswerCode

CODES: Mapping[str, Text] = {
    AnswerCode.OK: _("backed by documents"),
    AnswerCode.TRUNCATED: _("cut off"),
    AnswerCode.UNUSABLE_STOP: _("stopped before its end"),
    AnswerCode.INVALID_JSON: _("no valid JSON"),
    AnswerCode.INVALID_SCHEMA: _("not in the form asked for"),
    AnswerCode.UNSUPPORTED: _("not backed by documents"),
}
STATUSES: Mapping[str, Text] = {"answered": _("answered"), "abstained": _("abstained")}
CONFIDENCE: Mapping[str, Text] = {"high": _("high"), "medium": _("medium"), "low": _("low")}
DOCUMENT_STATUSES: Mapping[str, Text] = {
    DocumentStatus.CURRENT: _("current"),
    DocumentStatus.SUPERSEDED: _("superseded"),
    DocumentStatus.DRAFT: _("draft"),
    DocumentStatus.WITHDRAWN: _("withdrawn"),
}

DOCUMENT_COLUMNS = (_("Id"), _("Status"), _("Title"), _("SHA-256"))
ANSWER_FIELDS = (
    *columns(
        "started_at", "channel", "state", "question", "answer", "code", "why", "status", "confidence", "evidence",
        "shown_documents", code=CODES, status=STATUSES, confidence=CONFIDENCE,
    ),
    failure_told,
    *columns(
        "failure_detail", "stop_reason", "provider", "model", "answered_by", "input_tokens", "cached_tokens",
        "output_tokens", "cost", "finished_at", "duration_ms", "first_text_ms", "prompt_version", "prompt",
        "conversation",
    ),
)  # fmt: skip
ANSWER_COLUMNS = columns(
    "id", "started_at", "shown_question", "state", "code", "status", "failure", "cost", "duration_ms",
    code=CODES, status=STATUSES,
)  # fmt: skip


class CodeFilter(WordsFilter):
    title = LABELS["code"]
    parameter_name = "code"
    words = CODES


@admin.register(Answer)
class AnswerAdmin(ReadOnlyAdmin):
    list_display = ANSWER_COLUMNS
    list_filter = ("state", CodeFilter, "channel", FailureFilter, "provider", "started_at")
    date_hierarchy = "started_at"
    search_fields = ("question", "answer")
    search_help_text = _("Words of the question or of the answer")
    fields = readonly_fields = ANSWER_FIELDS
    ordering = ("-id",)

    @admin.display(description=_("question"), ordering="question")
    def shown_question(self, answer: Answer) -> str:
        return Truncator(answer.question).chars(80)

    @admin.display(description=_("why it was not shown as true"))
    def why(self, answer: Answer) -> SafeString:
        listed = (("/".join(map(str, reason["loc"])) or "answer", reason["msg"]) for reason in answer.reasons)
        return format_html_join("", "<div><code>{}</code> {}</div>", listed) or SafeString("–")

    @admin.display(description=_("evidence"))
    def evidence(self, answer: Answer) -> SafeString:
        cards = ((c["title"], c["id"], c["passage"]) for c in answer.citations)
        return format_html_join("", "<div><b>{}</b> <code>{}</code><br>{}</div>", cards) or SafeString("–")

    @admin.display(description=_("documents shown to the model"))
    def shown_documents(self, answer: Answer) -> SafeString:
        """The hash is that of the document's file: it finds the version the answer rested on."""
        head = format_html("<tr><th>{}</th><th>{}</th><th>{}</th><th>{}</th></tr>", *DOCUMENT_COLUMNS)
        statuses = DOCUMENT_STATUSES
        listed = ((d["id"], statuses.get(d["status"], d["status"]), d["title"], d["sha256"]) for d in answer.documents)
        row = "<tr><td>{}</td><td>{}</td><td>{}</td><td><code>{}</code></td></tr>"
        return format_html("<table>{}{}</table>", head, format_html_join("", row, listed))

    @admin.display(description=_("exchange with the model"))
    def conversation(self, answer: Answer) -> SafeString:
        return pretty_json(answer.exchange)
