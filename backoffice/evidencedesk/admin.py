from django.contrib import admin
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from backoffice.audit.admin import ReadOnlyAdmin, pretty_json
from backoffice.evidencedesk.models import Answer

ANSWER_FIELDS = (
    "started_at", "channel", "state", "question", "answer", "code", "why", "status", "confidence", "evidence",
    "shown_documents", "failure", "failure_detail", "stop_reason", "provider", "model", "answered_by", "input_tokens",
    "cached_tokens", "output_tokens", "cost", "finished_at", "duration_ms", "first_text_ms", "prompt_version", "prompt",
    "conversation",
)  # fmt: skip


@admin.register(Answer)
class AnswerAdmin(ReadOnlyAdmin):
    list_display = ("id", "started_at", "shown_question", "state", "code", "status", "failure", "cost", "duration_ms")
    list_filter = ("state", "code", "channel", "failure", "provider", "started_at")
    date_hierarchy = "started_at"
    search_fields = ("question", "answer")
    search_help_text = "Words of the question or of the answer"
    fields = readonly_fields = ANSWER_FIELDS
    ordering = ("-id",)
    show_full_result_count = False

    @admin.display(description="Question", ordering="question")
    def shown_question(self, answer: Answer) -> str:
        return Truncator(answer.question).chars(80)

    @admin.display(description="Why it was not shown as true")
    def why(self, answer: Answer) -> SafeString:
        listed = (("/".join(map(str, reason["loc"])) or "answer", reason["msg"]) for reason in answer.reasons)
        return format_html_join("", "<div><code>{}</code> {}</div>", listed) or SafeString("–")

    @admin.display(description="Evidence")
    def evidence(self, answer: Answer) -> SafeString:
        cards = ((c["title"], c["id"], c["passage"]) for c in answer.citations)
        return format_html_join("", "<div><b>{}</b> <code>{}</code><br>{}</div>", cards) or SafeString("–")

    @admin.display(description="Documents shown to the model")
    def shown_documents(self, answer: Answer) -> SafeString:
        """The hash is that of the document's file: it finds the version the answer rested on."""
        head = SafeString("<tr><th>Id</th><th>Status</th><th>Title</th><th>SHA-256</th></tr>")
        listed = ((d["id"], d["status"], d["title"], d["sha256"]) for d in answer.documents)
        row = "<tr><td>{}</td><td>{}</td><td>{}</td><td><code>{}</code></td></tr>"
        return format_html("<table>{}{}</table>", head, format_html_join("", row, listed))

    @admin.display(description="Exchange with the model")
    def conversation(self, answer: Answer) -> SafeString:
        return pretty_json(answer.exchange)
