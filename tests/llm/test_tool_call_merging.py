"""Fragments of tool calls become whole calls, by a rule for indices, ids and names that fits every server's habits."""

from typing import Any

import pytest

from backoffice.llm.assembly import MOST_CHARACTERS, TOO_MUCH
from backoffice.llm.events import ToolCall, ToolCallFragment
from backoffice.llm.tool_calls import ToolCallMerger
from tests.llm.streams import assembled, fragments, piece

TOOLS = {"normalize_amount", "get_weather"}


def calls(*sent: dict[str, Any]) -> tuple[ToolCall, ...]:
    """Each fragment in a chunk of its own."""
    return assembled(*map(fragments, sent), tools=TOOLS).tool_calls


def told(*sent: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(call.id, call.name, call.arguments) for call in calls(*sent)]


A = ("a", "normalize_amount", "12")
B = ("b", "normalize_amount", "34")
NAME = "normalize_amount"


def test_pieces_of_one_index_are_joined_in_the_order_they_came() -> None:
    assert told(
        piece("", index=0, id="a", name=NAME),
        piece("1", index=0),
        piece("", index=1, id="b", name=NAME),
        piece("3", index=1),
        piece("2", index=0),
        piece("4", index=1),
    ) == [A, B]


def test_several_fragments_may_stand_in_one_chunk() -> None:
    sent = fragments(piece("1", index=0, id="a", name=NAME), piece("2", index=0), piece("34", index=1, id="b"))
    assert [call.arguments for call in assembled(sent).tool_calls] == ["12", "34"]


def test_calls_stand_in_the_order_of_their_indices() -> None:
    assert told(piece("34", index=7, id="b", name=NAME), piece("12", index=2, id="a", name=NAME)) == [A, B]


def test_id_name_and_arguments_may_each_come_in_pieces() -> None:
    assert told(
        piece(None, index=0, name="normalize_"),
        piece(None, index=0, id="call"),
        piece("1", index=0, name="amount"),
        piece("2", index=0, id="_1"),
    ) == [("call_1", NAME, "12")]


def test_an_id_or_a_name_sent_again_is_a_repeat() -> None:
    assert told(piece("1", index=0, id="a", name=NAME), piece("2", index=0, id="a", name=NAME)) == [A]


@pytest.mark.parametrize("nothing", [None, ""])
def test_an_empty_id_or_name_is_nothing(nothing: Any) -> None:
    assert told(piece("1", index=0, id="a", name=NAME), piece("2", index=0, id=nothing, name=nothing)) == [A]


def test_another_id_and_a_name_at_the_index_of_a_declared_tool_open_a_new_call() -> None:
    assert told(
        piece("1", index=0, id="a", name=NAME),
        piece("2", index=0),
        piece("3", index=0, id="b", name=NAME),
        piece("4", index=0, id=""),
    ) == [A, B]


def test_calls_numbered_alike_find_their_pieces_by_a_repeated_id() -> None:
    assert told(
        piece("1", index=0, id="a", name=NAME),
        piece("3", index=0, id="b", name=NAME),
        piece("2", index=0, id="a", name=NAME),
        piece("4", index=0, id="b"),
    ) == [A, B]


def test_another_id_continues_a_call_whose_name_is_not_yet_that_of_a_tool() -> None:
    assert told(piece("1", index=0, id="call_", name="normalize_"), piece("2", index=0, id="7", name="amount")) == [
        ("call_7", NAME, "12")
    ]


def test_another_id_without_a_name_continues_the_id() -> None:
    assert told(piece("1", index=0, id="call_", name=NAME), piece("2", index=0, id="7")) == [("call_7", NAME, "12")]


def test_the_same_id_at_two_indices_is_two_calls() -> None:
    assert told(piece("12", index=0, id="a", name=NAME), piece("34", index=1, id="a", name=NAME)) == [
        A,
        ("a", NAME, "34"),
    ]


def test_without_an_index_the_id_says_which_call_is_meant() -> None:
    assert told(
        piece("1", id="a", name=NAME),
        piece("3", id="b", name=NAME),
        piece("2", id="a"),
        piece("4", id="b", name=NAME),
    ) == [A, B]


def test_without_an_index_and_an_id_a_fragment_continues_the_latest_call() -> None:
    assert told(piece("1", id="a", name=NAME), piece("2"), piece("3", id="b", name=NAME), piece("4")) == [A, B]


def test_without_an_index_an_id_may_come_after_the_name() -> None:
    assert told(piece("1", name=NAME), piece("2", id="a")) == [A]


