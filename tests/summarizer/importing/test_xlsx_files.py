"""Workbooks as people keep them are read, and as nobody honest would write them are survived."""

import datetime
import io
import re
import struct
import warnings
import zipfile

import openpyxl
import pytest
from openpyxl.styles import PatternFill
from openpyxl.worksheet.datavalidation import DataValidation

from summarizer.importing import NoteFormat, Notes, UnreadableFile, xlsx_files
from summarizer.importing.xlsx_files import MAX_UNPACKED_BYTES

from .files import SHEET, edited, only_complaint, read, rows_of, sheets, with_part, workbook

TITLES = ("row_id", "text")


def read_rows(*rows: tuple[object, ...]) -> Notes:
    return read(workbook(TITLES, *rows), NoteFormat.XLSX)


@pytest.mark.parametrize("row_id", [7, 7.0, "7", " 7 "])
def test_a_whole_number_is_a_row_id_however_the_cell_holds_it(row_id: object) -> None:
    assert rows_of(read_rows((row_id, "a note"))) == [(7, "a note")]


@pytest.mark.parametrize(
    ("row_id", "described"),
    [
        (7.5, "the number 7.5"),
        (True, "true"),
        (datetime.datetime.fromisoformat("2024-01-02T08:30"), "the date or time 2024-01-02 08:30:00"),
        ("7.0", 'the text "7.0"'),
        (datetime.date(2024, 1, 2), "the date or time 2024-01-02"),
        (datetime.time(8, 30), "the date or time 08:30:00"),
        ("#N/A", "#N/A"),
    ],
)
def test_what_is_no_whole_number_is_described(row_id: object, described: str) -> None:
    assert only_complaint(read_rows((row_id, "a note"))) == (
        f"in row 2: row_id must be a whole number between 1 and 10000, not {described}"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (12.5, "text must be text, not the number 12.5"),
        (datetime.date(2024, 1, 2), "text must be text, not the date or time 2024-01-02"),
        (datetime.timedelta(hours=30), "text must be text, not the date or time 1 day, 6:00:00"),
        ("#REF!", "text must be text, not #REF!"),
        (None, "text is empty"),
        ("=A2&A3", "text is empty"),
        ("x" * 4001, "text has 4,001 characters: 4,000 are allowed"),
    ],
)
def test_what_is_no_text_is_a_reason(text: object, reason: str) -> None:
    assert only_complaint(read_rows((1, text))) == f"in row 2: {reason}"


def test_a_formula_counts_with_the_value_last_saved() -> None:
    book = edited(
        workbook(TITLES, (1, "=1&2")),
        SHEET,
        lambda part: re.sub(rb"<v ?/>|<v></v>", b"<v>a note</v>", part).replace(b'<c r="B2"', b'<c r="B2" t="str"'),
    )

    assert rows_of(read(book, NoteFormat.XLSX)) == [(1, "a note")]


def test_rows_are_numbered_as_the_sheet_numbers_them() -> None:
    notes = read(workbook((), TITLES, (1, "a"), (), (None, "  "), (0, "bad")), NoteFormat.XLSX)

    assert [note.line for note in notes.notes] == [3]
    assert only_complaint(notes).startswith("in row 6: row_id 0")
    assert notes.blank_lines == 3


def test_lines_within_a_cell_are_kept_and_escaped_carriage_returns_unfolded() -> None:
    assert rows_of(read_rows((1, "one\ntwo_x000D_\nthree"))) == [(1, "one\ntwo\r\nthree")]


def test_shared_strings_as_excel_writes_them_are_read() -> None:
    kind = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    types = b'<Override PartName="/xl/sharedStrings.xml" ContentType="' + kind + b'"/></Types>'
    strings = b'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>shared</t></si></sst>'
    book = edited(workbook(TITLES, (1, "inline")), "[Content_Types].xml", lambda part: part.replace(b"</Types>", types))
    book = edited(book, SHEET, lambda part: re.sub(rb't="inlineStr"><is><t>inline</t></is>', b't="s"><v>0</v>', part))

    assert rows_of(read(with_part(book, "xl/sharedStrings.xml", strings), NoteFormat.XLSX)) == [(1, "shared")]


