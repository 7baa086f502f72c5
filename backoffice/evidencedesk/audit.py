"""An answer is stored once, when it has ended, however it ended, with the documents it rested on."""

import logging
import traceback
from dataclasses import asdict
from typing import Any

from django.utils import timezone

from backoffice.database import in_database
from backoffice.evidencedesk.inquiry import Inquiry, Verdict
from backoffice.evidencedesk.models import Answer, AnswerState, Channel
from backoffice.evidencedesk.prompts import PROMPT_VERSION
from backoffice.llm.client import price_of
from backoffice.llm.failures import Failure, FailureCode, ModelFailure
from backoffice.llm.record import milliseconds
from backoffice.llm.usage import cost

logger = logging.getLogger(__name__)


async def store_answered(inquiry: Inquiry, channel: Channel, verdict: Verdict) -> None:
    """Raises ModelFailure (`internal`) where the answer cannot be stored, as the others here do."""
    await _store(
        inquiry,
        channel=channel,
        state=AnswerState.ANSWERED if verdict.ok else AnswerState.WITHHELD,
        answer=verdict.text,
        code=verdict.code,
        reasons=[asdict(reason) for reason in verdict.reasons],
        status=verdict.status or "",
        confidence=verdict.confidence or "",
        citations=[asdict(citation) for citation in verdict.citations],
        cited_ids=list(verdict.cited_ids),
    )


async def store_failed(inquiry: Inquiry, channel: Channel, failure: Failure) -> None:
    await _store(
        inquiry,
        channel=channel,
        state=AnswerState.FAILED,
        failure=failure.code.value,
        failure_detail=failure.detail,
    )


async def store_left(inquiry: Inquiry, channel: Channel) -> None:
    await _store(inquiry, channel=channel, state=AnswerState.LEFT)


async def _store(inquiry: Inquiry, **ending: Any) -> None:
    try:
        await in_database(Answer.objects.create, **_columns(inquiry), **ending)
    except Exception as error:
        # A database quotes the row in its errors, and the row holds what somebody asked: only the type is logged.
        where = "".join(traceback.format_tb(error.__traceback__))
        logger.error("an answer could not be stored: %s\n%s", type(error).__name__, where)  # noqa: TRY400
        raise ModelFailure(FailureCode.INTERNAL, "The answer could not be stored.") from None


def _columns(inquiry: Inquiry) -> dict[str, Any]:
    usage, last, elapsed = inquiry.usage, inquiry.last, inquiry.elapsed
    first_text = None if last.first_text is None else elapsed - last.duration + last.first_text
    return {
        "question": inquiry.question,
        "documents": [
            {"id": d.id, "status": d.status, "title": d.title, "sha256": d.sha256} for d in inquiry.evidence.shown
        ],
        "provider": inquiry.config.provider,
        "model": inquiry.config.model,
        "prompt_version": PROMPT_VERSION,
        "prompt": inquiry.prompt,
        "stop_reason": last.stop_reason or "",
        "answered_by": last.model,
        "exchange": inquiry.exchange,
        "input_tokens": usage.input_tokens,
        "cached_tokens": usage.cached_tokens,
        "output_tokens": usage.output_tokens,
        "cost": cost(usage, price_of(inquiry.config.model)),
        "started_at": inquiry.started_at,
        "finished_at": timezone.now(),
        "duration_ms": milliseconds(elapsed),
        "first_text_ms": milliseconds(first_text),
    }
