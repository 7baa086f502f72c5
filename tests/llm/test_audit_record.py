"""What is kept of a call: plain JSON of our own shape, which a database can hold and a year later a person can read."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from backoffice.llm.events import Completion, StopReason
from backoffice.llm.record import milliseconds, record
from backoffice.llm.streaming import complete
from backoffice.llm.tools import Toolbox, ToolRun
from tests.llm.streams import ENDED, STOP, assembled, chunk, fragments, piece, playing, question, usage
from tests.llm.toys import Recorder, call

MESSAGES = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "5 EUR"}]


def test_a_good_answer_is_kept_whole() -> None:
    answer = record(assembled(chunk("ok", reasoning="so", refusal="no"), STOP, usage()), MESSAGES)["answer"]
    assert answer == {
        "status": "complete",
        "text": "ok",
        "stop_reason": "end",
        "done_marker": False,
        "tool_calls": [],
        "refusal": "no",
        "reasoning": "so",
        "model": "m-1",
        "response_id": "r-1",
        "usage": {"input_tokens": 9, "output_tokens": 4, "cached_tokens": None},
        "duration_ms": 0,
        "first_text_ms": None,
        "failure": None,
    }


def test_a_failed_answer_keeps_what_came_and_why_it_failed() -> None:
    answer = record(assembled(chunk("half")), MESSAGES)["answer"]
    assert (answer["text"], answer["status"], answer["stop_reason"]) == ("half", "interrupted", None)
    assert answer["failure"] == {"code": "interrupted", "detail": "The stream ended without a stop reason."}
    assert answer["usage"] == {"input_tokens": None, "output_tokens": None, "cached_tokens": None}


def test_messages_are_kept_without_the_system_prompt() -> None:
    assert record(Completion(), MESSAGES)["messages"] == [{"role": "user", "content": "5 EUR"}]


async def test_the_parameters_are_kept_without_the_declarations_of_the_tools(config_for: Any) -> None:
    completion = await complete(question(Recorder().tool, tool_choice="none"), config_for(playing(chunk("ok"), *ENDED)))
    parameters = record(completion, [])["parameters"]
    assert parameters == {
        "model": completion.request["model"],
        "temperature": 0,
        "max_tokens": 10,
        "tool_choice": "none",
    }


async def test_tool_runs_are_kept_with_what_was_asked_and_what_came_of_it() -> None:
    runs = await Toolbox([Recorder({"temperature": 3}).tool]).run([call(), call("{", id_="b")])
    kept = record(Completion(stop_reason=StopReason.TOOL_CALLS), [], runs)["tool_runs"]
    assert [(run["id"], run["name"], run["ran"]) for run in kept] == [
        ("a", "get_weather", True),
        ("b", "get_weather", False),
    ]
    assert kept[0]["arguments"] == '{"location": "Oslo"}'
    assert kept[0]["result"] == {"temperature": 3}
    assert "not valid JSON" in kept[1]["result"]["error"]
    assert kept[1]["duration_ms"] == 0


def test_a_call_is_kept_with_what_names_its_run_and_no_more() -> None:
    sent = fragments(piece("{}", index=0, id="a", name="n", extra_content={"google": {"thought_signature": "SIG"}}))
    (kept,) = record(assembled(chunk(None, reasoning_content="so"), sent, STOP), [])["answer"]["tool_calls"]
    assert kept == {"id": "a", "name": "n", "arguments": "{}"}


@given(st.text(), st.text(), st.text())
def test_a_record_is_json_that_any_database_takes(text: str, arguments: str, reasoning: str) -> None:
    call_piece = piece(f"{arguments}\0\ud83d", index=0, id="a\0", name="n\udfff")
    received = (chunk(f"{text}\0\ud83d", reasoning=f"{reasoning}\0", refusal="\ud83d"), fragments(call_piece), STOP)
    completion = assembled(*received)
    runs = [ToolRun(made, {"error": "no"}, ran=False, duration=0.0) for made in completion.tool_calls]
    kept = record(completion, MESSAGES, runs)
    stored = json.dumps(kept, ensure_ascii=False, allow_nan=False)
    assert json.loads(stored.encode("utf-8")) == kept
    assert "\\u0000" not in stored.replace("\\\\", "")


def test_seconds_are_kept_as_whole_milliseconds() -> None:
    assert [milliseconds(value) for value in (None, 0.0, 0.0016, 1.5)] == [None, 0, 2, 1500]
