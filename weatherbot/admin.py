from collections.abc import Iterator

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from backoffice.audit.admin import ReadOnlyAdmin, pretty_json
from backoffice.audit.columns import FailureFilter, StopReasonFilter, columns, failure_told
from weatherbot.models import Chat, ChatState

CHAT_FIELDS = (
    *columns("started_at", "state", "message", "answer"), failure_told,
    *columns(
        "failure_detail", "stop_reason", "rounds", "tool_calls",
        "provider", "model", "answered_by", "weather_backend", "input_tokens", "cached_tokens", "output_tokens", "cost",
        "finished_at", "duration_ms", "first_text_ms", "prompt_version", "prompt", "conversation",
    ),
)  # fmt: skip

CHAT_COLUMNS = columns(
    "id", "started_at", "shown_message", "state", "failure", "stop_reason", "rounds", "cost", "duration_ms",
)  # fmt: skip
TOOL_CALL_COLUMNS = (_("Round"), _("Tool"), _("Arguments"), _("Ran"), _("Result"), _("Milliseconds"))


@admin.register(Chat)
class ChatAdmin(ReadOnlyAdmin):
    list_display = CHAT_COLUMNS
    list_filter = ("state", FailureFilter, StopReasonFilter, "weather_backend", "started_at")
    date_hierarchy = "started_at"
    search_fields = ("message", "answer")
    search_help_text = _("Words of the message or of the answer")
    fields = readonly_fields = CHAT_FIELDS
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Chat]:
        return super().get_queryset(request).defer("exchange", "prompt")

    @admin.display(description=_("message"), ordering="message")
    def shown_message(self, chat: Chat) -> str:
        return Truncator(chat.message).chars(80)

    @admin.display(description=_("tool calls"))
    def tool_calls(self, chat: Chat) -> SafeString:
        """Of every round, in order: what was asked for, what became of it, what came back and how long it took."""
        head = format_html(
            "<tr><th>{}</th><th>{}</th><th>{}</th><th>{}</th><th>{}</th><th>{}</th></tr>", *TOOL_CALL_COLUMNS
        )
        rows = format_html_join(
            "", "<tr><td>{}</td><td>{}</td><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>", _calls(chat)
        )
        return format_html("<table>{}{}</table>", head, rows) if rows else SafeString("–")

    @admin.display(description=_("exchange with the model"))
    def conversation(self, chat: Chat) -> SafeString:
        return pretty_json(chat.exchange)


def _calls(chat: Chat) -> Iterator[tuple[object, ...]]:
    for number, model_call in enumerate(chat.exchange, start=1):
        runs = [*model_call["tool_runs"]]
        for call in model_call["answer"]["tool_calls"]:
            asked = (number, call["name"], call["arguments"])
            run = next((run for run in runs if all(run[name] == value for name, value in call.items())), None)
            if run is None:
                yield *asked, _without_result(chat), "–", "–"
                continue
            runs.remove(run)
            ran = gettext("yes") if run["ran"] else gettext("no, it was refused")
            yield *asked, ran, pretty_json(run["result"]), run["duration_ms"]


def _without_result(chat: Chat) -> str:
    left = chat.state == ChatState.LEFT
    return gettext("no result: the customer left") if left else gettext("no result: the chat failed")
