"""One question while it is worked on: what the model was shown and what it said, for the audit of however it ends."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils import timezone

from backoffice.evidencedesk.checks import Citation, Evidence
from backoffice.evidencedesk.prompts import messages_for
from backoffice.evidencedesk.retrieval import current_index
from backoffice.evidencedesk.schemas import AnswerCode, AnswerStatus, Confidence
from backoffice.llm.client import ModelConfig
from backoffice.llm.events import Completion
from backoffice.llm.record import record
from backoffice.llm.results import Problem
from backoffice.llm.streaming import Message, ModelRequest
from backoffice.llm.usage import NOTHING, Usage, total

MAX_TOKENS = 1_500
"""A thousand characters of any script, and the JSON around them."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the checks say of an answer. `text` is what the model said; whether it may be shown is `ok`."""

    code: AnswerCode
    text: str
    cited_ids: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    confidence: Confidence | None = None
    status: AnswerStatus | None = None
    reasons: tuple[Problem, ...] = ()

    @property
    def ok(self) -> bool:
        return self.code is AnswerCode.OK


@dataclass(slots=True)
class Inquiry:
    question: str
    config: ModelConfig
    prompt: str
    """The system prompt."""
    evidence: Evidence
    started_at: datetime = field(default_factory=timezone.now)
    exchange: list[dict[str, Any]] = field(default_factory=list)
    """One object for each model call, in the shape of `backoffice.llm.record`."""
    calls: list[Completion] = field(default_factory=list)
    _started: float = field(default_factory=time.perf_counter)

    @property
    def request(self) -> ModelRequest:
        return ModelRequest(messages_for(self.prompt, self.question, self.evidence.shown), MAX_TOKENS)

    def heard(self, completion: Completion, added: Sequence[Message]) -> None:
        """A model call has ended, well or not; `added` is what it added to the conversation."""
        self.calls.append(completion)
        self.exchange.append(record(completion, added))

    @property
    def last(self) -> Completion:
        return self.calls[-1] if self.calls else Completion()

    @property
    def usage(self) -> Usage:
        """Of all calls."""
        return total(call.usage for call in self.calls) if self.calls else NOTHING

    @property
    def elapsed(self) -> float:
        """Seconds since the question came."""
        return time.perf_counter() - self._started


async def begin(question: str, config: ModelConfig, prompt: str) -> Inquiry:
    """Choose the documents that the model will be shown."""
    index = await current_index()
    return Inquiry(question, config, prompt, Evidence(index.best(question), index.corpus.documents))
