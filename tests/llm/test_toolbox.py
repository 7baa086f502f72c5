"""The tools of one request: each id runs at most once, results come in order, and nothing raises but cancellation."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backoffice.llm.events import Completion, StopReason, ToolCall
from backoffice.llm.tools import (
    Tool,
    Toolbox,
    ToolRun,
    assistant_message,
    refusal_for,
    sendable_name,
    tool_message,
)
from tests.llm.toys import WEATHER, Recorder, call

OSLO = {"location": "Oslo", "units": "celsius", "days": 1}


async def test_a_valid_call_runs_and_its_result_is_kept_with_it() -> None:
    recorder = Recorder({"temperature": 3})
    (run,) = await Toolbox([recorder.tool]).run([call()])
    assert (run.ran, run.result, run.content) == (True, {"temperature": 3}, '{"temperature": 3}')
    assert recorder.ran == [OSLO]
    assert run.duration >= 0


async def test_nothing_asked_is_nothing_run() -> None:
    assert await Toolbox([Recorder().tool]).run([]) == []


async def test_an_unknown_tool_is_answered_with_the_names_of_those_there_are() -> None:
    tools = [Recorder().tool, Recorder(name="find").tool]
    (run,) = await Toolbox(tools).run([call(name="delete\ud83d")])
    assert (run.ran, run.result) == (False, {"error": "There is no such tool. The tools are: get_weather, find."})


async def test_the_same_id_runs_once_within_one_response() -> None:
    recorder = Recorder()
    first, second = await Toolbox([recorder.tool]).run([call(), call('{"location": "Bergen"}')])
    assert (first.ran, second.ran) == (True, False)
    assert "id was used before" in second.result["error"]
    assert recorder.ran == [OSLO]


@pytest.mark.parametrize(
    ("earlier", "refused"),
    [(call(), None), (call("{"), None), (call(name="unknown"), None), (call(), "It was cut off.")],
)
async def test_an_id_seen_before_does_not_run_whatever_became_of_it(earlier: Any, refused: str | None) -> None:
    recorder = Recorder()
    toolbox = Toolbox([recorder.tool])
    await toolbox.run([earlier], refused=refused)
    before = len(recorder.ran)
    (again,) = await toolbox.run([call()])
    assert (again.ran, len(recorder.ran)) == (False, before)


@given(st.lists(st.lists(st.sampled_from("abc"), max_size=5), max_size=4))
async def test_an_id_runs_at_most_once_over_all_rounds(rounds: list[list[str]]) -> None:
    recorder = Recorder()
    toolbox = Toolbox([recorder.tool])
    runs = [run for ids in rounds for run in await toolbox.run([call(id_=id_) for id_ in ids])]
    ran = [run.call.id for run in runs if run.ran]
    assert sorted(ran) == sorted({id_ for ids in rounds for id_ in ids})
    assert len(recorder.ran) == len(ran)


async def test_a_toolbox_of_another_request_knows_nothing_of_it() -> None:
    recorder = Recorder()
    for _ in range(2):
        await Toolbox([recorder.tool]).run([call()])
    assert len(recorder.ran) == 2


async def test_calls_beyond_the_limit_get_an_error() -> None:
    recorder = Recorder()
    toolbox = Toolbox([recorder.tool], max_calls=2)
    runs = await toolbox.run([call(id_=id_) for id_ in "abc"])
    assert [run.ran for run in runs] == [True, True, False]
    assert runs[2].result == {"error": "At most 2 tool calls are allowed at once; this one did not run."}
    assert [run.ran for run in await toolbox.run([call(id_="d")])] == [True]


@pytest.mark.parametrize("bad", [call("{"), call('{"location": 5}'), call(name="unknown")])
async def test_a_call_that_is_refused_takes_no_other_calls_place(bad: ToolCall) -> None:
    recorder = Recorder()
    refused = [replace(bad, id=f"bad {number}") for number in range(3)]
    runs = await Toolbox([recorder.tool], max_calls=2).run([*refused, call(id_="a"), call(id_="a"), call(id_="b")])
    assert [run.ran for run in runs] == [False, False, False, True, False, True]


async def test_what_is_wrong_with_a_call_beyond_the_limit_is_said_all_the_same() -> None:
    runs = await Toolbox([Recorder().tool], max_calls=1).run([call(id_="a"), call("{", id_="b")])
    assert "not valid JSON" in runs[1].result["error"]


@pytest.mark.parametrize("stop_reason", [StopReason.LENGTH, StopReason.CONTENT_FILTER])
async def test_no_call_of_a_stream_that_was_cut_off_runs(stop_reason: StopReason) -> None:
    recorder = Recorder()
    runs = await Toolbox([recorder.tool]).run([call(id_="a"), call(id_="b")], refused=refusal_for(stop_reason))
    assert [run.ran for run in runs] == [False, False]
    assert all("did not run" in run.result["error"] for run in runs)
    assert recorder.ran == []


@pytest.mark.parametrize("stop_reason", [StopReason.END, StopReason.TOOL_CALLS, None])
def test_other_stop_reasons_forbid_nothing(stop_reason: StopReason | None) -> None:
    assert refusal_for(stop_reason) is None


async def test_calls_run_side_by_side_and_results_come_in_their_order() -> None:
    second_has_run = asyncio.Event()

    async def function(location: str, **_: Any) -> Mapping[str, Any]:
        if location == "first":
            await second_has_run.wait()
        second_has_run.set()
        return {"location": location}

    calls = [call(f'{{"location": "{name}"}}', id_=name) for name in ("first", "second")]
    runs = await Toolbox([Tool("get_weather", "", WEATHER, function)]).run(calls)
    assert [run.result["location"] for run in runs] == ["first", "second"]


@pytest.mark.parametrize(
    "result",
    [
        ValueError("the key is sk-123"),
        RecursionError(),
        "a text",
        5,
        [1],
        {"value": float("nan")},
        {"value": {1, 2}},
        {1: "a number is no name"},
    ],
    ids=repr,
)
async def test_a_tool_that_fails_is_logged_and_told_to_the_model_without_its_words(
    result: Any, caplog: pytest.LogCaptureFixture
) -> None:
    (run,) = await Toolbox([Recorder(result).tool]).run([call()])
    assert (run.ran, run.result) == (True, {"error": "The tool failed. Answer without it."})
    (record,) = caplog.records
    assert (record.levelno, record.exc_info is not None) == (logging.ERROR, True)


async def test_what_a_tool_gives_back_is_mended() -> None:
    (run,) = await Toolbox([Recorder({"a\0": ["\ud83d"]}).tool]).run([call()])
    assert run.content == '{"a": ["\ufffd"]}'


async def test_what_had_ended_before_a_cancellation_is_kept() -> None:
    async def function(location: str, **_: Any) -> Mapping[str, Any]:
        if location == "slow":
            await asyncio.Event().wait()
        return {"location": location}

    toolbox = Toolbox([Tool("get_weather", "", WEATHER, function)])
    calls = [call(f'{{"location": "{name}"}}', id_=name) for name in ("slow", "quick")]
    task = asyncio.create_task(toolbox.run([*calls, call("{", id_="bad")]))
    while len(toolbox.ended) < 2:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [(run.call.id, run.ran) for run in toolbox.ended] == [("quick", True), ("bad", False)]


@pytest.mark.parametrize("ids", ["a", "ab"])
async def test_cancellation_goes_through_a_tool(ids: str) -> None:
    begun = asyncio.Event()

    async def function(**_: Any) -> Mapping[str, Any]:
        begun.set()
        await asyncio.Event().wait()
        return {}

    toolbox = Toolbox([Tool("get_weather", "", WEATHER, function)])
    task = asyncio.create_task(toolbox.run([call(id_=id_) for id_ in ids]))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_the_assistants_message_carries_the_calls_as_they_were_made() -> None:
    calls = (call("", id_="a"), call('{"x": 1}', id_="b", name="no such tool!"))
    assert assistant_message(Completion("Let me see.", calls)) == {
        "role": "assistant",
        "content": "Let me see.",
        "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}},
            {"id": "b", "type": "function", "function": {"name": "unknown_tool", "arguments": '{"x": 1}'}},
        ],
    }
    assert assistant_message(Completion("", calls))["content"] is None


def _names(names: Sequence[str]) -> list[str]:
    return [sendable_name(name) for name in names]


def test_a_name_that_no_provider_takes_back_stands_as_unknown_tool() -> None:
    assert _names(["get_weather", "a-B_9", "x" * 64]) == ["get_weather", "a-B_9", "x" * 64]
    assert _names(["", "x" * 65, "a b", "größe", "a\n", "\ufffd"]) == ["unknown_tool"] * 6


def test_a_tool_message_answers_its_own_call() -> None:
    run = ToolRun(call(id_="a"), {"text": "zł"}, ran=True, duration=0.0)
    assert tool_message(run) == {"role": "tool", "tool_call_id": "a", "content": '{"text": "zł"}'}