NOTES, LEGEND = (("Nr.", "Memo"), (1, "a note")), (("Code", "Meaning"), ("X", "cancelled"))


@pytest.mark.parametrize(
    ("book", "read_sheet", "others"),
    [
        (sheets(Cover=(), Data=NOTES), "Data", ()),
        (sheets(Legend=LEGEND, Data=NOTES), "Data", ("Legend",)),
        (sheets(Cover=(("Notes of November",),), Data=NOTES, Empty=()), "Data", ("Cover",)),
        (sheets(Nov=NOTES, Dec=NOTES), "Nov", ("Dec",)),
        (sheets(Empty=(), Legend=LEGEND, Other=LEGEND), "Legend", ("Other",)),
        (sheets(Empty=(), Void=()), "Empty", ()),
    ],
)
def test_the_first_sheet_that_names_the_columns_is_read_and_what_was_not_is_named(
    book: bytes, read_sheet: str, others: tuple[str, ...]
) -> None:
    layout = read(book, NoteFormat.XLSX).layout

    assert (layout.sheet, layout.other_sheets) == (read_sheet, others)


def test_a_sheet_can_be_chosen() -> None:
    book = sheets(Nov=NOTES, Dec=(("Title",), ("Nr.", "Memo"), (7, "another")))
    notes = read(book, NoteFormat.XLSX, sheet="Dec")

    assert rows_of(notes) == [(7, "another")]
    assert (notes.layout.sheet, notes.layout.other_sheets, notes.layout.lines_above) == ("Dec", ("Nov",), 1)


def test_a_chosen_sheet_that_is_not_there_is_named() -> None:
    said = 'the workbook has no sheet "Jan" with something in it; it has "Nov", "Dec"'
    with pytest.raises(UnreadableFile, match=re.escape(said)):
        read(sheets(Nov=NOTES, Dec=NOTES, Jan=()), NoteFormat.XLSX, sheet="Jan")


def test_the_first_visible_sheet_is_read_and_named() -> None:
    def hide_the_first(book: openpyxl.Workbook) -> None:
        book.worksheets[0].sheet_state = "hidden"
        sheet = book.create_sheet("März")
        sheet.append(("Nr.", "Memo"))
        sheet.append((3, "visible"))

    notes = read(workbook(TITLES, (1, "hidden"), change=hide_the_first), NoteFormat.XLSX)

    assert rows_of(notes) == [(3, "visible")]
    assert notes.layout.sheet == "März"


def test_a_workbook_without_a_visible_sheet_is_refused() -> None:
    book = edited(
        workbook(TITLES, (1, "a")), "xl/workbook.xml", lambda part: part.replace(b'state="visible"', b'state="hidden"')
    )

    with pytest.raises(UnreadableFile, match="no visible sheet"):
        read(book, NoteFormat.XLSX)


def test_an_empty_sheet_has_no_notes_and_nothing_bad() -> None:
    notes = read(workbook(), NoteFormat.XLSX)
    assert (notes.notes, notes.bad_lines) == ((), ())


def test_colours_and_validations_change_nothing_and_warn_of_nothing() -> None:
    def decorate(book: openpyxl.Workbook) -> None:
        book.active["B2"].fill = PatternFill("solid", fgColor="FFFF00")
        book.active.add_data_validation(DataValidation(type="list", formula1='"a,b"', sqref="C2"))

    book = workbook(TITLES, (1, "a note"), change=decorate)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        notes = read(
            edited(book, "xl/styles.xml", lambda part: part.replace(b'name="Normal"', b'name="Other"')), NoteFormat.XLSX
        )

    assert rows_of(notes) == [(1, "a note")]
    assert caught == []