def test_without_an_index_two_whole_calls_without_ids_are_one_that_no_tool_will_take() -> None:
    assert [call[1:] for call in told(piece("{}", name=NAME), piece("{}", name=NAME))] == [(NAME, "{}{}")]


def test_a_fragment_without_an_index_finds_a_call_that_has_one() -> None:
    assert told(piece("1", index=4, id="a", name=NAME), piece("34", id="b", name=NAME), piece("2", id="a")) == [A, B]


def test_the_beginning_of_an_id_is_no_id_of_a_call() -> None:
    sent = (piece("1", index=0, id="call_", name="get_"), piece("2", index=0, id="7", name="weather"))
    assert [call[0] for call in told(*sent, piece("3", index=0, id="call_", name=NAME))] == ["call_7", "call_"]


def test_a_call_without_an_id_is_given_one_and_keeps_it() -> None:
    completion = assembled(fragments(piece("12", index=0, name=NAME), piece("34", index=1, name=NAME)))
    first, second = (call.id for call in completion.tool_calls)
    assert first.startswith("call_")
    assert first != second


def test_the_given_id_is_the_same_however_often_the_calls_are_read() -> None:
    merger = ToolCallMerger(TOOLS)
    merger.feed(ToolCallFragment(0, "", NAME, "{}"))
    assert merger.calls() == merger.calls()


def test_a_late_id_takes_the_place_of_a_given_one() -> None:
    assert told(piece("1", index=0, name=NAME), piece("2", index=0, id="a")) == [A]


def test_what_cannot_be_sent_back_is_mended() -> None:
    assert told(piece('"\ud83d', index=0, id="a\0", name="n\udfff"), piece('\ude42"', index=0)) == [
        ("a", "n\ufffd", '"🙂"')
    ]


def test_an_id_of_nothing_that_can_be_sent_is_given_anew() -> None:
    assert told(piece("12", index=0, id="\0", name=NAME))[0][0].startswith("call_")


def test_ids_and_names_of_any_length_are_kept() -> None:
    assert told(piece("12", index=0, id="i" * 10_000, name="n" * 10_000)) == [("i" * 10_000, "n" * 10_000, "12")]


def test_an_id_that_grows_with_every_fragment_fails_the_stream_before_it_costs_much() -> None:
    sent = [fragments(piece("1", index=0, id=f"call-{number:040}")) for number in range(16_000)]
    completion = assembled(*sent)
    assert completion.failure is TOO_MUCH
    assert sum(range(0, len(completion.tool_calls[0].id), 45)) < 2 * MOST_CHARACTERS


def test_an_id_and_a_name_may_come_character_by_character() -> None:
    sent = [piece(index=0, id=letter) for letter in "chatcmpl-0123456789"]
    assert told(*sent, *(piece(index=0, name=letter) for letter in NAME), piece("12", index=0)) == [
        ("chatcmpl-0123456789", NAME, "12")
    ]


def _own(sent: str) -> dict[str, Any]:
    return {"google": {"thought_signature": sent}}


def test_the_first_of_a_providers_own_is_the_one_of_its_call() -> None:
    first, second = calls(
        piece("1", index=0, id="a", name=NAME),
        piece("3", index=1, id="b", name=NAME, extra_content=_own("B")),
        piece("2", index=0, extra_content=_own("A")),
        piece("4", index=1, extra_content=_own("late")),
    )
    assert first == ToolCall(*A, _own("A"))
    assert second == ToolCall(*B, _own("B"))


def test_a_providers_own_without_a_call_of_its_own_belongs_to_the_latest_call() -> None:
    first, second = calls(piece("12", id="a", name=NAME), piece("34", id="b", name=NAME), {"extra_content": _own("B")})
    assert (first.extra_content, second.extra_content) == (None, _own("B"))


def test_calls_with_a_providers_own_can_be_counted_in_a_set() -> None:
    assert len({*calls(piece("12", index=0, id="a", extra_content=_own("A")))}) == 1


@pytest.mark.parametrize("index", [-1, 0, 10**30])
def test_any_integer_is_an_index(index: int) -> None:
    assert told(piece("12", index=index, id="a", name=NAME), piece("34", id="b", name=NAME)) in ([A, B], [B, A])


@pytest.mark.parametrize("numbered", [{}, {"index": 0}])
def test_thousands_of_calls_are_merged(numbered: dict[str, int]) -> None:
    sent = [piece("{}", id=f"call_{number}", name=NAME, **numbered) for number in range(5_000)]
    assert [call.id for call in calls(*sent)] == [f"call_{number}" for number in range(5_000)]
