"""JSON is read as strictly as the API reads it."""

import re

import pytest

from summarizer.importing import NoteFormat, UnreadableFile

from .files import json_text, read, rows_of

ROWS = [(1, "one"), (2, "zwei: 5 €")]


def read_json(data: bytes | str) -> list[str]:
    return list(read(data, NoteFormat.JSON).complaints())


def test_an_array_and_the_body_of_a_request_are_both_read() -> None:
    array = json_text(ROWS)

    assert rows_of(read(array, NoteFormat.JSON)) == ROWS
    assert rows_of(read(f'{{"rows": {array}}}', NoteFormat.JSON)) == ROWS


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_does_not_matter(encoding: str) -> None:
    assert rows_of(read(json_text(ROWS).encode(encoding), NoteFormat.JSON)) == ROWS


def test_items_are_counted_from_one() -> None:
    data = '[{"row_id": 4, "text": "a"}, 5, {"row_id": 4, "text": "b"}]'

    assert read_json(data) == [
        "in item 2: not an object with row_id and text",
        "in item 3: row_id 4 appears twice, first in item 1",
    ]


def test_an_unknown_property_is_refused_by_name() -> None:
    assert read_json('[{"row_id": 1, "text": "a", "amo\\u0007unt": 5}]') == [
        'in item 1: "amo�unt" is not a property of a note: only row_id and text are'
    ]


def test_missing_properties_are_named() -> None:
    assert read_json("[{}]") == ["in item 1: row_id is missing; text is missing"]


def test_a_crowd_of_unknown_properties_does_not_become_a_page() -> None:
    properties = ", ".join(f'"p{number}": 0' for number in range(1000))

    [complaint] = read_json(f"[{{{properties}}}]")

    assert complaint.count(";") == 2


def test_a_property_name_with_half_a_character_is_refused() -> None:
    assert read_json('[{"row_id": 1, "text": "a", "\\ud800": 0}]') == [
        "in item 1: a property has a name with a broken character"
    ]


@pytest.mark.parametrize("data", ["[]", '{"rows": []}'])
def test_a_document_without_rows_has_no_notes_and_nothing_bad(data: str) -> None:
    notes = read(data, NoteFormat.JSON)
    assert (notes.notes, notes.bad_lines) == ((), ())


@pytest.mark.parametrize("data", ["3", "null", '"rows"', "{}", '{"rows": 1}', '{"rows": [], "more": 1}'])
def test_a_document_of_another_shape_is_refused_with_the_right_one(data: str) -> None:
    with pytest.raises(UnreadableFile, match=re.escape('an array of {"row_id": …, "text": …} or an object {"rows"')):
        read(data, NoteFormat.JSON)


def test_broken_json_is_refused_with_line_and_column() -> None:
    with pytest.raises(UnreadableFile, match=r"not valid JSON: .* at line 2, column 3"):
        read('[{"row_id": 1, "text": "a"},\n  x]', NoteFormat.JSON)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ('[{"row_id": NaN, "text": "a"}]', "NaN and Infinity are not JSON values"),
        ("[" * 200_000, "nested too deep"),
        ("[" + "9" * 5000 + "]", "a number too long"),
        ('[{"row_id": 1, "row_id": 2, "text": "a"}]', "a property is given twice"),
    ],
)
def test_what_lenient_parsers_take_or_break_on_is_refused(data: str, reason: str) -> None:
    with pytest.raises(UnreadableFile, match=f"not valid JSON: .*{reason}"):
        read(data, NoteFormat.JSON)
