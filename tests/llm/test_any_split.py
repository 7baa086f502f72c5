"""However a server cuts its text and its tool calls into pieces, and numbers them, the completion is the same."""

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from backoffice.llm.events import ToolCall
from backoffice.llm.text import mend
from tests.llm.streams import DONE, STOP, assembled, chunk, cut, fragments, piece, usage
from tests.llm.values import rough_text

TOOLS = {"normalize_amount", "get_weather"}
SPLITS = st.lists(st.integers(min_value=0), max_size=5)
CALLS = st.lists(
    st.builds(
        ToolCall,
        st.from_regex(r"call_[a-z0-9]{1,6}", fullmatch=True),
        st.sampled_from(sorted(TOOLS)),
        rough_text(max_size=20),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda call: call.id,
)


def _pieces(text: str, places: Sequence[int]) -> list[str]:
    edges = [0, *sorted(place % (len(text) + 1) for place in places), len(text)]
    return [text[start:end] for start, end in itertools.pairwise(edges)]


@given(rough_text(max_size=40), SPLITS, SPLITS)
def test_text_is_the_same_however_it_is_cut(text: str, splits: list[int], places: list[int]) -> None:
    stream = b"".join([*map(chunk, _pieces(text, splits)), STOP, usage(), DONE])
    completion = assembled(*cut(stream, places))
    assert (completion.text, completion.usable) == (mend(text), True)


Habit = Callable[[int, ToolCall, int], dict[str, Any]]
"""The fields beside the arguments of a call's fragment: which call, the call, which fragment of it."""


def _usual(position: int, call: ToolCall, number: int) -> dict[str, Any]:
    return {"index": position, **({"id": call.id, "name": call.name} if number == 0 else {})}


def _repeating(position: int, call: ToolCall, number: int) -> dict[str, Any]:
    return {"index": position, "id": call.id, "name": call.name}


def _empty_later(position: int, call: ToolCall, number: int) -> dict[str, Any]:
    return _usual(position, call, number) if number == 0 else {"index": position, "id": "", "name": None}


def _id_and_name_apart(position: int, call: ToolCall, number: int) -> dict[str, Any]:
    return {"index": position, **({"name": call.name} if number == 0 else {"id": call.id})}


def _all_zero_repeating(position: int, call: ToolCall, number: int) -> dict[str, Any]:
    return {"index": 0, "id": call.id, "name": call.name}


def _ids_alone(position: int, call: ToolCall, number: int) -> dict[str, Any]:
    return {"id": call.id, **({"name": call.name} if number == 0 else {})}


def _gaps(position: int, call: ToolCall, number: int) -> dict[str, Any]:
    return {**_usual(position, call, number), "index": position * 3 + 1}


INTERLEAVED: list[Habit] = [
    _usual,
    _repeating,
    _empty_later,
    _id_and_name_apart,
    _all_zero_repeating,
    _ids_alone,
    _gaps,
]
"""Under these habits the fragments of several calls can be told apart in any order."""


def _all_zero(position: int, call: ToolCall, number: int) -> dict[str, Any]:
    return {**_usual(position, call, number), "index": 0}


def _no_index(position: int, call: ToolCall, number: int) -> dict[str, Any]:
    return {"index": None, **({"id": call.id, "name": call.name} if number == 0 else {})}


ONE_AFTER_ANOTHER: list[Habit] = [_all_zero, _no_index]


def _fragments(position: int, call: ToolCall, habit: Habit, splits: list[int]) -> Iterator[dict[str, Any]]:
    """At least two, so that a habit that sends the id late has a fragment for it."""
    for number, part in enumerate(_pieces(call.arguments, [0, *splits])):
        yield piece(part, **habit(position, call, number))


def _shuffled(listed: list[list[dict[str, Any]]], order: random.Random) -> Iterator[dict[str, Any]]:
    """Calls begin in their order; what follows may come from any of them."""
    waiting = [list(reversed(each)) for each in listed]
    for each in waiting:
        yield each.pop()
    while left := [each for each in waiting if each]:
        yield order.choice(left).pop()


def _expected(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(call.id, call.name, mend(call.arguments)) for call in calls)


def _merged(sent: Iterator[dict[str, Any]], places: list[int]) -> tuple[ToolCall, ...]:
    stream = b"".join([*map(fragments, sent), chunk(finish="tool_calls"), DONE])
    return assembled(*cut(stream, places), tools=TOOLS).tool_calls


@given(CALLS, st.sampled_from(INTERLEAVED), SPLITS, st.randoms(use_true_random=False), SPLITS)
def test_calls_are_the_same_however_they_are_cut_numbered_and_interleaved(
    calls: list[ToolCall], habit: Habit, splits: list[int], order: random.Random, places: list[int]
) -> None:
    listed = [list(_fragments(position, call, habit, splits)) for position, call in enumerate(calls)]
    assert _merged(_shuffled(listed, order), places) == _expected(calls)


@given(CALLS, st.sampled_from(ONE_AFTER_ANOTHER), SPLITS, SPLITS)
def test_calls_that_only_their_order_tells_apart_are_the_same(
    calls: list[ToolCall], habit: Habit, splits: list[int], places: list[int]
) -> None:
    sent = (part for position, call in enumerate(calls) for part in _fragments(position, call, habit, splits))
    assert _merged(sent, places) == _expected(calls)


@given(CALLS, SPLITS, SPLITS)
def test_ids_and_names_in_pieces_are_joined(calls: list[ToolCall], splits: list[int], places: list[int]) -> None:
    """Pieces that differ from what is already held; an equal one would be a repeat."""
    sent = (
        piece(arguments, index=position, id=id_, name=name)
        for position, call in enumerate(calls)
        for id_, name, arguments in (
            (call.id[:5], call.name[:4], ""),
            ("", call.name[4:], call.arguments),
            (call.id[5:], "", ""),
        )
    )
    assert _merged(sent, places) == _expected(calls)
