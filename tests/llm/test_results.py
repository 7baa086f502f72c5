"""Answers that are data: read only from a complete stream, by stop reason, syntax and schema in this order."""

import asyncio
import datetime
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from backoffice.llm.client import ModelConfig
from backoffice.llm.events import Completion, StopReason
from backoffice.llm.failures import Failure, FailureCode
from backoffice.llm.results import (
    MOST_PROBLEMS,
    Problem,
    ResultCode,
    ask_structured,
    read_structured,
    response_format,
)
from backoffice.llm.scripted.script import Drop, Script, Sleep
from backoffice.llm.streaming import Message, ModelRequest
from backoffice.llm.text import LONGEST_NAME
from tests.llm.streams import DONE, ENDED, Player, chunk, question, usage
from tests.llm.values import json_values

Configured = Callable[..., ModelConfig]


class Total(BaseModel):
    """A model as an app would declare one."""

    model_config = ConfigDict(strict=True, extra="forbid")

    title: str = Field(min_length=1, max_length=5, description="What it is")
    total: int = Field(ge=0, le=9)


GOOD = '{"title": "Q3", "total": 7}'


def _completion(text: str, stop: StopReason | None = StopReason.END, **fields: Any) -> Completion:
    return Completion(text=text, stop_reason=stop, **fields)


def _says(text: str, *, stop: str = "stop") -> Script:
    return Script(body=(chunk(text), chunk(finish=stop), usage(), DONE))


def test_a_good_answer_is_an_instance_of_the_model() -> None:
    reading = read_structured(_completion(f" \n{GOOD}\t"), Total)
    assert (reading.code, reading.value, reading.problems) == (ResultCode.OK, Total(title="Q3", total=7), ())


@pytest.mark.parametrize(
    ("stop", "code"),
    [
        (StopReason.LENGTH, "truncated"),
        (StopReason.CONTENT_FILTER, "unusable_stop"),
        (StopReason.TOOL_CALLS, "unusable_stop"),
        (None, "unusable_stop"),
    ],
)
@pytest.mark.parametrize("text", [GOOD, "no JSON", "{}", ""])
def test_the_stop_reason_decides_before_the_text_does(stop: StopReason | None, code: str, text: str) -> None:
    reading = read_structured(_completion(text, stop), Total)
    assert (reading.code, reading.value) == (code, None)


def test_a_failed_stream_is_not_read() -> None:
    failure = Failure(FailureCode.INTERRUPTED, "")
    assert read_structured(_completion(GOOD, failure=failure), Total).code == "unusable_stop"


def test_a_refusal_is_an_unusable_stop() -> None:
    reading = read_structured(_completion("", refusal="No."), Total)
    assert (reading.code, reading.problems) == ("unusable_stop", (Problem((), "the model refused"),))


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "nothing of the kind",
        GOOD[:-1],
        f"```json\n{GOOD}\n```",
        f"Sure: {GOOD}",
        f"{GOOD} Hope it helps",
        GOOD + GOOD,
        '{"title": "Q3", "total": NaN}',
        '{"title": "Q3", "total": -Infinity}',
        '{"title": "Q3", "total": 1e999}',
        '{"title": "Q3", "title": "Q4", "total": 7}',
        f"\ufeff{GOOD}",
        "{'title': 'Q3', 'total': 7}",
        '{"title": "Q\n3", "total": 7}',
        "[" * 100_000,
        "[" * 700 + "]" * 700,
        '{"title": "Q3", "total": ' + "9" * 5_000 + "}",
    ],
)
def test_what_is_no_json_by_rfc_8259_is_invalid_json(text: str) -> None:
    reading = read_structured(_completion(text), Total)
    assert (reading.code, reading.value) == ("invalid_json", None)
    assert [problem.loc for problem in reading.problems] == [()]


