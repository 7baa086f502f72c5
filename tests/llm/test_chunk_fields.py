"""Which fields of a chunk count, which are read past, and which make it malformed when they are of another type."""

from typing import Any

import pytest

from backoffice.llm.chunks import MOST_LEVELS
from backoffice.llm.events import Answered, Aside, Chunk, Stop, StopReason, ToolCallFragment, UsageReport
from backoffice.llm.usage import Usage
from tests.llm.streams import STOP, assembled, chunk, data, failure_of, fragments, piece, read, usage


def choices(*listed: Any, **fields: Any) -> bytes:
    return data({"id": "r-1", "model": "m-1", "choices": list(listed), **fields})


def test_a_good_stream_is_who_answered_chunks_a_stop_and_usage() -> None:
    assert read(chunk("Invoice "), chunk("is fine."), STOP, usage()) == [
        Answered("m-1", "r-1"),
        Chunk("Invoice "),
        Chunk("is fine."),
        Stop(StopReason.END),
        UsageReport(Usage(9, 4)),
    ]


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("stop", StopReason.END),
        ("length", StopReason.LENGTH),
        ("tool_calls", StopReason.TOOL_CALLS),
        ("content_filter", StopReason.CONTENT_FILTER),
    ],
)
def test_stop_reasons_are_in_our_own_words(word: str, reason: StopReason) -> None:
    assert assembled(chunk("a", finish=word)).stop_reason is reason


@pytest.mark.parametrize("word", ["error", "abort", "function_call", "STOP", "end", "eos", " stop", "insufficient"])
def test_any_other_stop_reason_is_a_provider_failure(word: str) -> None:
    assert failure_of(chunk("a", finish=word)) == "provider_error"


@pytest.mark.parametrize("nothing", [None, ""])
def test_an_empty_stop_reason_is_no_stop(nothing: Any) -> None:
    assert failure_of(chunk("a", finish=nothing), chunk("b", finish=nothing)) == "interrupted"


@pytest.mark.parametrize(
    "harmless",
    [
        {},
        {"choices": None},
        {"choices": []},
        {"choices": [{}]},
        {"choices": [{"index": 0}]},
        {"choices": [{"index": 0, "delta": None}]},
        {"choices": [{"index": 0, "delta": {}}]},
        {"choices": [{"index": 0, "delta": {"role": "assistant"}}]},
        {"choices": [{"index": 0, "delta": {"content": None}}]},
        {"choices": [{"index": 0, "delta": {"content": ""}}]},
        {"choices": [{"index": 0, "delta": {"tool_calls": None}}]},
        {"choices": [{"index": 0, "delta": {"tool_calls": []}}]},
        {"choices": [], "prompt_filter_results": [{"prompt_index": 0}]},
        {"choices": [{"index": 0, "content_filter_results": {}, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {"audio": 3, "role": 7}, "logprobs": "x"}]},
        {"error": None},
        {"error": {}, "choices": []},
        {"object": 5, "created": "then", "model": 7, "id": [], "type": "chunk"},
        {"created": 10**300},
    ],
)
def test_what_carries_no_text_is_neither_text_nor_an_error(harmless: dict[str, Any]) -> None:
    completion = assembled(chunk("o"), data(harmless), chunk("k"), STOP)
    assert (completion.text, completion.usable) == ("ok", True)


@pytest.mark.parametrize(
    "broken",
    [
        {"choices": {}},
        {"choices": "x"},
        {"choices": [None]},
        {"choices": ["x"]},
        {"choices": [{"index": "0"}]},
        {"choices": [{"index": 0.0}]},
        {"choices": [{"index": False}]},
        {"choices": [{"index": 0, "delta": "x"}]},
        {"choices": [{"index": 0, "delta": []}]},
        {"choices": [{"index": 0, "delta": {"content": ["x"]}}]},
        {"choices": [{"index": 0, "delta": {"content": [{"type": "text", "text": "x"}]}}]},
        {"choices": [{"index": 0, "delta": {"content": {"text": "x"}}}]},
        {"choices": [{"index": 0, "delta": {"content": 5}}]},
        {"choices": [{"index": 0, "delta": {"content": False}}]},
        {"choices": [{"index": 0, "delta": {"refusal": ["no"]}}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": 1}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": {"type": "stop"}}]},
        {"choices": [{"index": 0, "delta": {"tool_calls": {}}}]},
        {"choices": [{"index": 0, "delta": {"tool_calls": [None]}}]},
        {"choices": [{"index": 0, "delta": {"tool_calls": [[]]}}]},
    ],
)
def test_a_field_we_need_of_a_wrong_type_is_a_malformed_chunk(broken: dict[str, Any]) -> None:
    assert failure_of(chunk("ok"), data(broken), STOP) == "malformed_chunk"


