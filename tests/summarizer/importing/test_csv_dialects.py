"""CSV of every usual dialect is read as it is meant, and the result says how it was understood."""

import pytest

from summarizer.importing import UnreadableFile

from .files import csv_text, only_complaint, read, rows_of

ROWS = [(1, "Grüße, 5 €; fällig"), (2, "plain")]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_in_the_header(delimiter: str) -> None:
    notes = read(csv_text(ROWS, delimiter=delimiter))

    assert rows_of(notes) == ROWS
    assert notes.layout.delimiter == delimiter


def test_a_delimiter_that_makes_the_header_understood_wins_over_one_that_splits_more() -> None:
    notes = read("row_id;text;a,b,c,d\n1;note;x\n")

    assert notes.layout.delimiter == ";"
    assert rows_of(notes) == [(1, "note")]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_each_line_end_counts_as_one_line(line_end: str) -> None:
    notes = read(line_end.join(["row_id,text", "1,one", "", "2,two", "0,bad"]))

    assert [(note.line, note.row_id) for note in notes.notes] == [(2, 1), (4, 2)]
    assert [bad.line for bad in notes.bad_lines] == [5]
    assert notes.blank_lines == 1


@pytest.mark.parametrize(
    ("encoding", "reported"), [("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("utf-16", "utf-16"), ("cp1252", "cp1252")]
)
def test_the_encoding_is_found_and_reported(encoding: str, reported: str) -> None:
    notes = read(csv_text(ROWS).encode(encoding))

    assert rows_of(notes) == ROWS
    assert notes.layout.encoding == reported
    assert notes.layout.encoding_is_guessed is (encoding == "cp1252")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_its_mark_is_known_by_its_empty_bytes(encoding: str) -> None:
    notes = read(csv_text(ROWS).encode(encoding))
    assert (rows_of(notes), notes.layout.encoding) == (ROWS, encoding)


def test_a_text_with_some_nuls_is_no_utf16() -> None:
    assert only_complaint(read(b"row_id,text\n1,a\x00b\x00\n")) == (
        "on line 2: text holds a NUL character, which cannot be stored"
    )


def test_big_endian_utf16_is_read_by_its_mark() -> None:
    notes = read(b"\xfe\xff" + csv_text(ROWS).encode("utf-16-be"))

    assert rows_of(notes) == ROWS


def test_damaged_utf8_costs_the_damaged_row_and_is_no_guess() -> None:
    good = csv_text(ROWS).encode()
    notes = read(good + b"3,f\xfcr\n4,ok\n")

    assert rows_of(notes) == [*ROWS, (4, "ok")]
    assert only_complaint(notes) == "on line 4: text holds a broken character, one that was damaged or only half saved"
    assert not notes.layout.encoding_is_guessed


@pytest.mark.parametrize("data", [b"\x81\x8d\x8f", b"\xff\xfe\x00", b"\xff\xfe\x00\xd8"])
def test_bytes_that_are_no_text_are_refused_whole(data: bytes) -> None:
    with pytest.raises(UnreadableFile, match="not text in UTF-8, UTF-16 or Windows-1252"):
        read(data)


def test_a_workbook_under_a_csv_name_is_recognised() -> None:
    with pytest.raises(UnreadableFile, match="an archive, perhaps an Excel workbook"):
        read(b"PK\x03\x04 and so on")


def test_the_hint_that_excel_writes_is_obeyed_and_counts_as_a_line() -> None:
    notes = read("sep=;\r\nrow_id;text\r\n1;a, b\r\n0;bad\r\n")

    assert rows_of(notes) == [(1, "a, b")]
    assert notes.layout.delimiter == ";"
    assert [bad.line for bad in notes.bad_lines] == [4]


def test_a_text_keeps_its_spaces_quotes_and_line_ends() -> None:
    text = '  "quoted", then\r\nanother line\tand a tab  '

    assert rows_of(read(csv_text([(1, text)]))) == [(1, text)]
