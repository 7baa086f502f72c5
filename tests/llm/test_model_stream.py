"""One call through the real SDK: what is asked, what is heard, and what is known of it afterwards."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from backoffice.llm.assembly import Assembly
from backoffice.llm.client import ModelConfig
from backoffice.llm.events import Answered, Chunk, Done, Error, Event, Status, Stop, StopReason, UsageReport
from backoffice.llm.failures import Failure, FailureCode
from backoffice.llm.scripted.script import EVENT_STREAM, Drop, Script, Sleep, Step, whole_answer
from backoffice.llm.streaming import ModelRequest, ModelStream, complete
from backoffice.llm.usage import Usage
from tests.llm.streams import DONE, ENDED, STOP, Player, chunk, data, fragments, piece, playing, question
from tests.llm.toys import Recorder

Configured = Callable[..., ModelConfig]


async def heard(player: Player, config_for: Configured) -> list[Event]:
    async with ModelStream(question(), config_for(player)) as stream:
        return [event async for event in stream]


async def test_a_good_stream_is_its_events_and_then_done(config_for: Configured) -> None:
    assert await heard(playing(chunk("a"), chunk("b"), *ENDED), config_for) == [
        Answered("m-1", "r-1"),
        Chunk("a"),
        Chunk("b"),
        Stop(StopReason.END),
        UsageReport(Usage(9, 4)),
        Done(StopReason.END, Usage(9, 4)),
    ]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ((chunk("a"),), FailureCode.INTERRUPTED),
        ((chunk("a"), DONE), FailureCode.INTERRUPTED),
        ((chunk("a"), Drop()), FailureCode.CONNECTION),
        ((chunk("a"), b"data: {\n\n", chunk("b"), STOP), FailureCode.MALFORMED_CHUNK),
        ((chunk("a"), data({"error": {}, "type": "error"}), STOP), FailureCode.PROVIDER_ERROR),
        ((chunk("a"), STOP, data({"error": "late"}), DONE), FailureCode.PROVIDER_ERROR),
    ],
)
async def test_a_failed_stream_has_one_error_as_its_last_event(
    config_for: Configured, body: tuple[Step, ...], code: FailureCode
) -> None:
    *before, last = await heard(playing(*body), config_for)
    assert isinstance(last, Error)
    assert (last.text, last.failure.code) == ("upstream failed", code)
    assert Chunk("a") in before
    assert not [event for event in before if isinstance(event, Done | Error)]


@pytest.mark.parametrize("body", [(), (b": ping\n\n",), (b"<html>Login</html>",), (b'{"error": {"message": "x"}}',)])
async def test_a_body_without_one_readable_event_is_a_provider_failure(
    config_for: Configured, body: tuple[Step, ...]
) -> None:
    completion = await complete(question(), config_for(playing(*body)))
    assert completion.failure is not None
    assert completion.failure.code is FailureCode.PROVIDER_ERROR
    assert (completion.text, completion.status, completion.usable) == ("", Status.EMPTY, False)


async def test_a_dropped_connection_before_any_event_is_no_empty_body(config_for: Configured) -> None:
    completion = await complete(question(), config_for(playing(Drop())))
    assert completion.failure is not None
    assert (completion.failure.code, completion.status) == (FailureCode.CONNECTION, Status.ERROR)


@pytest.mark.parametrize("trouble", [(Drop(),), (Sleep(60),), ()])
async def test_trouble_of_the_connection_after_a_stop_reason_takes_nothing_away(
    config_for: Configured, trouble: tuple[Step, ...]
) -> None:
    completion = await complete(question(), config_for(playing(chunk("ok"), STOP, *trouble), chunk_timeout=0.05))
    assert (completion.text, completion.status, completion.failure) == ("ok", Status.COMPLETE, None)
    assert not completion.done_marker


@pytest.mark.parametrize("body", [(chunk("ok"), *ENDED), (chunk("half"),)])
async def test_the_events_a_consumer_saw_add_up_to_the_same_completion(
    config_for: Configured, body: tuple[Step, ...]
) -> None:
    async with ModelStream(question(), config_for(playing(*body))) as stream:
        assembly = Assembly()
        assembly.feed([event async for event in stream])
    one, other = stream.completion, assembly.completion()
    assert (one.text, one.stop_reason, one.usage, one.status, one.failure) == (
        other.text,
        other.stop_reason,
        other.usage,
        other.status,
        other.failure,
    )


async def test_a_body_is_read_to_its_end_after_the_marker(config_for: Configured) -> None:
    player = playing(chunk("ok"), *ENDED, b": bye\n\n", chunk("not read"))
    assert (await complete(question(), config_for(player))).text == "ok"
    assert [ending.ended for ending in player.endings] == ["sent"]


async def test_text_received_before_a_failure_is_kept(config_for: Configured) -> None:
    completion = await complete(question(), config_for(playing(chunk("Half an "), chunk("ans"), Drop())))
    assert (completion.text, completion.status) == ("Half an ans", Status.INTERRUPTED)


async def test_a_stream_that_nobody_read_to_its_end_is_interrupted(config_for: Configured) -> None:
    async with ModelStream(question(), config_for(playing(chunk("Half an "), chunk("ans"), *ENDED))) as stream:
        assert stream.completion.status is Status.EMPTY
        await anext(aiter(stream))
    assert (stream.completion.status, stream.completion.failure) == (Status.INTERRUPTED, None)
    assert not stream.completion.usable


async def test_what_is_measured_is_known_afterwards(config_for: Configured) -> None:
    completion = await complete(question(), config_for(playing(Sleep(0.02), chunk("a"), Sleep(0.02), *ENDED)))
    assert completion.first_text is not None
    assert 0.02 <= completion.first_text < completion.duration
    assert completion.done_marker
    assert (completion.model, completion.response_id) == ("m-1", "r-1")


async def test_without_text_there_is_no_first_text(config_for: Configured) -> None:
    assert (await complete(question(), config_for(playing(*ENDED)))).first_text is None


async def test_the_completion_can_be_read_while_the_stream_goes_on(config_for: Configured) -> None:
    async with ModelStream(question(), config_for(playing(chunk("a"), chunk("b"), *ENDED))) as stream:
        texts = [stream.completion.text async for event in stream if isinstance(event, Chunk)]
    assert texts == ["a", "ab"]


async def test_a_stream_that_nobody_reads_asks_nothing(config_for: Configured) -> None:
    player = playing(*ENDED)
    async with ModelStream(question(), config_for(player)) as stream:
        assert not stream.completion.usable
    assert player.calls == []


async def test_the_request_is_what_was_asked_for(config_for: Configured) -> None:
    player = playing(*ENDED)
    tool = Recorder().tool
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "zł 😀"}]
    request = ModelRequest(
        messages, 200, tools=(tool,), tool_choice="none", response_format={"type": "json_object"}, temperature=0
    )
    await complete(request, config_for(player, model="m-9"))
    assert player.bodies == [
        {
            "model": "m-9",
            "messages": messages,
            "temperature": 0,
            "max_tokens": 200,
            "tools": [tool.declaration],
            "tool_choice": "none",
            "response_format": {"type": "json_object"},
            "stream": True,
            "stream_options": {"include_usage": True},
        }
    ]


async def test_what_was_not_asked_for_is_not_sent(config_for: Configured) -> None:
    player = playing(*ENDED)
    completion = await complete(question(), config_for(player))
    assert set(player.bodies[0]) == {"model", "messages", "temperature", "max_tokens", "stream", "stream_options"}
    assert completion.request == {"model": completion.request["model"], "temperature": 0, "max_tokens": 10}


async def test_tool_calls_are_merged_with_the_names_that_were_declared(config_for: Configured) -> None:
    sent = (piece("1", index=0, id=id_, name="get_weather") for id_ in "ab")
    body = (*map(fragments, sent), chunk(finish="tool_calls"), DONE)
    completion = await complete(question(Recorder().tool), config_for(playing(*body)))
    assert [call.id for call in completion.tool_calls] == ["a", "b"]
    assert completion.stop_reason is StopReason.TOOL_CALLS


@pytest.mark.parametrize(
    ("status", "posts", "code"),
    [
        (429, 3, FailureCode.RATE_LIMITED),
        (500, 3, FailureCode.PROVIDER_ERROR),
        (503, 3, FailureCode.PROVIDER_ERROR),
        (400, 1, FailureCode.REJECTED),
        (401, 1, FailureCode.REJECTED),
        (404, 1, FailureCode.REJECTED),
        (422, 1, FailureCode.REJECTED),
    ],
)
async def test_only_what_may_pass_is_asked_again_and_only_twice(
    config_for: Configured, status: int, posts: int, code: FailureCode
) -> None:
    player = Player(
        whole_answer(status, b'{"error": {"message": "sk-1"}}', "application/json", {"retry-after-ms": "1"})
    )
    completion = await complete(question(), config_for(player))
    assert completion.failure is not None
    assert (len(player.calls), completion.failure.code, completion.status) == (posts, code, Status.ERROR)
    assert "sk-1" not in completion.failure.detail


async def test_a_provider_that_recovers_within_two_retries_is_no_failure(config_for: Configured) -> None:
    busy = whole_answer(429, b"", "text/plain", {"retry-after-ms": "1"})
    player = Player(busy, busy, Script(body=(chunk("ok"), *ENDED)))
    completion = await complete(question(), config_for(player))
    assert (completion.text, completion.usable, len(player.calls)) == ("ok", True, 3)


async def test_nothing_is_asked_again_once_the_answer_began(config_for: Configured) -> None:
    player = playing(chunk("half"), Drop())
    await complete(question(), config_for(player))
    assert len(player.calls) == 1


async def test_a_programming_error_inside_a_call_is_internal_and_visible(
    config_for: Configured, caplog: pytest.LogCaptureFixture
) -> None:
    request = ModelRequest([{"role": "user", "content": object()}], 10)
    completion = await complete(request, config_for(playing(*ENDED)))
    assert completion.failure is not None
    assert completion.failure.code is FailureCode.INTERNAL
    assert [record.exc_info is not None for record in caplog.records] == [True]


@pytest.mark.parametrize("where", ["before", "inside"])
async def test_cancellation_goes_through_and_closes_the_upstream(config_for: Configured, where: str) -> None:
    stalled = Script(before=(Sleep(60),)) if where == "before" else Script(body=(chunk("a"), Sleep(60), STOP))
    player = Player(stalled)
    task = asyncio.create_task(complete(question(), config_for(player, chunk_timeout=30.0)))
    while not player.calls:
        await asyncio.sleep(0)
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [ending.ended for ending in player.endings] == ["hung_up"]


async def test_an_outer_time_limit_is_not_taken_for_the_providers(config_for: Configured) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await complete(question(), config_for(playing(chunk("a"), Sleep(60), STOP), chunk_timeout=30.0))


async def test_a_consumer_that_stops_early_closes_the_upstream(config_for: Configured) -> None:
    player = playing(chunk("a"), chunk("b"), *ENDED)
    async with ModelStream(question(), config_for(player)) as stream:
        async for event in stream:
            if isinstance(event, Chunk):
                break
    assert [ending.ended for ending in player.endings] == ["hung_up"]


async def test_a_consumer_that_fails_closes_the_upstream(config_for: Configured) -> None:
    player = playing(chunk("a"), chunk("b"), *ENDED)
    with pytest.raises(KeyError):
        async with ModelStream(question(), config_for(player)) as stream:
            async for _ in stream:
                raise KeyError
    assert [ending.ended for ending in player.endings] == ["hung_up"]


async def test_a_stream_drained_after_some_events_is_still_whole(config_for: Configured) -> None:
    async with ModelStream(question(), config_for(playing(chunk("a"), chunk("b"), *ENDED))) as stream:
        async for _ in stream:
            break
        completion = await stream.drain()
    assert (completion.text, completion.usable) == ("ab", True)


@pytest.mark.parametrize("media_type", [EVENT_STREAM, "text/plain", "application/json", "text/html"])
async def test_the_media_type_does_not_decide_what_can_be_read(config_for: Configured, media_type: str) -> None:
    script = Script(headers=(("content-type", media_type),), body=(chunk("ok"), *ENDED))
    assert (await complete(question(), config_for(Player(script)))).text == "ok"


async def test_an_answer_that_is_not_streamed_is_no_stream(config_for: Configured) -> None:
    message: dict[str, Any] = {"choices": [{"message": {"content": "ok"}, "finish_reason": "stop"}]}
    player = Player(whole_answer(200, json.dumps(message).encode(), "application/json"))
    completion = await complete(question(), config_for(player))
    assert completion.failure == Failure(
        FailureCode.PROVIDER_ERROR, "The provider answered 200 without one readable event."
    )