@pytest.mark.parametrize(
    ("text", "locs"),
    [
        ("null", [()]),
        ("[]", [()]),
        ('"text"', [()]),
        ("{}", [("title",), ("total",)]),
        ('{"title": "Q3"}', [("total",)]),
        ('{"title": "Q3", "total": "7"}', [("total",)]),
        ('{"title": "Q3", "total": 7.0}', [("total",)]),
        ('{"title": "Q3", "total": true}', [("total",)]),
        ('{"title": "Q3", "total": 10}', [("total",)]),
        ('{"title": "too long", "total": 7}', [("title",)]),
        ('{"title": "", "total": 7}', [("title",)]),
        ('{"title": "Q3", "total": 7, "more": 1}', [("more",)]),
        ('{"title": "Q3", "total": 123456789012345678901234567890}', [("total",)]),
    ],
)
def test_what_breaks_the_schema_is_invalid_schema_with_its_places(text: str, locs: Sequence[tuple[str, ...]]) -> None:
    reading = read_structured(_completion(text), Total)
    assert (reading.code, reading.value) == ("invalid_schema", None)
    assert [problem.loc for problem in reading.problems] == locs


def test_a_problem_never_repeats_what_was_said() -> None:
    reading = read_structured(_completion('{"title": "SECRET", "total": "SECRET"}'), Total)
    assert len(reading.problems) == 2
    assert "SECRET" not in "".join(problem.msg for problem in reading.problems)


def test_problems_are_bounded_however_much_is_wrong() -> None:
    text = json.dumps({f"{'x' * 500}{number}": 1 for number in range(200)})
    problems = read_structured(_completion(text), Total).problems
    assert len(problems) == MOST_PROBLEMS
    assert max(len(str(step)) for problem in problems for step in problem.loc) == LONGEST_NAME


def test_strings_are_mended_before_they_are_used() -> None:
    text = '{"title": "\\ud83d\\ude42\\u0000\\ud800", "total": 7, "\\udfff": 1}'
    reading = read_structured(_completion(text), Total)
    assert [problem.loc for problem in reading.problems] == [("\ufffd",)]
    fine = read_structured(_completion(text.replace(', "\\udfff": 1', "")), Total)
    assert fine.value == Total(title="🙂\ufffd", total=7)


def test_a_strict_model_still_reads_what_json_has_no_type_for() -> None:
    class Dated(BaseModel):
        model_config = ConfigDict(strict=True)
        day: datetime.date
        pair: tuple[int, int]

    reading = read_structured(_completion('{"day": "2026-11-30", "pair": [1, 2]}'), Dated)
    assert reading.value == Dated(day=datetime.date(2026, 11, 30), pair=(1, 2))


@given(st.one_of(st.text(), json_values().map(json.dumps)), st.sampled_from([*StopReason, None]), st.text(max_size=3))
def test_nothing_a_model_says_raises(text: str, stop: StopReason | None, refusal: str) -> None:
    reading = read_structured(_completion(text, stop, refusal=refusal), Total)
    assert (reading.value is None) is (reading.code is not ResultCode.OK)


class Count(BaseModel):
    value: int


@pytest.mark.parametrize("value", ["true", '"1"', "1.0"])
def test_a_model_that_is_not_strict_itself_is_read_strictly(value: str) -> None:
    assert read_structured(_completion(f'{{"value": {value}}}'), Count).code == "invalid_schema"
    assert read_structured(_completion('{"value": 1}'), Count).value == Count(value=1)


async def test_a_good_first_answer_takes_one_call(config_for: Configured) -> None:
    player = Player(_says(GOOD))
    result = await ask_structured(question(), Total, config_for(player))
    assert (result.code, result.value, result.calls, result.failure) == ("ok", Total(title="Q3", total=7), 1, None)
    assert (result.usage.input_tokens, result.usage.output_tokens) == (9, 4)
    assert player.bodies[0]["response_format"] == response_format(Total)


@pytest.mark.parametrize(("text", "code"), [("no JSON", "invalid_json"), ("{}", "invalid_schema")])
async def test_an_answer_of_the_wrong_form_is_asked_for_again(config_for: Configured, text: str, code: str) -> None:
    player = Player(_says(text))
    result = await ask_structured(question(), Total, config_for(player))
    assert (result.code, result.value, result.calls) == (code, None, 2)
    assert (result.usage.input_tokens, result.usage.output_tokens) == (18, 8)
    assert len(player.calls) == 2


async def test_a_later_answer_that_is_good_is_taken(config_for: Configured) -> None:
    player = Player(_says("no JSON"), _says("{}"), _says(GOOD), _says("never asked"))
    result = await ask_structured(question(), Total, config_for(player), max_calls=5)
    assert (result.code, result.calls, result.problems) == ("ok", 3, ())


