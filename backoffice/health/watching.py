"""Starts what watches a process from its beginning."""

from typing import Any

from django.conf import settings
from django.utils.module_loading import autodiscover_modules
from django_tasks.signals import task_finished

from backoffice.health.metrics import make_shared_folder, observe_call
from backoffice.health.tracing import exporting_provider, flush, tracing_observer
from backoffice.llm.observing import observe


def start() -> None:
    """Count model calls, trace them where that is wanted, and find what the apps know of their own health."""
    make_shared_folder()
    observe(observe_call)
    if settings.LLM_TRACING:
        observe(tracing_observer(exporting_provider(), with_content=settings.LLM_TRACING_CONTENT))
        task_finished.connect(_task_finished)
    autodiscover_modules("health")


def _task_finished(**_: Any) -> None:
    """RQ ends the process of a task at once when the task has ended."""
    flush()
