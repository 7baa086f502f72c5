"""A question in, an answer out that is backed by a document or says that it is not; stored, however it ends.

The door that withholds asks for a structured answer; the door that streams asks for prose and judges it at the end.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace

from backoffice.evidencedesk.audit import store_answered, store_failed, store_left
from backoffice.evidencedesk.checks import read_prose
from backoffice.evidencedesk.inquiry import Inquiry, Verdict, begin
from backoffice.evidencedesk.models import Channel
from backoffice.evidencedesk.prompts import ANSWER_PROMPT, PROSE_PROMPT
from backoffice.evidencedesk.schemas import AnswerCode, EvidenceAnswer
from backoffice.llm.client import ModelConfig
from backoffice.llm.events import Chunk, StopReason
from backoffice.llm.failures import Failure, ModelFailure, failure_from
from backoffice.llm.results import Problem, ask_structured, stop_problem
from backoffice.llm.streaming import ModelStream
from backoffice.llm.usage import Usage

APOLOGY = (
    "Sorry, I cannot give you an answer that our policy documents back. "
    "Please rephrase the question or ask the back office."
)


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of the answer, as yet unconfirmed."""

    text: str


@dataclass(frozen=True, slots=True)
class Judged:
    """The last event of every streamed answer that did not fail. It is stored."""

    verdict: Verdict
    stop_reason: StopReason | None
    usage: Usage


async def answer(question: str, config: ModelConfig) -> Verdict:
    """A structured answer, judged and stored. Raises ModelFailure, whose code is of the product's vocabulary."""
    inquiry = await begin(question, config, ANSWER_PROMPT)
    async with _stored(inquiry, Channel.ANSWER):
        verdict = await judged(inquiry)
    await store_answered(inquiry, Channel.ANSWER, verdict)
    return verdict


async def stream(question: str, config: ModelConfig) -> AsyncGenerator[Text | Judged, None]:
    """An answer in prose as it arrives, then what the checks say of it. Raises ModelFailure.

    Closing the generator, or cancelling its consumer, stops the model call.
    """
    inquiry = await begin(question, config, PROSE_PROMPT)
    async with _stored(inquiry, Channel.STREAM):
        async with ModelStream(inquiry.request, config) as model:
            try:
                async for event in model:
                    if isinstance(event, Chunk):
                        yield Text(event.text)
            finally:
                inquiry.heard(model.completion, inquiry.request.messages)
        _raise_failure(inquiry.last.failure)
        verdict = _judged_prose(inquiry)
    await store_answered(inquiry, Channel.STREAM, verdict)
    yield Judged(verdict, inquiry.last.stop_reason, inquiry.usage)


@asynccontextmanager
async def _stored(inquiry: Inquiry, channel: Channel) -> AsyncIterator[None]:
    """Stores what failed, or was left by its client; what was answered is stored by its door, with the verdict."""
    try:
        yield
    except (asyncio.CancelledError, GeneratorExit):
        with suppress(ModelFailure):
            await store_left(inquiry, channel)
        raise
    except Exception as error:
        failure = failure_from(error)
        await store_failed(inquiry, channel, failure)
        raise ModelFailure(failure.code, failure.detail) from None


def _raise_failure(failure: Failure | None) -> None:
    if failure is not None:
        raise ModelFailure(failure.code, failure.detail)


async def judged(inquiry: Inquiry) -> Verdict:
    """Ask for a structured answer and check it. Raises ModelFailure."""
    result = await ask_structured(inquiry.request, EvidenceAnswer, inquiry.config, on_call=inquiry.heard)
    _raise_failure(result.failure)
    said = result.value
    if said is None:
        return Verdict(AnswerCode(str(result.code)), inquiry.last.text, reasons=result.problems)
    verdict = _checked(inquiry, said.answer, tuple(dict.fromkeys(said.cited_ids)))
    return replace(verdict, confidence=said.confidence, status=said.status)


def _judged_prose(inquiry: Inquiry) -> Verdict:
    completion = inquiry.last
    if (stopped := stop_problem(completion)) is not None:
        code, problem = stopped
        return Verdict(AnswerCode(code), completion.text, reasons=(Problem((), problem),))
    prose = read_prose(completion.text, inquiry.evidence.corpus)
    verdict = _checked(inquiry, prose.text, prose.cited_ids)
    if not prose.cited_ids and not prose.abstains:
        uncited = Problem(("cited_ids",), "no document is cited")
        verdict = replace(verdict, code=AnswerCode.UNSUPPORTED, reasons=(*verdict.reasons, uncited))
    return replace(verdict, text=completion.text, status="abstained" if prose.abstains else "answered")


def _checked(inquiry: Inquiry, text: str, cited_ids: tuple[str, ...]) -> Verdict:
    evidence = inquiry.evidence
    problems = evidence.problems(text, cited_ids)
    if problems:
        return Verdict(AnswerCode.UNSUPPORTED, text, cited_ids, reasons=problems)
    return Verdict(AnswerCode.OK, text, cited_ids, evidence.citations(text, cited_ids))
