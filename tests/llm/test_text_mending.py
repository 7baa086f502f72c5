"""Text that no wire or database can carry is mended, and only that text is changed."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backoffice.llm.text import TextMender, mend, mend_json
from tests.llm.values import json_values, rough_text


@pytest.mark.parametrize(
    ("broken", "mended"),
    [
        ("", ""),
        ("zł 😀 \u2028", "zł 😀 \u2028"),
        ("\ud83d\ude42", "🙂"),
        ("a\ud83d", "a\ufffd"),
        ("\ude42a", "\ufffda"),
        ("\ude42\ud83d", "\ufffd\ufffd"),
        ("\ud83d\ud83d\ude42", "\ufffd🙂"),
        ("\ud83d \ude42", "\ufffd \ufffd"),
        ("a\0b\0", "ab"),
        ("\ud83d\0\ude42", "\ufffd\ufffd"),
    ],
)
def test_halves_are_paired_lone_ones_replaced_and_nul_dropped(broken: str, mended: str) -> None:
    assert mend(broken) == mended


@given(rough_text())
def test_mended_text_can_be_sent_and_stored_and_needs_no_second_mending(text: str) -> None:
    mended = mend(text)
    assert "\0" not in mended
    assert mended.encode("utf-8").decode("utf-8") == mended
    assert mend(mended) == mended


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0")))
def test_sound_text_is_left_alone(text: str) -> None:
    assert mend(text) == text


@given(st.lists(rough_text(max_size=4)))
def test_it_does_not_matter_where_the_text_is_cut(pieces: Sequence[str]) -> None:
    mender = TextMender()
    assert "".join([*map(mender.feed, pieces), mender.finish()]) == mend("".join(pieces))


def test_half_a_pair_is_held_back_until_the_next_piece_says_what_it_is() -> None:
    mender = TextMender()
    assert [mender.feed("ok \ud83d"), mender.feed(""), mender.feed("\ude42!")] == ["ok ", "", "🙂!"]
    assert mender.finish() == ""


def test_half_a_pair_that_nothing_follows_is_a_replacement_character() -> None:
    mender = TextMender()
    mender.feed("\ud83d")
    assert [mender.finish(), mender.finish()] == ["\ufffd", ""]


@given(json_values(rough_text(max_size=4)))
def test_every_string_inside_a_json_value_is_mended(value: Any) -> None:
    mended = mend_json(value)
    assert mend_json(mended) == mended
    assert json.dumps(mended, ensure_ascii=False).encode("utf-8").decode("utf-8").count("\0") == 0


def test_property_names_are_mended_and_other_values_kept() -> None:
    assert mend_json({"a\0": [1, None, True, 2.5, "\ud83d"]}) == {"a": [1, None, True, 2.5, "\ufffd"]}
