"""Trouble of the same kinds as the cases, in other shapes: what becomes of a row that meets it."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from backoffice.llm.client import ModelConfig
from backoffice.llm.scripted.script import Drop, Script, Step, json_answer, whole_answer
from summarizer.rows import RowResult, summarise
from tests.llm.streams import DONE, STOP, Player, chunk, data, fragments, piece, usage
from tests.wire.player import NOTE

Configured = Callable[..., ModelConfig]
NAME = "normalize_amount"
RAW = '{"raw":"5 EUR"}'
ASKS = chunk(finish="tool_calls")
FOLLOW_UP = Script(body=(chunk("It is 5.00 EUR."), STOP, usage(), DONE))


def stream(*body: Step) -> Script:
    return Script(body=body)


async def ended(config_for: Configured, *scripts: Script) -> tuple[RowResult, Player]:
    player = Player(*scripts)
    return await summarise(NOTE, config_for(player)), player


def results_in(player: Player) -> list[str]:
    """`ok` or `error` for each tool result that the follow-up carried."""
    told = [message for message in player.bodies[-1]["messages"] if message["role"] == "tool"]
    return ["error" if "error" in json.loads(message["content"]) else "ok" for message in told]


def one_call(arguments: Any = RAW, **fields: Any) -> tuple[bytes, ...]:
    return fragments(piece(arguments, **{"index": 0, "id": "a", "name": NAME, **fields})), ASKS, DONE


CALLS_THAT_RUN: dict[str, Sequence[Step]] = {
    "no index": (fragments(piece('{"raw":', id="a", name=NAME)), fragments(piece('"5 EUR"}')), ASKS),
    "index null": one_call(index=None),
    "index null, id repeated": (
        fragments(piece('{"raw":', index=None, id="a", name=NAME)),
        fragments(piece('"5 EUR"}', index=None, id="a", name=NAME)),
        ASKS,
    ),
    "no id": one_call(id=None),
    "empty id": one_call(id=""),
    "id of ten thousand characters": one_call(id="i" * 10_000),
    "id with half a character": one_call(id="a\ud83d"),
    "one character at a time": (
        fragments(piece("", index=0, id="a", name=NAME)),
        *(fragments(piece(character, index=0)) for character in RAW),
        ASKS,
    ),
    "stop reason stop": (*one_call()[:1], STOP, DONE),
    "stop reason twice, differing": (*one_call()[:1], ASKS, STOP, DONE),
    "stop reason with the call": (chunk(finish="tool_calls", tool_calls=[piece(RAW, index=0, id="a", name=NAME)]),),
    "no marker": one_call()[:2],
    "white space around the arguments": one_call(f" \n{RAW}\t"),
    "reasoning in every chunk": (chunk(None, reasoning="hm"), *one_call()),
    "a refusal beside the call": (chunk(None, refusal="I would rather not."), *one_call()),
}


@pytest.mark.parametrize("name", CALLS_THAT_RUN)
async def test_a_call_in_another_shape_runs_and_the_follow_up_is_the_summary(name: str, config_for: Configured) -> None:
    result, player = await ended(config_for, stream(*CALLS_THAT_RUN[name]), FOLLOW_UP)
    assert (result.summary, result.failure, result.warnings) == ("It is 5.00 EUR.", None, ())
    assert (results_in(player), len(player.calls)) == (["ok"], 2)


CALLS_THAT_DO_NOT_RUN: dict[str, Sequence[Step]] = {
    "trailing comma": one_call('{"raw":"5 EUR",}'),
    "single quotes": one_call("{'raw':'5 EUR'}"),
    "cut off": one_call('{"raw":"5 E'),
    "twice the same property": one_call('{"raw":"5","raw":"6"}'),
    "a property too many": one_call('{"raw":"5","currency":"EUR"}'),
    "a number": one_call('{"raw":5}'),
    "null": one_call('{"raw":null}'),
    "a list": one_call('["5 EUR"]'),
    "Infinity": one_call('{"raw":Infinity}'),
    "nested too deep": one_call('{"raw":' * 20_000),
    "a number too long": one_call('{"raw":%s}' % ("9" * 5_000)),
    "fenced": one_call(f"```json\n{RAW}\n```"),
    "unknown tool": one_call(name="get_weather"),
    "a name with a prefix": one_call(name=f"functions.{NAME}"),
    "a name no provider takes back": one_call(name="größe der zahl\ud83d"),
    "a name too long": one_call(name="n" * 5_000),
    "no function": (fragments({"index": 0, "id": "a"}), ASKS),
    "cut off by the length limit": (*one_call()[:1], chunk(finish="length"), DONE),
    "stopped by the content filter": (*one_call()[:1], chunk(finish="content_filter"), DONE),
    "length before the usual stop": (*one_call()[:1], chunk(finish="length"), ASKS, DONE),
}


@pytest.mark.parametrize("name", CALLS_THAT_DO_NOT_RUN)
async def test_a_call_that_cannot_run_is_told_so_and_the_row_goes_on(name: str, config_for: Configured) -> None:
    result, player = await ended(config_for, stream(*CALLS_THAT_DO_NOT_RUN[name]), FOLLOW_UP)
    assert (result.summary, result.failure) == ("It is 5.00 EUR.", None)
    assert (results_in(player), len(player.calls)) == (["error"], 2)
    (call,) = player.bodies[1]["messages"][2]["tool_calls"]
    assert len(call["function"]["name"]) <= 64
    assert not any(run["ran"] for run in result.exchange[0]["tool_runs"])


MALFORMED: dict[str, Sequence[Step]] = {
    "arguments as an object": one_call({"raw": "5 EUR"}),
    "tool calls as an object": (chunk(tool_calls={"0": {}}), ASKS),
    "a tool call that is null": (chunk(tool_calls=[None]), ASKS),
    "content as a list": (chunk([{"type": "text", "text": "ok"}]), STOP),
    "choices as an object": (data({"choices": {"0": {}}}), STOP),
    "NaN in a chunk": (b'data: {"choices":[],"x":NaN}\n\n', STOP),
    "no UTF-8": (chunk("ok"), b'data: {"choices":[{"delta":{"content":"\xff"}}]}\n\n', STOP),
    "two objects in one event": (b"data: {}{}\n\n", STOP),
    "nested too deep": (b"data: " + b"[" * 50_000 + b"\n\n", STOP),
    "after the stop reason": (chunk("ok"), STOP, b"data: {\n\n", DONE),
}
PROVIDER_ERRORS: dict[str, Sequence[Step]] = {
    "an empty body": (),
    "comments alone": (b": ping\n\n" * 5,),
    "an error that is a text": (chunk("ok"), data({"error": "overloaded"}), DONE),
    "an error beside text": (data({"error": {"code": 1}, "choices": [{"delta": {"content": "x"}}]}), STOP),
    "an error after the stop reason": (chunk("ok"), STOP, data({"error": {"message": "late"}}), DONE),
    "an error's event that is no JSON": (b"event: error\ndata: oops\n\n",),
    "the old function calls": (
        chunk(None, function_call={"name": NAME, "arguments": RAW}),
        chunk(finish="function_call"),
    ),
    "stop reason abort": (chunk("ok"), chunk(finish="abort")),
}
INTERRUPTED: dict[str, Sequence[Step]] = {
    "the marker alone": (DONE,),
    "a stop reason that stays null": (chunk("ok"), chunk("ok"), usage(), DONE),
    "the role alone": (chunk(role="assistant", content=""),),
    "in the middle of a call": one_call()[:1],
    "in the middle of an event": (chunk("ok"), b'data: {"choices":[{"delta":{"con'),
    "only another choice stopped": (
        chunk("ok"),
        data({"choices": [{"index": 1, "delta": {}, "finish_reason": "stop"}]}),
        DONE,
    ),
}
CONNECTION: dict[str, Sequence[Step]] = {
    "before the first event": (Drop(),),
    "in the middle of a call": (*one_call()[:1], Drop()),
    "in the middle of an event": (chunk("ok"), b'data: {"choi', Drop()),
}
FAILURES = [
    pytest.param(code, body, id=f"{code}: {name}")
    for code, kinds in (
        ("malformed_chunk", MALFORMED),
        ("provider_error", PROVIDER_ERRORS),
        ("interrupted", INTERRUPTED),
        ("connection", CONNECTION),
    )
    for name, body in kinds.items()
]


@pytest.mark.parametrize(("code", "body"), FAILURES)
async def test_a_failed_stream_fails_the_row_and_no_call_of_it_runs(
    code: str, body: Sequence[Step], config_for: Configured
) -> None:
    result, player = await ended(config_for, stream(*body), FOLLOW_UP)
    assert result.failure is not None
    assert (result.failure.code, result.summary, len(player.calls)) == (code, None, 1)
    assert result.exchange[0]["tool_runs"] == []


@pytest.mark.parametrize(("code", "body"), FAILURES)
async def test_a_follow_up_that_fails_fails_the_row(code: str, body: Sequence[Step], config_for: Configured) -> None:
    result, player = await ended(config_for, stream(*one_call()), stream(*body))
    assert result.failure is not None
    assert (result.failure.code, result.summary, len(player.calls)) == (code, None, 2)
    assert len(result.exchange) == 2


TEXTS: dict[str, tuple[Sequence[Step], str, tuple[str, ...]]] = {
    "a byte order mark": ((b"\xef\xbb\xbf", chunk("ok"), STOP), "ok", ()),
    "carriage returns": ((chunk("ok").replace(b"\n", b"\r"), STOP.replace(b"\n", b"\r")), "ok", ()),
    "no last blank line": ((chunk("ok"), STOP.rstrip()), "ok", ()),
    "data over several lines": ((chunk("ok").replace(b', "', b',\ndata: "'), STOP), "ok", ()),
    "keep-alives everywhere": ((b": a\n\n", chunk("o"), b": b\n", chunk("k"), b"data:\n\n", STOP), "ok", ()),
    "cut at every byte": (tuple(bytes([byte]) for byte in chunk("zł 😀") + STOP), "zł 😀", ()),
    "usage in the middle of no type at all": (
        (usage(prompt_tokens="x"), chunk("ok"), data({"usage": 5}), STOP),
        "ok",
        (),
    ),
    "NUL": ((chunk("o\0k"), STOP), "ok", ()),
    "halves of a character apart": ((chunk("\ud83d"), chunk(role="assistant"), chunk("\ude42"), STOP), "🙂", ()),
    "text beside a refusal": ((chunk("Well.", refusal="No."), STOP), "Well.", ("refused",)),
    "a refusal stopped by the filter": (
        (chunk(None, refusal="No."), chunk(finish="content_filter")),
        "",
        ("refused",),
    ),
    "blank text": ((chunk(" \n"), STOP), " \n", ("empty",)),
    "no text": ((chunk(role="assistant"), STOP), "", ("empty",)),
    "cut off": ((chunk("ok"), chunk(finish="length")), "ok", ("truncated",)),
    "cut off and then stopped": ((chunk("ok"), chunk(finish="length"), STOP), "ok", ("truncated",)),
    "dropped after the stop reason": ((chunk("ok"), STOP, Drop()), "ok", ()),
    "an answer of another choice first": (
        (data({"choices": [{"index": 1, "delta": {"content": "OTHER"}}]}), chunk("ok"), STOP),
        "ok",
        (),
    ),
}


@pytest.mark.parametrize("name", TEXTS)
async def test_a_text_in_another_shape_is_the_summary(name: str, config_for: Configured) -> None:
    body, summary, warnings = TEXTS[name]
    result, player = await ended(config_for, stream(*body))
    assert (result.summary, result.failure, result.warnings) == (summary, None, warnings)
    assert len(player.calls) == 1


async def test_many_calls_run_once_each_and_their_results_stand_in_order(config_for: Configured) -> None:
    sent = [fragments(piece(RAW, index=0, id=f"call_{number}", name=NAME)) for number in range(500)]
    result, player = await ended(config_for, stream(*sent, ASKS, DONE), FOLLOW_UP)
    assert result.summary == "It is 5.00 EUR."
    told = [message["tool_call_id"] for message in player.bodies[1]["messages"] if message["role"] == "tool"]
    assert told == [f"call_{number}" for number in range(500)]


async def test_two_calls_without_ids_are_told_apart_by_ids_of_ours(config_for: Configured) -> None:
    sent = fragments(piece(RAW, index=0, name=NAME), piece(RAW, index=1, name=NAME))
    _, player = await ended(config_for, stream(sent, ASKS, DONE), FOLLOW_UP)
    _, _, assistant, *results = player.bodies[1]["messages"]
    ids = [call["id"] for call in assistant["tool_calls"]]
    assert len(set(ids)) == 2
    assert [message["tool_call_id"] for message in results] == ids


@pytest.mark.parametrize("calls", [1, 3])
async def test_a_follow_up_that_asks_for_tools_again_gives_its_text_alone(config_for: Configured, calls: int) -> None:
    again = [fragments(piece(RAW, index=number, id=f"b{number}", name=NAME)) for number in range(calls)]
    result, player = await ended(config_for, stream(*one_call()), stream(chunk("Text."), *again, ASKS, DONE))
    assert (result.summary, result.failure, len(player.calls)) == ("Text.", None, 2)
    assert result.exchange[1]["tool_runs"] == []


async def test_tokens_are_unknown_as_soon_as_one_call_did_not_tell_them(config_for: Configured) -> None:
    told, _ = await ended(config_for, stream(*one_call()[:2], usage(), DONE), FOLLOW_UP)
    untold, _ = await ended(config_for, stream(*one_call()), FOLLOW_UP)
    assert (told.usage.input_tokens, told.usage.output_tokens) == (18, 8)
    assert (untold.usage.input_tokens, untold.usage.output_tokens) == (None, None)


@pytest.mark.parametrize("busy", [1, 2])
async def test_a_provider_that_recovers_in_time_is_no_failure(config_for: Configured, busy: int) -> None:
    limited = json_answer(429, {"error": {"message": "slow down"}}, {"retry-after-ms": "1"})
    down = whole_answer(503, b"<html>", "text/html", {"retry-after-ms": "1"})
    result, player = await ended(config_for, *[limited, down][:busy], stream(chunk("ok"), STOP, DONE))
    assert (result.summary, len(player.calls)) == ("ok", busy + 1)
