"""A chat is stored once, when it has ended, however it ended."""

import logging
import traceback
from typing import Any

from django.conf import settings
from django.utils import timezone

from backoffice.database import in_database
from backoffice.llm.client import price_of
from backoffice.llm.failures import Failure, FailureCode, ModelFailure
from backoffice.llm.record import milliseconds
from backoffice.llm.usage import cost
from weatherbot.conversation import Conversation
from weatherbot.models import Chat, ChatState
from weatherbot.prompts import PROMPT_VERSION, SYSTEM_PROMPT

logger = logging.getLogger(__name__)


async def store_answered(talk: Conversation) -> None:
    """Raises ModelFailure (`internal`) where the chat cannot be stored, as the others here do."""
    last, elapsed = talk.last, talk.elapsed
    first_text = None if last.first_text is None else elapsed - last.duration + last.first_text
    await _store(talk, state=ChatState.ANSWERED, answer=last.text, first_text_ms=milliseconds(first_text))


async def store_failed(talk: Conversation, failure: Failure) -> None:
    await _store(talk, state=ChatState.FAILED, failure=failure.code.value, failure_detail=failure.detail)


async def store_left(talk: Conversation) -> None:
    await _store(talk, state=ChatState.LEFT)


async def _store(talk: Conversation, **ending: Any) -> None:
    try:
        await in_database(Chat.objects.create, **_columns(talk), **ending)
    except Exception as error:
        # A database quotes the row in its errors, and the row holds what the customer wrote: only the type is logged.
        where = "".join(traceback.format_tb(error.__traceback__))
        logger.error("a chat could not be stored: %s\n%s", type(error).__name__, where)  # noqa: TRY400
        raise ModelFailure(FailureCode.INTERNAL, "The chat could not be stored.") from None


def _columns(talk: Conversation) -> dict[str, Any]:
    usage, last = talk.usage, talk.last
    return {
        "message": talk.message,
        "rounds": len(talk.rounds),
        "provider": talk.config.provider,
        "model": talk.config.model,
        "weather_backend": settings.WEATHER_BACKEND,
        "prompt_version": PROMPT_VERSION,
        "prompt": SYSTEM_PROMPT,
        "stop_reason": last.stop_reason or "",
        "answered_by": last.model,
        "exchange": talk.exchange(),
        "input_tokens": usage.input_tokens,
        "cached_tokens": usage.cached_tokens,
        "output_tokens": usage.output_tokens,
        "cost": cost(usage, price_of(talk.config.model)),
        "started_at": talk.started_at,
        "finished_at": timezone.now(),
        "duration_ms": milliseconds(talk.elapsed),
    }
