"""A file keeps the API's limits, and what breaks one is named in words that its sender understands."""

import json

import pytest
from pydantic import ValidationError

from summarizer.importing import BadLine, Note, NoteFormat
from summarizer.importing.checking import MAX_BAD_LINES
from summarizer.schemas import MAX_ROW_ID, MAX_TEXT, NoteIn

from .files import HEADER, csv_text, json_text, only_complaint, read, rows_of


def in_json(row_id: object, text: object) -> str:
    return only_complaint(read(json.dumps([{"row_id": row_id, "text": text}]), NoteFormat.JSON))


def in_csv(row_id: str, text: str = "a note") -> str:
    return only_complaint(read(csv_text([(row_id, text)])))


@pytest.mark.parametrize("row_id", [1, MAX_ROW_ID])
@pytest.mark.parametrize("text", ["x", "ß" * MAX_TEXT, "🎉" * MAX_TEXT, "   "])
def test_the_limits_themselves_are_allowed(row_id: int, text: str) -> None:
    assert rows_of(read(csv_text([(row_id, text)]))) == [(row_id, text)]
    assert rows_of(read(json_text([(row_id, text)]), NoteFormat.JSON)) == [(row_id, text)]


@pytest.mark.parametrize("row_id", ["0", "10001", "99999999999999999999"])
def test_a_row_id_out_of_range_is_named_with_the_range(row_id: str) -> None:
    assert in_csv(row_id) == f"on line 2: row_id {row_id} is out of range: it must be between 1 and 10000"
    assert (
        in_json(int(row_id), "a note") == f"in item 1: row_id {row_id} is out of range: it must be between 1 and 10000"
    )


def test_a_row_id_of_thousands_of_digits_is_out_of_range_and_not_quoted_whole() -> None:
    assert in_csv("9" * 5000) == f"on line 2: row_id {'9' * 20} is out of range: it must be between 1 and 10000"


@pytest.mark.parametrize("row_id", ["1.0", "+1", "-1", "1e3", "0x1", "1 000", "1,0", "१२", "²", "abc", "1_0"])
def test_in_a_table_only_plain_digits_are_a_row_id(row_id: str) -> None:
    reason = f'row_id must be a whole number between 1 and 10000, not the text "{row_id}"'
    assert in_csv(row_id) == f"on line 2: {reason}"


@pytest.mark.parametrize("row_id", ["7", " 7", "7 ", "007"])
def test_in_a_table_padding_does_not_matter(row_id: str) -> None:
    assert rows_of(read(csv_text([(row_id, "a note")]))) == [(7, "a note")]


@pytest.mark.parametrize(
    ("row_id", "described"),
    [
        ("1", 'the text "1"'),
        (1.0, "the number 1.0"),
        (1.5, "the number 1.5"),
        (True, "true"),
        ([1], "a list"),
        ({"id": 1}, "an object"),
    ],
)
def test_in_json_only_an_integer_is_a_row_id(row_id: object, described: str) -> None:
    assert in_json(row_id, "a note") == f"in item 1: row_id must be a whole number between 1 and 10000, not {described}"


@pytest.mark.parametrize(("text", "described"), [(5, "the number 5"), (False, "false"), (["a"], "a list")])
def test_in_json_only_a_string_is_a_text(text: object, described: str) -> None:
    assert in_json(1, text) == f"in item 1: text must be text, not {described}"


@pytest.mark.parametrize("nothing", ["", None])
def test_nothing_is_called_empty(nothing: str | None) -> None:
    assert in_json(1, nothing) == "in item 1: text is empty"
    assert in_json(nothing, "a note") == "in item 1: row_id is empty"
    assert in_csv("", "a note") == "on line 2: row_id is empty"
    assert in_csv("3", "") == "on line 2: text is empty"


def test_a_text_too_long_is_told_by_how_much() -> None:
    assert in_csv("1", "x" * 4213) == "on line 2: text has 4,213 characters: 4,000 are allowed"


@pytest.mark.parametrize("note_format", [NoteFormat.CSV, NoteFormat.JSON])
def test_a_nul_character_is_refused(note_format: NoteFormat) -> None:
    rows = [(1, "a\0b")]
    data = csv_text(rows) if note_format is NoteFormat.CSV else json_text(rows)

    assert only_complaint(read(data, note_format)).endswith("text holds a NUL character, which cannot be stored")


@pytest.mark.parametrize("text", ["\ud83d", "a \udc00 b", "\ude00\ud83d"])
def test_half_a_character_is_refused(text: str) -> None:
    assert in_json(1, text) == "in item 1: text holds a broken character, one that was damaged or only half saved"


def test_all_that_is_wrong_with_a_row_is_said_at_once() -> None:
    assert in_json(0, "") == "in item 1: row_id 0 is out of range: it must be between 1 and 10000; text is empty"


def test_a_bad_line_carries_the_row_id_that_stands_there() -> None:
    notes = read(HEADER + "0,a\nx\u0007y,b\n,c\n" + "z" * 100 + ",d\n")

    assert [bad.row_id for bad in notes.bad_lines] == ["0", "x�y", None, "z" * 24 + "…"]


def test_a_row_id_that_appears_again_is_named_with_its_first_line() -> None:
    notes = read(HEADER + "7,first\n8,other\n007,second\n7,third\n")

    assert notes.notes == (Note(2, 7, "first"), Note(3, 8, "other"))
    assert notes.bad_lines == (
        BadLine(4, "7", "row_id 7 appears twice, first on line 2", "second"),
        BadLine(5, "7", "row_id 7 appears twice, first on line 2", "third"),
    )


def test_a_row_refused_for_its_text_still_holds_its_row_id() -> None:
    notes = read(HEADER + "7,\n7,second\n")

    assert list(notes.complaints()) == [
        "on line 2: text is empty",
        "on line 3: row_id 7 appears twice, first on line 2",
    ]


def test_good_rows_are_kept_beside_bad_ones() -> None:
    notes = read(HEADER + "1,good\n0,bad\n2,good too\n")

    assert rows_of(notes) == [(1, "good"), (2, "good too")]
    assert [bad.line for bad in notes.bad_lines] == [3]


def test_a_file_that_is_bad_throughout_is_not_read_to_its_end() -> None:
    notes = read(HEADER + "x,a\n" * (MAX_BAD_LINES + 500))

    assert len(notes.bad_lines) == MAX_BAD_LINES + 1
    assert notes.bad_lines[-1] == BadLine(MAX_BAD_LINES + 2, None, "10,000 lines are bad: reading stopped here")


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_the_api_refuses_the_same_characters_in_words(text: str) -> None:
    with pytest.raises(ValidationError, match="must not contain"):
        NoteIn(row_id=1, text=text)
