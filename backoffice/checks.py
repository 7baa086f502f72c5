"""`manage.py check` says in words what is missing before anything fails for want of it."""

from typing import Any

from django.conf import settings
from django.core import checks

from backoffice.llm.client import model_config
from backoffice.llm.failures import NotConfigured

LLM = "llm"
"""The tag of the checks that whatever calls a model rests on."""


@checks.register(LLM)
def model_is_configured(**_: Any) -> list[checks.CheckMessage]:
    if settings.LLM_PROVIDER not in {"openai", "scripted"}:
        return [
            checks.Error(
                f"LLM_PROVIDER is '{settings.LLM_PROVIDER}'.", hint="Set it to openai or scripted.", id="llm.E001"
            )
        ]
    try:
        model_config()
    except NotConfigured as error:
        return [
            checks.Warning(
                error.failure.detail, hint="Reading and migrating work; nothing that calls a model does.", id="llm.W001"
            )
        ]
    return []
