"""One HTTP/1.1 connection of the stand-in's server, on the bare protocol of asyncio.

A framework would not let an answer be cut in the middle of a chunked body, which is what this server is for.
"""

import asyncio
import socket
import struct
from collections import deque
from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import unquote

import httptools

from backoffice.llm.scripted.doors import Answer, Ending, Handler, HttpCall
from backoffice.llm.scripted.script import Drop, Script, Sleep, Step, error_answer

_LAST_CHUNK = b"0\r\n\r\n"
_LINGER_ZERO = struct.pack("ii", 1, 0)
_LARGEST_BODY = 64 * 1024 * 1024


class _Dropped(Exception):
    """The script cuts the connection here."""


class Connection(asyncio.Protocol):
    """Answers the requests of one connection, one after another; notices at once when the client hangs up."""

    def __init__(self, handler: Handler, opened: "set[Connection]") -> None:
        self._handler = handler
        self._opened = opened
        self._parser = httptools.HttpRequestParser(self)
        self._calls: deque[tuple[HttpCall, bool]] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._writable = asyncio.Event()
        self._writable.set()
        self._clock: Callable[[], float] = asyncio.get_running_loop().time
        self._start_request()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._opened.add(self)

    def connection_lost(self, _exc: Exception | None) -> None:
        self._opened.discard(self)
        self._writable.set()
        if self._worker is not None:
            self._worker.cancel()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def close(self) -> None:
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError:
            self._transport.write(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
            self._transport.close()

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        if self._headers.get("expect", "").lower() == "100-continue":
            self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, body: bytes) -> None:
        self._body += body
        if len(self._body) > _LARGEST_BODY:
            self._transport.abort()

    def on_message_complete(self) -> None:
        path = unquote(self._url.decode("latin-1").partition("?")[0])
        call = HttpCall(self._parser.get_method().decode("latin-1"), path, self._headers, bytes(self._body))
        self._calls.append((call, self._parser.should_keep_alive()))
        self._start_request()
        if self._worker is None:
            self._worker = asyncio.get_running_loop().create_task(self._work())

    def _start_request(self) -> None:
        self._url = b""
        self._headers: dict[str, str] = {}
        self._body = bytearray()

    async def _work(self) -> None:
        while self._calls:
            call, keep_alive = self._calls.popleft()
            await self._answer(call)
            if not keep_alive:
                self._transport.close()
        self._worker = None

    async def _answer(self, call: HttpCall) -> None:
        began = self._clock()
        answer = self._handled(call)
        ending: Ending = "hung_up"
        try:
            await self._play(answer.script)
            ending = "sent"
        except _Dropped:
            ending = "dropped"
        finally:
            answer.end(ending, self._clock() - began)

    def _handled(self, call: HttpCall) -> Answer:
        try:
            return self._handler.handle(call)
        except Exception as error:
            asyncio.get_running_loop().call_exception_handler({"message": "the stand-in failed", "exception": error})
            return Answer(error_answer(500, "The scripted model failed; its log says why.", "server_error"))

    async def _play(self, script: Script) -> None:
        for step in script.before:
            await self._perform(step, chunked=False)
        chunked = not any(name == "content-length" for name, _ in script.headers)
        await self._write(_head(script, chunked))
        for part in script.body:
            await self._perform(part, chunked)
        if chunked:
            await self._write(_LAST_CHUNK)

    async def _perform(self, step: Step, chunked: bool) -> None:
        if isinstance(step, bytes):
            if step:
                await self._write(b"%x\r\n%b\r\n" % (len(step), step) if chunked else step)
        elif isinstance(step, Sleep):
            await asyncio.sleep(step.seconds)
        else:
            self._drop(step)

    async def _write(self, data: bytes) -> None:
        self._transport.write(data)
        if not self._writable.is_set():
            await self._writable.wait()

    def _drop(self, step: Drop) -> None:
        """Closing sends what was written and then ends the connection; a reset ends it at once (RFC 9293, 3.5.1)."""
        if step.reset:
            connected = self._transport.get_extra_info("socket")
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_ZERO)
            self._transport.abort()
        else:
            self._transport.close()
        raise _Dropped


def _head(script: Script, chunked: bool) -> bytes:
    try:
        reason = HTTPStatus(script.status).phrase
    except ValueError:
        reason = "Scripted"
    lines = [f"HTTP/1.1 {script.status} {reason}", *(f"{name}: {value}" for name, value in script.headers)]
    if chunked:
        lines.append("transfer-encoding: chunked")
    return "\r\n".join((*lines, "", "")).encode("latin-1", "replace")
