"""The in-process door: the real SDK talks to the stand-in through an HTTP transport, with no socket in between."""

import asyncio
from collections.abc import AsyncIterator

import httpx2

from backoffice.llm.scripted.doors import Answer, Ending, Handler, HttpCall
from backoffice.llm.scripted.model import ScriptedModel
from backoffice.llm.scripted.script import Drop, Sleep


class ScriptedTransport(httpx2.AsyncBaseTransport):
    """For `openai.DefaultAioHttpClient(transport=ScriptedTransport())`, or any other httpx2 client.

    Like a real connection it raises ReadTimeout where the client's read timeout passes in silence, RemoteProtocolError
    where it is cut before the answer and ReadError where it is cut inside.
    """

    def __init__(self, handler: Handler | None = None) -> None:
        self.handler: Handler = handler or ScriptedModel()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        call = HttpCall(request.method, request.url.path, request.headers, await request.aread())
        playback = _Playback(self.handler.handle(call), request)
        await playback.before()
        script = playback.answer.script
        return httpx2.Response(script.status, headers=list(script.headers), stream=playback, request=request)


class _Playback(httpx2.AsyncByteStream):
    """One answer being given; tells its observer once how it ended."""

    def __init__(self, answer: Answer, request: httpx2.Request) -> None:
        self.answer = answer
        self._request = request
        self._patience: float | None = request.extensions.get("timeout", {}).get("read")
        self._silence = 0.0
        self._clock = asyncio.get_running_loop().time
        self._began = self._clock()
        self._ended = False

    async def before(self) -> None:
        try:
            for step in self.answer.script.before:
                await self._wait_or_drop(step)
        except asyncio.CancelledError:
            self._end("hung_up")
            raise

    async def __aiter__(self) -> AsyncIterator[bytes]:
        body = self.answer.script.body
        for number, step in enumerate(body, start=1):
            if isinstance(step, bytes):
                self._silence = 0.0
                if number == len(body):
                    self._end("sent")
                yield step
            else:
                await self._wait_or_drop(step, inside=True)
        self._end("sent")

    async def aclose(self) -> None:
        """Leaving an answer of one piece unread is no hanging up: a socket would have carried it all."""
        self._end("hung_up" if len(self.answer.script.body) > 1 else "sent")

    async def _wait_or_drop(self, step: Sleep | Drop, *, inside: bool = False) -> None:
        if isinstance(step, Sleep):
            await self._wait(step.seconds)
            return
        self._end("dropped")
        if inside:
            raise httpx2.ReadError("the connection was cut", request=self._request)
        raise httpx2.RemoteProtocolError("server disconnected without an answer", request=self._request)

    async def _wait(self, seconds: float) -> None:
        self._silence += seconds
        too_long = 0.0 if self._patience is None else self._silence - self._patience
        if too_long <= 0:
            await asyncio.sleep(seconds)
            return
        await asyncio.sleep(seconds - too_long)
        self._end("timed_out")
        raise httpx2.ReadTimeout("nothing came within the read timeout", request=self._request)

    def _end(self, ending: Ending) -> None:
        if not self._ended:
            self._ended = True
            self.answer.end(ending, self._clock() - self._began)