async def test_the_model_is_told_what_was_wrong(config_for: Configured) -> None:
    player = Player(_says('{"title": "Q3", "total": 10}'), _says("no JSON"), _says(GOOD))
    await ask_structured(question(), Total, config_for(player), max_calls=3)
    first, second, third = (body["messages"] for body in player.bodies)
    assert second[: len(first)] == first
    assert second[len(first)] == {"role": "assistant", "content": '{"title": "Q3", "total": 10}'}
    assert "- total: Input should be less than or equal to 9" in second[-1]["content"]
    assert third[: len(second)] == second
    assert "- the answer: it is not valid JSON: Expecting value" in third[-1]["content"]


async def test_an_empty_answer_is_not_repeated_to_the_model(config_for: Configured) -> None:
    player = Player(_says(""), _says(GOOD))
    assert (await ask_structured(question(), Total, config_for(player))).code == "ok"
    assert [message["role"] for message in player.bodies[1]["messages"]] == ["user", "user"]


@pytest.mark.parametrize(
    ("script", "code"),
    [
        (_says(GOOD, stop="length"), "truncated"),
        (_says("no JSON", stop="length"), "truncated"),
        (_says(GOOD, stop="content_filter"), "unusable_stop"),
        (Script(body=(chunk(refusal="No."), *ENDED)), "unusable_stop"),
    ],
)
async def test_what_asking_again_would_not_mend_is_not_asked_again(
    config_for: Configured, script: Script, code: str
) -> None:
    player = Player(script)
    result = await ask_structured(question(), Total, config_for(player))
    assert (result.code, result.calls, len(player.calls)) == (code, 1, 1)


async def test_one_call_is_all_where_no_more_are_allowed(config_for: Configured) -> None:
    player = Player(_says("no JSON"))
    result = await ask_structured(question(), Total, config_for(player), max_calls=1)
    assert (result.code, len(player.calls)) == ("invalid_json", 1)


@pytest.mark.parametrize("max_calls", [0, -1])
async def test_fewer_than_one_call_is_a_programming_error(config_for: Configured, max_calls: int) -> None:
    player = Player(_says(GOOD))
    with pytest.raises(ValueError, match="at least 1"):
        await ask_structured(question(), Total, config_for(player), max_calls=max_calls)
    assert player.calls == []


@pytest.mark.parametrize(("scripts", "calls"), [([], 1), ([_says("no JSON")], 2)])
async def test_a_failure_of_the_provider_ends_it(config_for: Configured, scripts: list[Script], calls: int) -> None:
    player = Player(*scripts, Script(body=(chunk(GOOD), Drop())))
    result = await ask_structured(question(), Total, config_for(player), max_calls=5)
    assert (result.code, result.value, result.calls) == (None, None, calls)
    assert result.failure is not None
    assert result.failure.code == "connection"


async def test_one_call_of_unknown_usage_makes_the_sum_unknown(config_for: Configured) -> None:
    player = Player(Script(body=(chunk("no JSON"), chunk(finish="stop"), DONE)), _says(GOOD))
    result = await ask_structured(question(), Total, config_for(player))
    assert (result.code, result.usage.known) == ("ok", False)


async def test_every_call_is_told_with_what_it_added(config_for: Configured) -> None:
    told: list[tuple[str, list[str]]] = []

    def on_call(completion: Completion, added: Sequence[Message]) -> None:
        told.append((completion.text, [message["role"] for message in added]))

    player = Player(_says("no JSON"), _says(GOOD))
    await ask_structured(question(), Total, config_for(player), on_call=on_call)
    assert told == [("no JSON", ["user"]), (GOOD, ["assistant", "user"])]


async def test_a_call_that_was_cancelled_is_told_too(config_for: Configured) -> None:
    told: list[str] = []
    player = Player(Script(body=(chunk("half"), Sleep(60))))
    asking = ask_structured(question(), Total, config_for(player), on_call=lambda made, _: told.append(made.text))
    task = asyncio.create_task(asking)
    while not player.calls:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert told == ["half"]


async def test_the_request_of_the_caller_is_not_changed(config_for: Configured) -> None:
    request: ModelRequest = question()
    await ask_structured(request, Total, config_for(Player(_says("no JSON"))))
    assert (len(request.messages), request.response_format) == (1, None)
