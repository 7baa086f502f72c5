"""What the desk's buttons have in common: who may press them, and what they say afterwards."""

from collections.abc import Iterable

from django.contrib import messages
from django.http import HttpRequest

from backoffice.llm.client import ModelConfig, model_config
from backoffice.llm.failures import NotConfigured
from summarizer.models import Outcome, Trigger
from summarizer.runs.queue import Origin, requeue


class OperatedAdmin:
    """A mixin: actions with `permissions=["operate"]` are for operators alone."""

    def has_operate_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("summarizer.operate_run")


def configured(request: HttpRequest) -> ModelConfig | None:
    """The model's configuration; where there is none the operator is told, and nothing is stored."""
    try:
        return model_config()
    except NotConfigured as error:
        messages.error(request, error.failure.detail)
        return None


def requeue_rows(request: HttpRequest, rows: Iterable[Outcome]) -> None:
    config = configured(request)
    if config is None:
        return
    done = requeue(rows, Origin(Trigger.REQUEUE, request.user), config)
    if done.rows:
        messages.success(request, f"{done.rows} rows were queued again for the next run.")
    if done.skipped:
        messages.warning(
            request, f"{done.skipped} rows were skipped: they did not fail, or have a next attempt already."
        )
