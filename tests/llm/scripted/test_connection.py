"""The server's side of HTTP/1.1, seen by a bare socket: what a client library would hide."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from backoffice.llm.scripted import ScriptedModel
from backoffice.llm.scripted.doors import Answer, Exchange, Handler, HttpCall
from backoffice.llm.scripted.script import Script
from backoffice.llm.scripted.server import Address, serving
from tests.llm.scripted.asking import body, encoded, with_faults

MODELS = b"GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n"


def _post(payload: Any, *headers: str) -> bytes:
    content = encoded(payload)
    lines = ["POST /v1/chat/completions HTTP/1.1", "host: x", f"content-length: {len(content)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + content


@asynccontextmanager
async def _connected(handler: Handler) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    async with serving(handler) as address:
        reader, writer = await asyncio.open_connection(address.host, address.port)
        try:
            yield reader, writer
        finally:
            writer.close()


async def _head(reader: asyncio.StreamReader) -> tuple[str, dict[str, str]]:
    status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
    return status, dict(line.split(": ", 1) for line in lines)


async def _whole(reader: asyncio.StreamReader) -> tuple[str, bytes]:
    status, headers = await _head(reader)
    return status, await reader.readexactly(int(headers["content-length"]))


async def test_a_connection_serves_one_request_after_another() -> None:
    async with _connected(ScriptedModel()) as (reader, writer):
        for _ in range(2):
            writer.write(MODELS)
            assert (await _whole(reader))[0] == "HTTP/1.1 200 OK"


async def test_requests_sent_at_once_are_answered_in_their_order() -> None:
    async with _connected(ScriptedModel()) as (reader, writer):
        writer.write(_post(body("ttft", stream=False), "x-scripted-faults: 503=9") + MODELS)
        assert (await _whole(reader))[0] == "HTTP/1.1 503 Service Unavailable"
        assert json.loads((await _whole(reader))[1])["object"] == "list"


async def test_a_connection_is_closed_where_the_client_asked_for_it() -> None:
    async with _connected(ScriptedModel()) as (reader, writer):
        writer.write(MODELS.replace(b"host: x", b"connection: close"))
        await _whole(reader)
        assert await reader.read() == b""


async def test_a_stream_is_a_chunked_body_with_a_proper_end() -> None:
    async with _connected(ScriptedModel()) as (reader, writer):
        writer.write(_post(body(stream=True), "connection: close"))
        _, headers = await _head(reader)
        assert headers["transfer-encoding"] == "chunked"
        assert (await reader.read()).endswith(b"data: [DONE]\n\n\r\n0\r\n\r\n")


async def test_a_dropped_stream_lacks_the_end_of_its_chunked_body() -> None:
    async with _connected(ScriptedModel(with_faults("drop-mid"))) as (reader, writer):
        writer.write(_post(body(stream=True)))
        content = await reader.read()
        assert b"data: {" in content
        assert not content.endswith(b"0\r\n\r\n")


async def test_a_clean_end_is_a_proper_end_without_the_marker() -> None:
    async with _connected(ScriptedModel(with_faults("eof"))) as (reader, writer):
        writer.write(_post(body(stream=True), "connection: close"))
        content = await reader.read()
        assert b"[DONE]" not in content
        assert content.endswith(b"\r\n0\r\n\r\n")


async def test_a_drop_before_the_answer_sends_nothing() -> None:
    async with _connected(ScriptedModel(with_faults("drop"))) as (reader, writer):
        writer.write(_post(body()))
        assert await reader.read() == b""


async def test_a_reset_is_seen_as_one() -> None:
    async with _connected(ScriptedModel(with_faults("reset-mid"))) as (reader, writer):
        writer.write(_post(body(stream=True)))
        with pytest.raises(ConnectionResetError):
            await reader.read()


async def test_a_body_that_waits_for_leave_is_asked_for() -> None:
    async with _connected(ScriptedModel()) as (reader, writer):
        head, _, content = _post(body(), "expect: 100-continue").partition(b"\r\n\r\n")
        writer.write(head + b"\r\n\r\n")
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        writer.write(content)
        assert (await _head(reader))[0] == "HTTP/1.1 200 OK"


async def test_a_chunked_request_is_read() -> None:
    async with _connected(ScriptedModel()) as (reader, writer):
        content = encoded(body())
        head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
        writer.write(head + b"%x\r\n%b\r\n0\r\n\r\n" % (len(content), content))
        assert (await _head(reader))[0] == "HTTP/1.1 200 OK"


async def test_a_query_is_no_part_of_the_path() -> None:
    async with _connected(ScriptedModel()) as (reader, writer):
        writer.write(MODELS.replace(b"/models", b"/models?limit=3"))
        assert (await _whole(reader))[0] == "HTTP/1.1 200 OK"


async def test_what_is_no_http_is_refused() -> None:
    async with _connected(ScriptedModel()) as (reader, writer):
        writer.write(b"hello there\r\n\r\n")
        assert (await reader.read()).startswith(b"HTTP/1.1 400 Bad Request\r\n")


async def test_an_endless_body_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backoffice.llm.scripted.connection._LARGEST_BODY", 100)
    async with _connected(ScriptedModel()) as (reader, writer):
        writer.write(_post(body("x" * 200)))
        with pytest.raises(ConnectionError):
            assert await reader.read() == b""
            raise ConnectionResetError


class Hesitant:
    """Begins with a piece of nothing."""

    def handle(self, call: HttpCall) -> Answer:
        return Answer(Script(body=(b"", b"data: x\n\n")))


async def test_a_piece_of_nothing_does_not_end_the_body() -> None:
    async with _connected(Hesitant()) as (reader, writer):
        writer.write(MODELS.replace(b"host: x", b"connection: close"))
        await _head(reader)
        assert await reader.read() == b"9\r\ndata: x\n\n\r\n0\r\n\r\n"


class Unknown:
    """Answers with a status that HTTP has no words for."""

    def handle(self, call: HttpCall) -> Answer:
        return Answer(Script(599, (("content-length", "0"),)))


async def test_a_status_without_words_is_sent() -> None:
    async with _connected(Unknown()) as (reader, writer):
        writer.write(MODELS)
        assert (await _whole(reader))[0] == "HTTP/1.1 599 Scripted"


class Broken:
    def handle(self, call: HttpCall) -> Answer:
        raise RuntimeError("a bug of ours")


async def test_a_bug_in_a_handler_is_a_500_and_is_reported() -> None:
    reported: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: reported.append(context))
    async with _connected(Broken()) as (reader, writer):
        writer.write(MODELS)
        status, content = await _whole(reader)
    assert status == "HTTP/1.1 500 Internal Server Error"
    assert b"a bug of ours" not in content
    assert [str(context["exception"]) for context in reported] == ["a bug of ours"]


class Flood:
    """More than any socket buffers, for a client that does not read."""

    def __init__(self, exchange: Exchange, seen: list[Exchange]) -> None:
        self._answer = Answer(Script(body=(b"x" * 1_000_000,) * 40), exchange, seen.append)

    def handle(self, call: HttpCall) -> Answer:
        return self._answer


async def test_a_client_that_reads_slowly_is_waited_for_and_gets_all() -> None:
    seen: list[Exchange] = []
    async with _connected(Flood(Exchange("", "", 1, 1, (), 200), seen)) as (reader, writer):
        writer.write(MODELS.replace(b"host: x", b"connection: close"))
        await _head(reader)
        assert seen == []
        content = await reader.read()
    assert content.count(b"x") == 40_000_000
    assert [exchange.ended for exchange in seen] == ["sent"]


async def test_a_client_that_leaves_without_reading_is_noticed() -> None:
    seen: list[Exchange] = []
    async with _connected(Flood(Exchange("", "", 1, 1, (), 200), seen)) as (reader, writer):
        writer.write(MODELS)
        await _head(reader)
        writer.transport.abort()
        for _ in range(200):
            if seen:
                break
            await asyncio.sleep(0.01)
    assert [exchange.ended for exchange in seen] == ["hung_up"]


async def test_leaving_the_block_cuts_what_is_being_answered() -> None:
    seen: list[Exchange] = []
    async with _connected(ScriptedModel(with_faults("stall-mid"), seen.append)) as (reader, writer):
        writer.write(_post(body(stream=True)))
        await _head(reader)
    assert await reader.read() is not None
    await asyncio.sleep(0)
    assert [exchange.ended for exchange in seen] == ["hung_up"]


@pytest.mark.parametrize(
    ("address", "base_url"),
    [(Address("127.0.0.1", 8901), "http://127.0.0.1:8901/v1"), (Address("::1", 80), "http://[::1]:80/v1")],
)
def test_an_address_is_written_as_a_base_url(address: Address, base_url: str) -> None:
    assert address.base_url == base_url
