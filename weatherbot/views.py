"""The customer chat's HTTP doors: parse, call the one loop, answer. Both are open, and throttled per client."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from backoffice.api.access import Rate
from backoffice.api.error_bodies import MODEL_ERRORS, REQUEST_ERRORS
from backoffice.api.streams import done_event, event_stream
from backoffice.api.views import AsyncAPIView
from backoffice.llm import sse
from backoffice.llm.client import ModelConfig, model_config
from backoffice.pages import question_page
from weatherbot.chat import Answered, Text, ToolsAsked, answer_to, chat
from weatherbot.schemas import MAX_MESSAGE, STREAM_DESCRIPTION, STREAM_EXAMPLE, ChatIn, ChatOut

STREAM = OpenApiResponse(
    OpenApiTypes.STR, STREAM_DESCRIPTION, [OpenApiExample("A good stream", STREAM_EXAMPLE, media_type=sse.MEDIA_TYPE)]
)

chat_page = question_page("weatherbot/chat.html", "Weather chat", "weatherbot/icon.svg", MAX_MESSAGE)


class WeatherRate(Rate):
    setting = "WEATHER_RATE"


class ChatView(AsyncAPIView):
    is_open = True
    throttle_classes = (WeatherRate,)

    @extend_schema(
        operation_id="weather_chat", request=ChatIn, responses={200: ChatOut, **REQUEST_ERRORS, **MODEL_ERRORS}
    )
    async def post(self, request: Request) -> Response:
        """Answer a question about the weather, looked up where that is needed."""
        config = model_config()
        answer = await answer_to(self.body(ChatIn).message, config)
        return Response(ChatOut(answer=answer.text).model_dump())


class ChatStreamView(AsyncAPIView):
    is_open = True
    throttle_classes = (WeatherRate,)

    @extend_schema(
        operation_id="weather_chat_stream",
        request=ChatIn,
        responses={(200, sse.MEDIA_TYPE): STREAM, **REQUEST_ERRORS},
    )
    async def post(self, request: Request) -> StreamingHttpResponse:
        """The same answer as it arrives. Once it has begun the status is 200, and a failure is its last event."""
        config = model_config()
        return event_stream(_events(self.body(ChatIn).message, config))


async def _events(message: str, config: ModelConfig) -> AsyncGenerator[tuple[str, Any], None]:
    async with aclosing(chat(message, config)) as events:
        async for event in events:
            match event:
                case Text(text):
                    yield "chunk", {"text": text}
                case ToolsAsked(names):
                    for name in names:
                        yield "tool", {"name": name}
                case Answered():
                    yield done_event(event.stop_reason, event.usage)
