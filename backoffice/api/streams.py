"""Server-sent events as a response: unbuffered, kept alive while the model is silent, with one error at the most."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any

from django.conf import settings
from django.http import StreamingHttpResponse

from backoffice.llm import sse
from backoffice.llm.chunks import PUBLIC_ERROR
from backoffice.llm.events import StopReason
from backoffice.llm.failures import ModelFailure
from backoffice.llm.usage import Usage

logger = logging.getLogger(__name__)

Events = AsyncGenerator[tuple[str, Any], None]
"""Kinds and their JSON data. What it raises becomes the stream's one `error` event."""

BACKLOG = 16
"""Events that may wait for a slow client before the model's stream is read no further."""


def done_event(stop_reason: StopReason | None, usage: Usage) -> tuple[str, Any]:
    """The last event of a good stream; what is unknown is null."""
    tokens = {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens}
    return "done", {"stop_reason": stop_reason, "usage": tokens}


def event_stream(events: Events) -> StreamingHttpResponse:
    return StreamingHttpResponse(
        encoded(events),
        content_type=sse.MEDIA_TYPE,
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def encoded(events: Events) -> AsyncIterator[bytes]:
    """The bytes of the response. When the client leaves, the events' generator is closed, and with it the upstream."""
    queue: asyncio.Queue[bytes | None] = asyncio.Queue(BACKLOG)
    pump = asyncio.create_task(_pump(events, queue))
    try:
        while (data := await _next(queue)) is not None:
            yield data
    finally:
        pump.cancel()
        await asyncio.wait([pump])


async def _next(queue: asyncio.Queue[bytes | None]) -> bytes | None:
    try:
        async with asyncio.timeout(settings.SSE_KEEPALIVE_SECONDS):
            return await queue.get()
    except TimeoutError:
        return sse.KEEP_ALIVE


async def _pump(events: Events, queue: asyncio.Queue[bytes | None]) -> None:
    try:
        async with aclosing(events):
            async for kind, data in events:
                await queue.put(sse.encode(kind, data))
    except Exception as error:
        if not isinstance(error, ModelFailure):
            logger.exception("an event stream failed")
        await queue.put(sse.encode("error", {"text": PUBLIC_ERROR}))
    await queue.put(None)