def test_a_date_that_cannot_be_is_a_reason() -> None:
    book = edited(
        workbook(TITLES, (datetime.date(2024, 1, 2), "a note")),
        SHEET,
        lambda part: re.sub(
            rb"<v>4\d{4}</v>",
            b"<v>1e12</v>",
            re.sub(rb' t="d"', b"", part).replace(b"<v>2024-01-02</v>", b"<v>45293</v>"),
        ),
    )

    assert "not #VALUE!" in only_complaint(read(book, NoteFormat.XLSX))


def test_a_sheet_that_lies_about_its_size_is_read_whole() -> None:
    book = edited(
        workbook(TITLES, (1, "a"), (2, "b")),
        SHEET,
        lambda part: re.sub(rb'<dimension ref="[^"]*"', b'<dimension ref="A1:A1"', part),
    )

    assert rows_of(read(book, NoteFormat.XLSX)) == [(1, "a"), (2, "b")]


def test_a_row_beyond_any_sheet_is_not_counted_up_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx_files, "MAX_SHEET_ROWS", 1000)

    def move_far_away(part: bytes) -> bytes:
        return part.replace(b'<row r="3"', b'<row r="999999999"').replace(b'3"', b'999999999"')

    notes = read(edited(workbook(TITLES, (1, "near"), (2, "far")), SHEET, move_far_away), NoteFormat.XLSX)

    assert rows_of(notes) == [(1, "near")]
    assert notes.blank_lines == 1000 - 2


def test_an_archive_that_unfolds_without_bound_is_refused_unread() -> None:
    book = workbook(TITLES, (1, "a"))
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        size = archive.getinfo(SHEET).file_size
    bomb = book.replace(struct.pack("<I", size), struct.pack("<I", MAX_UNPACKED_BYTES + 1))

    with pytest.raises(UnreadableFile, match="unpacks to more than 200 MB"):
        read(bomb, NoteFormat.XLSX)


def test_entities_that_unfold_without_bound_are_refused() -> None:
    levels = b"".join(b'<!ENTITY e%d "%s">' % (n, b"&e%d;" % (n - 1) * 20) for n in range(1, 10))
    bomb = b'<!DOCTYPE sheet [<!ENTITY e0 "aaaaaaaaaaaaaaaaaaaa">' + levels + b"]>"
    book = edited(workbook(TITLES, (1, "here")), SHEET, lambda part: bomb + part.replace(b"here", b"&e9;"))

    with pytest.raises(UnreadableFile, match="not an Excel workbook"):
        read(book, NoteFormat.XLSX)


@pytest.mark.parametrize("data", [b"row_id,text\n1,a\n", b"PK\x03\x04 and no more", workbook(TITLES)[:-100]])
def test_what_is_no_archive_is_refused(data: bytes) -> None:
    with pytest.raises(UnreadableFile, match=r"not an Excel workbook \(\.xlsx\), or it is damaged"):
        read(data, NoteFormat.XLSX)


def test_an_archive_of_something_else_is_refused() -> None:
    with pytest.raises(UnreadableFile, match="not an Excel workbook"):
        read(edited(workbook(TITLES), "[Content_Types].xml", lambda _part: b"<Types/>"), NoteFormat.XLSX)


def test_a_sheet_that_breaks_off_is_refused_whole() -> None:
    book = edited(workbook(TITLES, (1, "a"), (2, "b")), SHEET, lambda part: part[: part.index(b'<row r="3"')])

    with pytest.raises(UnreadableFile, match="or it is damaged"):
        read(book, NoteFormat.XLSX)


def test_the_old_format_and_passwords_get_a_word_of_their_own() -> None:
    with pytest.raises(UnreadableFile, match=r"old \.xls format or has a password"):
        read(bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 100, NoteFormat.XLSX)
