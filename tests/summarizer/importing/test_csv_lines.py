"""A bad line of CSV is named by the line it starts on, and spoils no more than it must."""

import pytest

from summarizer.importing import NoteFormat, UnreadableFile

from .files import HEADER, only_complaint, read, rows_of


def test_a_text_of_several_lines_is_named_by_the_first() -> None:
    notes = read(HEADER + '1,"one\ntwo\nthree"\n0,"four\nfive"\n2,six\n')

    assert [(note.line, note.text) for note in notes.notes] == [(2, "one\ntwo\nthree"), (7, "six")]
    assert [bad.line for bad in notes.bad_lines] == [5]


def test_blank_lines_are_skipped_and_counted() -> None:
    notes = read("\n" + HEADER + "\n1,a\n   \n,\n , \n2,b\n\n")

    assert rows_of(notes) == [(1, "a"), (2, "b")]
    assert [note.line for note in notes.notes] == [4, 8]
    assert notes.blank_lines == 6


@pytest.mark.parametrize("data", [HEADER, "row_id,text", HEADER + "\n ,\n"])
def test_a_file_with_a_header_alone_has_no_notes_and_nothing_bad(data: str) -> None:
    notes = read(data)

    assert (notes.notes, notes.bad_lines) == ((), ())


@pytest.mark.parametrize("data", ["", "\n\n", "  "])
@pytest.mark.parametrize("note_format", list(NoteFormat))
def test_a_file_with_nothing_in_it_was_damaged_on_its_way(data: str, note_format: NoteFormat) -> None:
    with pytest.raises(UnreadableFile, match="the file is empty"):
        read(data, note_format)


def test_a_row_with_too_few_fields_is_named() -> None:
    assert only_complaint(read(HEADER + "1\n")) == "on line 2: only 1 of the header's 2 columns is there"


def test_a_row_with_too_many_fields_is_named_with_the_likely_cause() -> None:
    assert only_complaint(read(HEADER + "1,Paid, thanks\n")) == (
        "on line 2: 3 columns instead of the header's 2: a text that holds the separator must stand in quotes"
    )


def test_a_quote_out_of_place_costs_its_own_line() -> None:
    notes = read(HEADER + '1,"abc"d\n2,ok\n')

    assert rows_of(notes) == [(2, "ok")]
    assert only_complaint(notes) == 'on line 2: a quote is out of place: inside a quoted text it must be doubled ("")'


def test_lines_swallowed_by_a_quote_out_of_place_are_named() -> None:
    notes = read(HEADER + '1,"abc\n2,"def"\n3,ok\n')

    assert rows_of(notes) == [(3, "ok")]
    assert only_complaint(notes).endswith("(lines 2 to 3 were read as one row)")


def test_a_quote_never_closed_is_named_by_the_line_that_opens_it() -> None:
    notes = read(HEADER + '1,ok\n2,"open\n3,lost\n')

    assert rows_of(notes) == [(1, "ok")]
    assert only_complaint(notes) == (
        "on line 3: a text is opened with a quote that is never closed (lines 3 to 4 were read as one row)"
    )


def test_a_field_beyond_what_csv_readers_take_is_one_bad_line() -> None:
    notes = read(HEADER + f'1,"{"x" * 200_000}"\n2,ok\n')

    assert rows_of(notes) == [(2, "ok")]
    assert only_complaint(notes) == "on line 2: a text is far too long, or opened with a quote that is never closed"


def test_quotes_inside_a_text_that_is_not_quoted_are_text() -> None:
    assert rows_of(read(HEADER + '1,a 5" pipe\n')) == [(1, 'a 5" pipe')]


def test_characters_that_only_look_like_line_ends_end_no_line() -> None:
    text = "a\u2028b\x85c\x0bd\x1ce"

    notes = read(HEADER + f"1,{text}\n0,bad\n")

    assert rows_of(notes) == [(1, text)]
    assert [bad.line for bad in notes.bad_lines] == [3]
