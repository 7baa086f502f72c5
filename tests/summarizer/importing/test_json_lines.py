"""JSON Lines: each line stands for itself."""

import pytest

from summarizer.importing import NoteFormat

from .files import only_complaint, read, rows_of

GOOD = '{"row_id": 1, "text": "ok"}'


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{bad", "not valid JSON: the name of a property is missing or not in double quotes at column 2"),
        ('{"row_id": 2, "text": NaN}', "not valid JSON: NaN and Infinity are not JSON values"),
        ("[" * 200_000, "not valid JSON: it is nested too deep"),
        ("9" * 5000, "not valid JSON: it holds a number too long to parse"),
        ('{"text": "a", "text": "b"}', "not valid JSON: a property is given twice"),
        ("[1]", "not an object with row_id and text"),
        ('{"row_id": 0, "text": "a"}', "row_id 0 is out of range: it must be between 1 and 10000"),
    ],
)
def test_a_bad_line_is_named_and_reading_goes_on(line: str, reason: str) -> None:
    notes = read(f"\n{line}\n{GOOD}\n", NoteFormat.JSONL)

    assert rows_of(notes) == [(1, "ok")]
    assert only_complaint(notes) == f"on line 2: {reason}"


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_blank_lines_are_skipped_and_counted(line_end: str) -> None:
    notes = read(line_end.join(["", GOOD, "  ", '{"row_id": 2, "text": "b"}']), NoteFormat.JSONL)

    assert [(note.line, note.row_id) for note in notes.notes] == [(2, 1), (4, 2)]
    assert notes.blank_lines == 2


def test_a_line_separator_inside_a_string_ends_no_line() -> None:
    notes = read('{"row_id": 1, "text": "a\u2028b\x85c"}', NoteFormat.JSONL)

    assert rows_of(notes) == [(1, "a\u2028b\x85c")]


def test_a_row_id_that_appears_again_is_named_with_its_first_line() -> None:
    notes = read(f"{GOOD}\n{GOOD}", NoteFormat.JSONL)

    assert only_complaint(notes) == "on line 2: row_id 1 appears twice, first on line 1"