@pytest.mark.parametrize(
    "broken",
    [
        piece("{}", index="0"),
        piece("{}", index=0.5),
        piece("{}", index=True),
        piece("{}", id=17),
        piece("{}", id=["x"]),
        piece("{}", name=5),
        piece({"raw": "5"}),
        piece(["5"]),
        piece(5),
        {"function": "normalize_amount"},
        {"function": []},
    ],
)
def test_a_tool_call_fragment_of_wrong_types_is_a_malformed_chunk(broken: dict[str, Any]) -> None:
    assert failure_of(fragments(broken), chunk(finish="tool_calls")) == "malformed_chunk"


def test_what_was_wrong_is_named_and_what_was_sent_is_not() -> None:
    failure = assembled(chunk(["secret"])).failure
    assert failure is not None
    assert "`content` is no string" in failure.detail
    assert "secret" not in failure.detail


def test_fields_of_a_fragment_that_are_missing_or_null_are_empty() -> None:
    sent = fragments(
        {}, {"function": None}, piece(None, index=None, id=None, name=None), piece("{", index=3, id="a", name="n")
    )
    assert read(sent)[1:] == [ToolCallFragment(None, "", "", "")] * 3 + [ToolCallFragment(3, "a", "n", "{")]


SIGNED = {"google": {"thought_signature": "SIG"}}


def _nested(levels: int) -> Any:
    return {"x": _nested(levels - 1)} if levels else 1


@pytest.mark.parametrize(
    "own",
    [SIGNED, _nested(MOST_LEVELS), {"x": [{"y": None}, True, 2.5, "z"]}],
)
def test_the_providers_own_of_a_call_is_kept_as_it_came(own: dict[str, Any]) -> None:
    assert read(fragments(piece("{}", index=0, extra_content=own)))[1:] == [ToolCallFragment(0, "", "", "{}", own)]


def test_the_providers_own_is_mended_like_all_text() -> None:
    (fragment,) = read(fragments({"extra_content": {"a\0": ["\ud83d", "\0"]}}))[1:]
    assert fragment == ToolCallFragment(None, "", "", "", {"a": ["\ufffd", ""]})


@pytest.mark.parametrize(
    "own", [None, {}, [], ["x"], "SIG", 5, True, _nested(MOST_LEVELS + 1), {"x": [[_nested(500)]]}]
)
def test_a_providers_own_that_cannot_go_back_is_read_past(own: Any) -> None:
    assert read(fragments(piece("{}", index=0, extra_content=own)))[1:] == [ToolCallFragment(0, "", "", "{}")]


def test_a_providers_own_number_beyond_all_bounds_is_read_past() -> None:
    sent = fragments({"extra_content": {"x": "big"}}).replace(b'"big"', b"1e999")
    assert read(sent)[1:] == [ToolCallFragment(None, "", "", "")]


def test_only_choice_0_counts() -> None:
    other = {"index": 1, "delta": {"content": "OTHER", "tool_calls": [{}]}, "finish_reason": "length"}
    assert read(choices(other, {"index": 0, "delta": {"content": "main"}}))[1:] == [Chunk("main")]


def test_choices_without_an_index_are_told_apart_by_their_place() -> None:
    listed = ({"delta": {"content": "main"}}, {"delta": {"content": "OTHER"}, "finish_reason": "length"})
    assert read(choices(*listed))[1:] == [Chunk("main")]


def test_a_wrong_type_inside_another_choice_harms_nobody() -> None:
    listed = ({"index": 0, "delta": {"content": "ok"}}, {"index": 1, "delta": {"content": 5}})
    assert assembled(choices(*listed), STOP).text == "ok"


