"""What the evidence desk takes, what it holds the model to, and what it gives."""

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from backoffice.api.fields import REFUSE_LONE_SURROGATES, REFUSE_NUL
from backoffice.llm.results import ResultCode

MAX_QUESTION = 500  # characters, that is Unicode code points
MAX_ANSWER = 1_000

QuestionText = Annotated[str, Field(min_length=1, max_length=MAX_QUESTION), REFUSE_LONE_SURROGATES, REFUSE_NUL]
Confidence = Literal["high", "medium", "low"]
AnswerStatus = Literal["answered", "abstained"]


class AskIn(BaseModel):
    """The body of `POST /ask`."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    question: QuestionText


class AskQuery(BaseModel):
    """The query of `GET /ask/stream`. Parameters of others (a tracker's, a polyfill's) are read past."""

    model_config = ConfigDict(strict=True, frozen=True)

    q: QuestionText


class EvidenceAnswer(BaseModel):
    """What the model must answer with."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    answer: Annotated[str, Field(min_length=1, max_length=MAX_ANSWER)]
    cited_ids: list[str]
    confidence: Confidence
    status: AnswerStatus

    @model_validator(mode="after")
    def _cites_what_it_should(self) -> Self:
        if self.status == "answered" and not self.cited_ids:
            raise PydanticCustomError("no_citation", "An answer with status answered cites at least one document")
        if self.status == "abstained" and self.cited_ids:
            raise PydanticCustomError("idle_citation", "An answer with status abstained cites no document")
        return self


class AnswerCode(StrEnum):
    """What came of a question: the codes of a structured result, and the one for rules that no schema can express."""

    OK = ResultCode.OK.value
    TRUNCATED = ResultCode.TRUNCATED.value
    UNUSABLE_STOP = ResultCode.UNUSABLE_STOP.value
    INVALID_JSON = ResultCode.INVALID_JSON.value
    INVALID_SCHEMA = ResultCode.INVALID_SCHEMA.value
    UNSUPPORTED = "unsupported"


class CitationOut(BaseModel):
    id: str
    title: str
    passage: str
    """The sentence of the document that backs the answer."""


class AskOut(BaseModel):
    """Where `ok` is false, `answer` is the apology, the lists are empty and the rest is null."""

    answer: str
    cited_ids: list[str]
    confidence: Confidence | None
    status: AnswerStatus | None
    ok: bool
    code: AnswerCode
    citations: list[CitationOut]


STREAM_DESCRIPTION = """\
Server-sent events, each one line of JSON:

- `chunk` `{"text": string}`: a piece of text, as it arrives. A document's id in square brackets is a citation;
- `citations` `{"ok": boolean, "citations": [{"id", "title", "passage"}]}`: what the checks found. Until it comes, the \
text is unconfirmed; where `ok` is false, say so and do not rely on it;
- `done` `{"stop_reason": "end" | "length" | "content_filter" | "tool_calls", "usage": \
{"input_tokens": integer | null, "output_tokens": integer | null}}`: the last event of a stream that ended;
- `error` `{"text": "upstream failed"}`: the last event of a stream that failed.

A comment line is sent while the model is silent. A stream that ends with neither `done` nor `error` was cut off.
"""
STREAM_EXAMPLE = """\
event: chunk
data: {"text":"Invoices are due after 30 days"}

event: chunk
data: {"text":" [payment-terms]."}

event: citations
data: {"ok":true,"citations":[{"id":"payment-terms","title":"Payment terms","passage":"Invoices are due 30 days net."}]}

event: done
data: {"stop_reason":"end","usage":{"input_tokens":934,"output_tokens":41}}

"""
