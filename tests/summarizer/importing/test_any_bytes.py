"""Whatever the bytes are, reading ends in notes and reasons or in UnreadableFile, and in nothing else."""

import contextlib
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from summarizer.importing import NoteFormat, Notes, UnreadableFile

from .files import HEADER, csv_text, json_lines_text, json_text, read, workbook

ROWS = [(1, 'Rechnung "A", 5 €'), (2, "two\nlines"), (3, "plain")]
GOOD = {
    NoteFormat.CSV: csv_text(ROWS).encode(),
    NoteFormat.JSON: json_text(ROWS).encode(),
    NoteFormat.JSONL: json_lines_text(ROWS).encode(),
    NoteFormat.XLSX: workbook(("row_id", "text"), *ROWS),
}
formats = pytest.mark.parametrize("note_format", list(NoteFormat))


def assert_read_or_refused(data: bytes, note_format: NoteFormat) -> None:
    with contextlib.suppress(UnreadableFile):
        notes = read(data, note_format)
        assert isinstance(notes, Notes)
        assert [bad.line for bad in notes.bad_lines] == sorted(bad.line for bad in notes.bad_lines)
        "\n".join(notes.complaints()).encode("utf-8")


@formats
@given(data=st.binary(max_size=300))
@example(data=b"\xff\xfe\x00")
@example(data=b"\xef\xbb\xbf")
@example(data=b"[" * 100_000)
@example(data=b"9" * 100_000)
@example(data=b"PK\x05\x06" + b"\0" * 18)
def test_bytes_of_no_format_end_in_notes_and_reasons_or_are_refused(note_format: NoteFormat, data: bytes) -> None:
    assert_read_or_refused(data, note_format)


@formats
@given(data=st.text(st.sampled_from('"\r\n,;\t|\0\ufeff 17a'), max_size=40))
def test_a_table_of_separators_quotes_and_line_ends_is_read_or_refused(note_format: NoteFormat, data: str) -> None:
    assert_read_or_refused((HEADER + data).encode(), note_format)


@formats
@given(data=st.data())
def test_a_good_file_with_bytes_overwritten_anywhere_is_read_or_refused(
    note_format: NoteFormat, data: st.DataObject
) -> None:
    good = GOOD[note_format]
    at = data.draw(st.integers(0, len(good) - 1), label="at")
    instead = data.draw(st.binary(min_size=1, max_size=4), label="instead")

    assert_read_or_refused(good[:at] + instead + good[at + len(instead) :], note_format)


@formats
@given(data=st.data())
def test_a_good_file_cut_off_anywhere_is_read_or_refused(note_format: NoteFormat, data: st.DataObject) -> None:
    good = GOOD[note_format]

    assert_read_or_refused(good[: data.draw(st.integers(0, len(good) - 1), label="length")], note_format)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda children: (
        st.lists(children, max_size=4)
        | st.dictionaries(st.text(st.characters()) | st.sampled_from(["row_id", "text"]), children)
    ),
    max_leaves=12,
)


@given(value=json_values)
def test_a_json_value_in_place_of_a_note_is_read_or_refused(value: object) -> None:
    assert_read_or_refused(json.dumps([value]).encode(), NoteFormat.JSON)
    assert_read_or_refused(json.dumps(value).encode(), NoteFormat.JSONL)
