"""Over real sockets: connections are reused, closed when nobody listens any more, and their troubles told apart."""

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest

from backoffice.llm import client
from backoffice.llm.client import ModelConfig, client_for, close_clients, model_config
from backoffice.llm.events import Chunk, Completion
from backoffice.llm.failures import FailureCode
from backoffice.llm.scripted.script import Drop, Script, Sleep
from backoffice.llm.scripted.server import serving
from backoffice.llm.streaming import ModelStream, complete
from tests.llm.raw_server import CHUNKED, HEAD, HOLD, LAST_CHUNK, Part, RawServer, framed
from tests.llm.streams import DONE, ENDED, STOP, Player, chunk, question

PATIENCE = 20.0
"""Seconds within which everything here happens on any machine; nothing waits for them to pass."""


@pytest.fixture
async def config_at() -> AsyncIterator[Callable[..., ModelConfig]]:
    def configured(base_url: str, **changes: Any) -> ModelConfig:
        limits = {"chunk_timeout": PATIENCE, "call_timeout": PATIENCE, **changes}
        return replace(model_config(), provider="openai", api_key="k", base_url=base_url, **limits)

    yield configured
    await close_clients()


Configured = Callable[..., ModelConfig]


async def answered(config_at: Configured, *answer: Part, closes: bool = False, **limits: float) -> Completion:
    async with RawServer(*answer, closes=closes).running() as base_url:
        return await complete(question(), config_at(base_url, **limits))


def code_of(completion: Completion) -> FailureCode | None:
    return completion.failure.code if completion.failure else None


async def test_a_connection_is_used_again_after_a_good_stream(config_at: Configured) -> None:
    server = RawServer(CHUNKED, framed(chunk("ok"), *ENDED), LAST_CHUNK)
    async with server.running() as base_url:
        for _ in range(4):
            assert (await complete(question(), config_at(base_url))).usable
    assert (server.connections, server.requests) == (1, 4)


async def test_it_is_used_again_when_the_end_of_the_body_comes_a_little_later(config_at: Configured) -> None:
    server = RawServer(CHUNKED, framed(chunk("ok"), *ENDED), 0.0, LAST_CHUNK)
    async with server.running() as base_url:
        for _ in range(3):
            assert (await complete(question(), config_at(base_url))).usable
    assert server.connections == 1


async def test_a_body_held_open_after_the_marker_is_closed(config_at: Configured) -> None:
    server = RawServer(CHUNKED, framed(chunk("ok"), *ENDED), HOLD)
    async with server.running() as base_url:
        completion = await complete(question(), config_at(base_url))
        await asyncio.wait_for(server.hung_up.wait(), PATIENCE)
    assert (completion.text, completion.done_marker, completion.usable) == ("ok", True, True)


async def test_a_body_held_open_after_the_stop_reason_is_waited_for_and_closed(config_at: Configured) -> None:
    server = RawServer(CHUNKED, framed(chunk("ok"), STOP), HOLD)
    async with server.running() as base_url:
        completion = await complete(question(), config_at(base_url, chunk_timeout=1.0))
        await asyncio.wait_for(server.hung_up.wait(), PATIENCE)
    assert (completion.text, completion.usable) == ("ok", True)


@pytest.mark.parametrize("failing", [b"data: {\n\n", b"event: error\ndata: {}\n\n"])
async def test_a_stream_that_failed_is_closed_though_the_server_goes_on(config_at: Configured, failing: bytes) -> None:
    server = RawServer(CHUNKED, framed(chunk("half"), failing), HOLD)
    async with server.running() as base_url:
        assert not (await complete(question(), config_at(base_url))).usable
        await asyncio.wait_for(server.hung_up.wait(), PATIENCE)


@pytest.mark.parametrize("events_read", [1, 2])
async def test_a_consumer_that_stops_early_closes_the_upstream(config_at: Configured, events_read: int) -> None:
    server = RawServer(CHUNKED, framed(chunk("a"), chunk("b")), HOLD)
    async with server.running() as base_url:
        async with ModelStream(question(), config_at(base_url)) as stream:
            seen = 0
            async for event in stream:
                seen += isinstance(event, Chunk)
                if seen == events_read:
                    break
        assert await asyncio.wait_for(server.hung_up.wait(), PATIENCE)