def test_text_before_a_wrong_type_is_kept_for_the_audit() -> None:
    completion = assembled(
        choices({"index": 0, "delta": {"content": "half"}}, {"index": 0, "delta": {"content": 5}}), STOP
    )
    assert (completion.text, completion.usable) == ("half", False)


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_reasoning_is_kept_beside_the_answer(name: str) -> None:
    completion = assembled(chunk(None, **{name: "5 and "}), chunk("11", **{name: "6."}), STOP)
    assert (completion.reasoning, completion.text) == ("5 and 6.", "11")


def test_reasoning_sent_under_two_names_counts_once() -> None:
    assert read(chunk(None, reasoning_content="so", reasoning="so"))[1:] == [Aside("reasoning_content", "so")]
    assert assembled(chunk(None, reasoning_content="so", reasoning="so"), STOP).reasoning == "so"


def test_an_empty_reasoning_content_leaves_the_word_to_the_other_name() -> None:
    completion = assembled(chunk(None, reasoning_content="", reasoning="so"), STOP)
    assert (completion.reasoning, completion.reasoning_content) == ("so", "")


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ({"reasoning_content": "so"}, "so"),
        ({"reasoning_content": ""}, ""),
        ({"reasoning_content": None}, None),
        ({"reasoning_content": 5, "reasoning": "so"}, None),
        ({"reasoning": "so"}, None),
        ({}, None),
    ],
)
def test_only_what_was_named_reasoning_content_goes_back_under_this_name(
    sent: dict[str, Any], kept: str | None
) -> None:
    assert assembled(chunk(None, **sent), STOP).reasoning_content == kept


@pytest.mark.parametrize("thought", [None, "", 5, ["x"], {"text": "x"}])
def test_reasoning_of_another_type_is_read_past(thought: Any) -> None:
    completion = assembled(chunk("ok", reasoning=thought, reasoning_content=thought), STOP)
    assert (completion.text, completion.reasoning, completion.usable) == ("ok", "", True)


def test_a_refusal_is_kept_and_is_no_text() -> None:
    completion = assembled(chunk(None, refusal="I cannot "), chunk(None, refusal="help."), STOP)
    assert (completion.refusal, completion.text, completion.usable) == ("I cannot help.", "", True)


def test_text_beside_a_refusal_stays_text() -> None:
    completion = assembled(chunk("Well. ", refusal="I cannot."), STOP)
    assert (completion.text, completion.refusal) == ("Well. ", "I cannot.")


def test_the_first_model_named_is_the_one_that_answered() -> None:
    prelude = data({"id": "", "model": "", "choices": []})
    late = data({"id": "r-2", "model": "m-2", "choices": []})
    completion = assembled(prelude, chunk("a"), late, STOP)
    assert (completion.model, completion.response_id) == ("m-1", "r-1")


def test_a_response_without_an_id_still_names_its_model() -> None:
    completion = assembled(data({"model": "m\0", "id": 5}), STOP)
    assert (completion.model, completion.response_id) == ("m", "")


def test_names_of_any_length_are_kept_short() -> None:
    completion = assembled(data({"model": "m" * 5_000, "id": "r" * 5_000}), STOP)
    assert (len(completion.model), len(completion.response_id)) == (200, 200)


def test_usage_is_the_last_one_seen_and_never_a_sum() -> None:
    received = (usage(prompt_tokens=5, completion_tokens=1), chunk("a"), usage(prompt_tokens=5, completion_tokens=2))
    assert assembled(*received, STOP).usage == Usage(5, 2)


def test_usage_may_stand_on_a_chunk_with_text_or_in_the_middle_or_before_the_text() -> None:
    inside = choices({"index": 0, "delta": {"content": "a"}}, usage={"prompt_tokens": 5, "completion_tokens": 1})
    for received in ((inside, STOP), (usage(prompt_tokens=5, completion_tokens=1), chunk("a"), STOP)):
        assert assembled(*received).usage == Usage(5, 1)


@pytest.mark.parametrize("wrong", [None, 5, "13", [], True])
def test_usage_of_another_type_says_nothing(wrong: Any) -> None:
    assert assembled(usage(), data({"choices": [], "usage": wrong}), STOP).usage == Usage(9, 4)
