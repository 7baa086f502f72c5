"""What admin calls the columns of an exchange and the codes in them, in lower case as Django has verbose names.

They stand here and not in the models, where each of them would be a migration.
"""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from backoffice.llm.events import StopReason
from backoffice.llm.failures import FailureCode

Text = str | Promise

LABELS = {
    "answer": _("answer"),
    "answered_by": _("answered by"),
    "args_kwargs": _("arguments"),
    "cached_tokens": _("cached tokens"),
    "channel": _("channel"),
    "code": _("result of the checks"),
    "confidence": _("confidence"),
    "cost": _("cost (USD)"),
    "day": _("day"),
    "duration_ms": _("duration in ms"),
    "enqueued_at": _("queued"),
    "exception_class_path": _("error"),
    "failure": _("failure"),
    "failure_detail": _("failure in detail, as recorded"),
    "finished_at": _("end"),
    "first_text_ms": _("first text after ms"),
    "input_tokens": _("tokens in"),
    "message": _("message"),
    "model": _("model"),
    "output_tokens": _("tokens out"),
    "priority": _("priority"),
    "prompt": _("prompt"),
    "prompt_version": _("version of the prompt"),
    "provider": _("provider"),
    "question": _("question"),
    "queue_name": _("queue"),
    "return_value": _("result"),
    "rounds": _("rounds"),
    "rows": _("rows"),
    "rows_of_unknown_cost": _("rows of unknown cost"),
    "rows_of_unknown_tokens": _("rows of unknown tokens"),
    "started_at": _("start"),
    "state": _("state"),
    "status": _("status"),
    "stop_reason": _("stop reason"),
    "system": _("system"),
    "task_path": _("task"),
    "traceback": _("traceback"),
    "weather_backend": _("source of the weather"),
    "worker_ids": _("workers"),
}

FAILURES: Mapping[str, Text] = {
    FailureCode.RATE_LIMITED: _("The provider limits our requests at the moment."),
    FailureCode.TIMEOUT: _("The model did not answer in time."),
    FailureCode.CONNECTION: _("The connection to the provider was lost."),
    FailureCode.PROVIDER_ERROR: _("The provider reported an error."),
    FailureCode.REJECTED: _("The provider refused the request."),
    FailureCode.MALFORMED_CHUNK: _("The provider sent something unreadable."),
    FailureCode.INTERRUPTED: _("The answer stopped before it was complete."),
    FailureCode.TOO_MANY_ROUNDS: _("The model kept asking for tools."),
    FailureCode.NOT_CONFIGURED: _("No model is configured."),
    FailureCode.INTERNAL: _("Something went wrong on our side."),
}

STOP_REASONS: Mapping[str, Text] = {
    StopReason.END: _("finished"),
    StopReason.LENGTH: _("length limit"),
    StopReason.TOOL_CALLS: _("tool calls"),
    StopReason.CONTENT_FILTER: _("content filter"),
}

TASK_STATES: Mapping[str, Text] = {
    "READY": _("Waiting"),
    "RUNNING": _("Running"),
    "FAILED": _("Failed"),
    "SUCCESSFUL": _("Done"),
}
"""Of background tasks, as django-tasks names them."""
