"""Any list of valid notes, written by a standard writer, comes back equal and in order."""

import csv
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizer.importing import NoteFormat
from summarizer.schemas import MAX_ROW_ID, MAX_TEXT

from .files import Row, csv_text, json_lines_text, json_text, read, rows_of, workbook

STORABLE = st.characters(exclude_characters="\0", exclude_categories=["Cs"])
# What XML 1.0 cannot carry or turns into a line feed, openpyxl's writer refuses or changes.
IN_WORKBOOKS = st.characters(
    exclude_categories=["Cs", "Cc"], include_characters="\n\t", exclude_characters="\ufffe\uffff"
)
AWKWARD = st.sampled_from("\",;\t|\n\r '\\=\ufeff\u2028\x85\x1c🎉")


def notes(text: st.SearchStrategy[str]) -> st.SearchStrategy[list[Row]]:
    rows = st.tuples(st.integers(1, MAX_ROW_ID), text)
    return st.lists(rows, min_size=1, max_size=8, unique_by=lambda row: row[0])


any_text = st.text(st.one_of(STORABLE, AWKWARD), min_size=1, max_size=60)
text_for_workbooks = st.text(IN_WORKBOOKS, min_size=1, max_size=60).filter(
    lambda text: not re.search("_x000D_|^=", text)
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@given(
    rows=notes(any_text),
    delimiter=st.sampled_from(",;\t|"),
    quoting=st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
)
def test_csv_comes_back_equal_in_each_dialect(encoding: str, rows: list[Row], delimiter: str, quoting: int) -> None:
    text = csv_text(rows, delimiter=delimiter, quoting=quoting)

    read_back = read(text.encode(encoding))

    assert rows_of(read_back) == rows
    assert list(read_back.complaints()) == []


@given(rows=notes(any_text), ascii_only=st.booleans(), indent=st.sampled_from([None, 2]))
def test_json_comes_back_equal_however_it_is_escaped_and_indented(
    rows: list[Row], ascii_only: bool, indent: int
) -> None:
    read_back = read(json_text(rows, ensure_ascii=ascii_only, indent=indent), NoteFormat.JSON)

    assert rows_of(read_back) == rows
    assert list(read_back.complaints()) == []


@given(rows=notes(any_text), ascii_only=st.booleans())
def test_json_lines_come_back_equal(rows: list[Row], ascii_only: bool) -> None:
    read_back = read(json_lines_text(rows, ensure_ascii=ascii_only), NoteFormat.JSONL)

    assert rows_of(read_back) == rows
    assert list(read_back.complaints()) == []


@given(rows=notes(text_for_workbooks))
def test_a_workbook_comes_back_equal(rows: list[Row]) -> None:
    read_back = read(workbook(("row_id", "text"), *rows), NoteFormat.XLSX)

    assert rows_of(read_back) == rows
    assert list(read_back.complaints()) == []


def test_the_largest_file_of_valid_notes_is_read_whole() -> None:
    rows = [(row_id, "ß" * MAX_TEXT) for row_id in range(1, MAX_ROW_ID + 1)]

    read_back = read(csv_text(rows))

    assert len(read_back.notes) == MAX_ROW_ID
    assert list(read_back.complaints()) == []