async def test_a_consumer_that_is_cancelled_closes_the_upstream(config_at: Configured) -> None:
    server = RawServer(CHUNKED, framed(chunk("a")), HOLD)
    async with server.running() as base_url:
        arrived = asyncio.Event()

        async def reading() -> None:
            async with ModelStream(question(), config_at(base_url)) as stream:
                async for _ in stream:
                    arrived.set()

        task = asyncio.create_task(reading())
        await arrived.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(server.hung_up.wait(), PATIENCE)


async def test_a_call_cancelled_before_its_answer_closes_the_upstream(config_at: Configured) -> None:
    server = RawServer(HOLD)
    async with server.running() as base_url:
        task = asyncio.create_task(complete(question(), config_at(base_url)))
        while not server.requests:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.wait_for(server.hung_up.wait(), PATIENCE)


async def test_a_limit_that_passed_closes_the_upstream(config_at: Configured) -> None:
    server = RawServer(CHUNKED, framed(chunk("half")), HOLD)
    async with server.running() as base_url:
        completion = await complete(question(), config_at(base_url, chunk_timeout=1.0))
        await asyncio.wait_for(server.hung_up.wait(), PATIENCE)
    assert (code_of(completion), completion.text) == (FailureCode.TIMEOUT, "half")


async def test_the_whole_call_is_limited_though_the_server_never_pauses(config_at: Configured) -> None:
    flood = [framed(chunk("x") * 50)] * 100_000
    completion = await answered(config_at, CHUNKED, *flood, call_timeout=1.0)
    assert code_of(completion) is FailureCode.TIMEOUT
    assert completion.duration < PATIENCE


@pytest.mark.parametrize("resets", [False, True])
@pytest.mark.parametrize(
    ("body", "code"),
    [((chunk("text"),), FailureCode.CONNECTION), ((chunk("text"), STOP), None), ((chunk("text"), *ENDED), None)],
)
async def test_a_dropped_socket_matters_only_before_the_stop_reason(
    config_at: Configured, body: tuple[bytes, ...], code: FailureCode | None, resets: bool
) -> None:
    arrived = asyncio.Event()
    server = RawServer(CHUNKED, framed(*body), arrived, closes=True, resets=resets)
    async with server.running() as base_url, ModelStream(question(), config_at(base_url)) as stream:
        async for _ in stream:
            arrived.set()
    assert (code_of(stream.completion), stream.completion.text, server.requests) == (code, "text", 1)


async def test_a_server_that_drops_every_connection_is_asked_three_times(config_at: Configured) -> None:
    player = Player(Script(before=(Drop(),)))
    async with serving(player) as address:
        completion = await complete(question(), config_at(address.base_url))
    assert (code_of(completion), len(player.calls)) == (FailureCode.CONNECTION, 3)


async def test_a_port_where_nobody_listens_is_no_silence(config_at: Configured) -> None:
    async with RawServer().running() as base_url:
        pass
    assert code_of(await complete(question(), config_at(base_url))) is FailureCode.CONNECTION


@pytest.mark.parametrize("base_url", ["ftp://127.0.0.1/v1", "nonsense"])
async def test_an_address_that_cannot_be_reached_is_a_failure_of_the_connection(
    config_at: Configured, base_url: str
) -> None:
    assert code_of(await complete(question(), config_at(base_url))) is FailureCode.CONNECTION


