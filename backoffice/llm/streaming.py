"""One model call, streamed: the SDK authenticates, retries and opens it; the bytes go through our own reader.

The SDK's own stream hides `[DONE]`, breaks on keep-alives and costs three times as much; read as bytes, errors in
mid-stream come unwrapped (httpx2 and aiohttp), which is why `failures` knows all three libraries.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TypeVar

from openai import AsyncAPIResponse

from backoffice.llm.assembly import NOTHING_READABLE, Assembly
from backoffice.llm.chunks import ChunkReader
from backoffice.llm.client import ModelConfig, client_for
from backoffice.llm.events import Completion, Error, Event
from backoffice.llm.failures import ON_THE_WIRE, TRANSPORT_ERRORS, Failure, FailureCode, failure_from
from backoffice.llm.observing import EndedCall, call_ended
from backoffice.llm.tools import Tool

T = TypeVar("T")

Message = Mapping[str, Any]

JUST_ENDED = Failure(FailureCode.INTERRUPTED, "The stream ended without a stop reason.")
RELEASE_SECONDS = 0.05
STREAM_OPTIONS = {"include_usage": True}


@dataclass(frozen=True, slots=True)
class ModelRequest:
    messages: Sequence[Message]
    max_tokens: int
    temperature: float = 0
    tools: tuple[Tool, ...] = ()
    tool_choice: str | None = None
    """`none` forbids tools that are declared all the same; None leaves the choice to the model."""
    response_format: Mapping[str, Any] | None = None

    def parameters(self, model: str) -> dict[str, Any]:
        """The wire's parameters without the messages, as they are sent and as the audit keeps them."""
        parameters: dict[str, Any] = {"model": model, "temperature": self.temperature, "max_tokens": self.max_tokens}
        if self.tools:
            parameters["tools"] = [tool.declaration for tool in self.tools]
        if self.tool_choice is not None:
            parameters["tool_choice"] = self.tool_choice
        if self.response_format is not None:
            parameters["response_format"] = self.response_format
        return parameters


class TimeLimits:
    """The two limits of a call. Only waiting on the provider counts towards the one between data events."""

    def __init__(self, config: ModelConfig) -> None:
        self._clock = asyncio.get_running_loop().time
        self.started = self._clock()
        self._deadline = self.started + config.call_timeout
        self._chunk_timeout = config.chunk_timeout
        self._silent_until: float | None = None

    @property
    def elapsed(self) -> float:
        return self._clock() - self.started

    async def for_call(self, awaitable: Awaitable[T]) -> T:
        async with asyncio.timeout_at(self._deadline):
            return await awaitable

    async def for_chunk(self, awaitable: Awaitable[T]) -> T:
        if self._silent_until is None:
            self._silent_until = self._clock() + self._chunk_timeout
        async with asyncio.timeout_at(min(self._deadline, self._silent_until)):
            return await awaitable

    def heard(self) -> None:
        self._silent_until = None


class ModelStream:
    """`async with ModelStream(request, config) as stream: async for event in stream: …`, then `stream.completion`.

    Iterating never raises but for cancellation: every failure is the stream's last event, an Error. Leaving the block
    for any cause closes the upstream. `completion` can be read at any time and holds what has arrived so far.
    """

    def __init__(self, request: ModelRequest, config: ModelConfig) -> None:
        self._request = request
        self._config = config
        self._parameters = request.parameters(config.model)
        self._limits = TimeLimits(config)
        self._reader = ChunkReader()
        self._assembly = Assembly({tool.name for tool in request.tools})
        self._first_text: float | None = None
        self._batches = self._run()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self._batches.aclose()
        finally:
            config = self._config
            call_ended(
                EndedCall(config.provider, config.model, config.base_url, self._request.messages, self.completion)
            )

    async def __aiter__(self) -> AsyncIterator[Event]:
        async for batch in self._batches:
            for event in batch:
                yield event

    async def drain(self) -> Completion:
        """Read to the end, for a caller that needs no event on its own."""
        async for _ in self._batches:
            pass
        return self.completion

    @property
    def completion(self) -> Completion:
        return self._assembly.completion(
            request=self._parameters,
            done_marker=self._reader.done_marker,
            duration=self._limits.elapsed,
            first_text=self._first_text,
        )

    async def _run(self) -> AsyncGenerator[list[Event], None]:
        without_stop = JUST_ENDED
        response: AsyncAPIResponse[Any] | None = None
        try:
            response = await self._limits.for_call(self._open())
            async for batch in self._read(response.http_response.aiter_bytes()):
                yield batch
        except Exception as error:
            without_stop = self._broken(error)
        finally:
            if response is not None:
                await response.close()
        yield self._taken(self._reader.finish())
        if without_stop is JUST_ENDED and not self._reader.data_events:
            without_stop = NOTHING_READABLE
        yield [self._assembly.ending(without_stop)]

    async def _open(self) -> AsyncAPIResponse[Any]:
        # By `extra_body` the SDK merges the body in as it is. Given as arguments, messages and tools are searched for
        # what it would have to convert; there is never any, and the search takes half the time of a call.
        create: Any = client_for(self._config).chat.completions.with_streaming_response.create
        body = {"messages": self._request.messages, **self._parameters}
        manager = create(
            messages=(), model=self._config.model, stream=True, stream_options=STREAM_OPTIONS, extra_body=body
        )
        response: AsyncAPIResponse[Any] = await manager.__aenter__()
        return response

    async def _read(self, source: AsyncIterator[bytes]) -> AsyncIterator[list[Event]]:
        reader = self._reader
        heard = 0
        while not (reader.ended or self._assembly.full):
            data = await self._limits.for_chunk(anext(source, b""))
            if not data:
                return
            batch = self._taken(reader.feed(data))
            if reader.data_events != heard:
                heard = reader.data_events
                self._limits.heard()
            yield batch
        if reader.done_marker:
            await self._release(source)

    @staticmethod
    async def _release(source: AsyncIterator[bytes]) -> None:
        """After `[DONE]` the end of the body is nearly always there already; read, it gives the connection back to the
        pool. A server that holds the body open has its connection closed instead."""
        with suppress(TimeoutError, *TRANSPORT_ERRORS):
            async with asyncio.timeout(RELEASE_SECONDS):
                while await anext(source, b""):
                    pass

    def _taken(self, events: list[Event]) -> list[Event]:
        """Fold the events in; an Error is held back, since it is told once, at the very end."""
        self._assembly.feed(events)
        if self._first_text is None and self._assembly.has_text:
            self._first_text = self._limits.elapsed
        return [event for event in events if type(event) is not Error] if self._reader.ended else events

    def _broken(self, error: Exception) -> Failure:
        failure = failure_from(error)
        if failure.code not in ON_THE_WIRE:
            self._assembly.fail(failure)
        return failure


async def complete(request: ModelRequest, config: ModelConfig) -> Completion:
    """One call to its end. Never raises but for cancellation: a failure is in the completion."""
    async with ModelStream(request, config) as stream:
        return await stream.drain()
