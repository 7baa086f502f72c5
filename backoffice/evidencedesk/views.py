"""The evidence desk's HTTP doors: parse, call the service, answer. Both are open, and throttled per client."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import asdict
from typing import Any

from django.http import HttpResponse, QueryDict, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from backoffice.api.access import Rate
from backoffice.api.error_bodies import MODEL_ERRORS, REQUEST_ERRORS
from backoffice.api.requests import validated
from backoffice.api.streams import done_event, event_stream
from backoffice.api.views import AsyncAPIView
from backoffice.evidencedesk import answers
from backoffice.evidencedesk.inquiry import Verdict
from backoffice.evidencedesk.schemas import (
    MAX_QUESTION,
    STREAM_DESCRIPTION,
    STREAM_EXAMPLE,
    AskIn,
    AskOut,
    AskQuery,
    CitationOut,
)
from backoffice.llm import sse
from backoffice.llm.client import ModelConfig, model_config
from backoffice.pages import question_page

STREAM = OpenApiResponse(
    OpenApiTypes.STR, STREAM_DESCRIPTION, [OpenApiExample("A good stream", STREAM_EXAMPLE, media_type=sse.MEDIA_TYPE)]
)
QUESTION = OpenApiParameter(
    "q", {"type": "string", "minLength": 1, "maxLength": MAX_QUESTION}, required=True, description="The question"
)
BODYLESS = frozenset({413, 415})

_page = question_page("evidencedesk/ask.html", "Evidence desk", "evidencedesk/icon.svg", MAX_QUESTION)


class AskRate(Rate):
    setting = "ASK_RATE"


class AskView(AsyncAPIView):
    is_open = True
    throttle_classes = (AskRate,)

    @extend_schema(operation_id="ask", request=AskIn, responses={200: AskOut, **REQUEST_ERRORS, **MODEL_ERRORS})
    async def post(self, request: Request) -> Response:
        """Answer a policy question from the documents, with citations; what they do not back is withheld."""
        config = model_config()
        verdict = await answers.answer(self.body(AskIn).question, config)
        return Response(_ask_out(verdict).model_dump(mode="json"))


class AskStreamView(AsyncAPIView):
    is_open = True
    throttle_classes = (AskRate,)
    http_method_names = ("get", "options")  # HEAD would ask the model for nobody

    @extend_schema(
        operation_id="ask_stream",
        parameters=[QUESTION],
        responses={
            (200, sse.MEDIA_TYPE): STREAM,
            **{status: body for status, body in REQUEST_ERRORS.items() if status not in BODYLESS},
        },
    )
    async def get(self, request: Request) -> StreamingHttpResponse:
        """The answer in prose as it arrives, and at its end whether the documents back it."""
        config = model_config()
        query = validated(AskQuery, _once(request.GET), "query")
        return event_stream(_events(query.q, config))


@extend_schema(exclude=True)
class AskPageView(AsyncAPIView):
    """The page, in the place of `POST /ask` with one slash too many, which gets an error as programs read it."""

    is_open = True
    http_method_names = ("get", "head", "options")

    async def get(self, request: Request) -> HttpResponse:
        return await _page(request._request)


def _once(query: QueryDict) -> dict[str, Any]:
    """A parameter that is given twice is no text but a list, and refused as such."""
    return {name: values[0] if len(values) == 1 else values for name, values in query.lists()}


def _ask_out(verdict: Verdict) -> AskOut:
    if not verdict.ok:
        return AskOut(
            answer=answers.APOLOGY,
            cited_ids=[],
            confidence=None,
            status=None,
            ok=False,
            code=verdict.code,
            citations=[],
        )
    return AskOut(
        answer=verdict.text,
        cited_ids=list(verdict.cited_ids),
        confidence=verdict.confidence,
        status=verdict.status,
        ok=True,
        code=verdict.code,
        citations=[CitationOut(**asdict(citation)) for citation in verdict.citations],
    )


async def _events(question: str, config: ModelConfig) -> AsyncGenerator[tuple[str, Any], None]:
    async with aclosing(answers.stream(question, config)) as events:
        async for event in events:
            if isinstance(event, answers.Text):
                yield "chunk", {"text": event.text}
                continue
            citations = [asdict(citation) for citation in event.verdict.citations]
            yield "citations", {"ok": event.verdict.ok, "citations": citations}
            yield done_event(event.stop_reason, event.usage)