@pytest.mark.parametrize(
    "answer",
    [
        (b"hello\r\n\r\n",),
        (b"HTTP/1.1 200 OK\r\nno header\r\n\r\n",),
        (b"HTTP/1.1 200 OK\r\nlong: %b\r\n\r\n" % (b"x" * 100_000),),
        (HEAD + b"content-length: 100000\r\n\r\n" + chunk("half"),),
        (CHUNKED + framed(chunk("half")),),
    ],
    ids=["no HTTP", "no header", "endless header", "shorter than promised", "no last chunk"],
)
async def test_an_answer_that_breaks_http_is_a_failure_of_the_connection(
    config_at: Configured, answer: tuple[Part, ...]
) -> None:
    assert code_of(await answered(config_at, *answer, closes=True)) is FailureCode.CONNECTION


async def test_a_body_that_ends_with_its_connection_is_whole(config_at: Configured) -> None:
    head = HEAD + b"connection: close\r\n\r\n"
    completion = await answered(config_at, head + chunk("ok") + STOP, closes=True)
    assert (completion.text, completion.usable) == ("ok", True)


@pytest.mark.parametrize("status", [b"204 No Content", b"200 OK"])
async def test_an_answer_without_a_body_is_a_provider_failure(config_at: Configured, status: bytes) -> None:
    completion = await answered(config_at, b"HTTP/1.1 %b\r\ncontent-length: 0\r\n\r\n" % status)
    assert code_of(completion) is FailureCode.PROVIDER_ERROR


COMPRESSED = HEAD + b"content-encoding: gzip\r\nconnection: close\r\n\r\n"


async def test_a_compressed_stream_is_read(config_at: Configured) -> None:
    body = gzip.compress(b"".join([chunk("zł 😀"), *ENDED]))
    completion = await answered(config_at, COMPRESSED, body, closes=True)
    assert (completion.text, completion.done_marker) == ("zł 😀", True)


async def test_a_compressed_stream_is_read_while_it_comes(config_at: Configured) -> None:
    packer = zlib.compressobj(wbits=31)
    begun = packer.compress(chunk("half")) + packer.flush(zlib.Z_SYNC_FLUSH)
    async with (
        RawServer(COMPRESSED, begun, HOLD).running() as base_url,
        ModelStream(question(), config_at(base_url)) as stream,
    ):
        async for event in stream:
            if isinstance(event, Chunk):
                break
        assert stream.completion.text == "half"


async def test_a_compressed_stream_that_is_cut_after_its_stop_reason_is_complete(config_at: Configured) -> None:
    packer = zlib.compressobj(wbits=31)
    begun = packer.compress(chunk("ok") + STOP) + packer.flush(zlib.Z_SYNC_FLUSH)
    assert (await answered(config_at, COMPRESSED, begun, closes=True)).usable


async def test_what_claims_to_be_compressed_and_is_not_is_a_provider_failure(config_at: Configured) -> None:
    completion = await answered(config_at, COMPRESSED, chunk("ok"), STOP, DONE, closes=True)
    assert code_of(completion) is FailureCode.PROVIDER_ERROR


async def test_calls_side_by_side_do_not_disturb_each_other(config_at: Configured) -> None:
    players = [Player(Script(body=(chunk(str(number)), Sleep(0.01), *ENDED))) for number in range(4)]

    async def asked(player: Player) -> str:
        async with serving(player) as address:
            return (await complete(question(), config_at(address.base_url))).text

    assert await asyncio.gather(*map(asked, players)) == [str(number) for number in range(4)]


def test_a_client_used_on_a_second_loop_is_a_programming_error_and_seen_as_one(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def asked(used_before: Any = None) -> tuple[Any, Completion]:
        async with RawServer(CHUNKED, framed(chunk("ok"), *ENDED), LAST_CHUNK).running() as base_url:
            config = replace(model_config(), provider="openai", api_key="k", base_url=base_url)
            sdk = used_before or client_for(config)
            client._clients[asyncio.get_running_loop()] = {config: sdk.with_options(base_url=base_url)}
            return sdk, await complete(question(), config)

    with asyncio.Runner() as first, asyncio.Runner() as second:
        sdk, completion = first.run(asked())
        assert completion.usable
        _, completion = second.run(asked(sdk))
        first.run(sdk.close())
    assert code_of(completion) is FailureCode.INTERNAL
    (record,) = caplog.records
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], RuntimeError)
