"""The two columns of a note are found by their usual names, or taken as chosen; never guessed."""

import pytest

from summarizer.importing import Columns, NoteFormat, UnreadableFile
from summarizer.importing.tables import HEADER_WITHIN

from .files import only_complaint, read, rows_of, workbook


@pytest.mark.parametrize(
    "header",
    [
        "row_id,text",
        "ROW_ID,Text",
        " row_id , text ",
        '"row_id","text"',
        "Row ID,Note",
        "id,description",
        "Nr.,Beschreibung",
        "Zeile,Buchungstext",
        "Lfd. Nr.,Verwendungszweck",
        "N°,Libellé",
        "rad,Anteckning",
        "Lp.,Opis",
        "número,Descripción",
        "ক্রমিক নং,বিবরণ",
        "क्रमांक,विवरण",
        "#,MEMO",
    ],
)
def test_usual_names_are_recognised_in_any_case(header: str) -> None:
    assert rows_of(read(f"{header}\n1,a note\n")) == [(1, "a note")]


def test_other_columns_are_ignored_wherever_they_stand() -> None:
    notes = read("Datum,text,Betrag,row_id\n01.02.2024,a note,5,7\n")

    assert rows_of(notes) == [(7, "a note")]
    assert notes.layout.header == ("Datum", "text", "Betrag", "row_id")
    assert notes.layout.columns == Columns("row_id", "text")


def test_the_exact_name_goes_before_its_synonyms() -> None:
    assert rows_of(read("id,row_id,memo,text\n9,1,no,yes\n")) == [(1, "yes")]


def test_two_columns_that_could_be_the_text_are_not_chosen_between() -> None:
    notes = read("id,Memo,Note\n1,a,b\n")

    assert notes.notes == ()
    assert only_complaint(notes) == ('on line 1: 2 columns could be the text: "Memo", "Note"; name only one of them so')


def test_columns_can_be_chosen_by_name() -> None:
    notes = read("id;Memo;Note;Referenz\n1;a;b;7\n", columns=Columns(row_id="Referenz", text="Note"))

    assert rows_of(notes) == [(7, "b")]
    assert notes.layout.columns == Columns("Referenz", "Note")


@pytest.mark.parametrize("name", ["x" * 60, "Bell\u0007", "  Betreff  "])
def test_a_column_can_be_chosen_by_the_name_that_the_layout_shows(name: str) -> None:
    data = f"id,{name}\n1,a note\n"
    shown = read(data).layout.header[1]

    assert rows_of(read(data, columns=Columns("id", shown))) == [(1, "a note")]


def test_a_chosen_column_that_is_not_there_is_named() -> None:
    notes = read("id,Memo\n1,a\n", columns=Columns(row_id="id", text="Notiz"))

    assert only_complaint(notes) == 'on line 1: the header has no column "Notiz"; it names "id", "Memo"'


def test_one_column_cannot_be_both() -> None:
    notes = read("id,Memo\n1,a\n", columns=Columns(row_id="id", text="id"))

    assert only_complaint(notes) == 'on line 1: the column "id" cannot be both row_id and text'


def test_a_header_without_the_columns_is_the_only_complaint_and_shows_its_names() -> None:
    notes = read("Betrag,Memo\n5,a\n6,b\n")

    assert only_complaint(notes) == 'on line 1: the header has no column row_id; it names "Betrag", "Memo"'
    assert notes.layout.header == ("Betrag", "Memo")
    assert notes.layout.columns is None


def test_a_missing_header_is_one_reason_on_the_first_line() -> None:
    notes = read("1,first note\n2,second note\n")

    assert notes.notes == ()
    assert only_complaint(notes) == (
        "on line 1: the header is missing: the first line must name the columns row_id and text"
    )


def test_a_header_that_is_broken_csv_is_one_reason() -> None:
    assert only_complaint(read('row_id,"text"x\n1,a\n')).startswith("on line 1: a quote is out of place")


def test_an_escape_sequence_in_a_header_never_reaches_a_terminal() -> None:
    assert "\x1b" not in only_complaint(read("\x1b[31mred,b\n1,a\n"))


@pytest.mark.parametrize("note_format", [NoteFormat.JSON, NoteFormat.JSONL])
def test_json_has_no_columns_to_choose(note_format: NoteFormat) -> None:
    with pytest.raises(UnreadableFile, match="columns can be chosen for CSV and XLSX only"):
        read("[]", note_format, Columns("id", "Memo"))


def test_a_workbook_has_the_same_headers() -> None:
    notes = read(workbook(("Nr.", None, "Buchungstext", 2024), (3, None, "Miete", 5)), NoteFormat.XLSX)

    assert rows_of(notes) == [(3, "Miete")]
    assert notes.layout.header == ("Nr.", "", "Buchungstext", "2024")


@pytest.mark.parametrize(
    ("data", "above"),
    [
        ("Notes of November\n\nrow_id,text\n1,a note\n", 1),
        ("Notes of November;;\nNr;Buchungstext;Betrag\n1;a note;5\n", 1),
        ('"Notes, as of 30.11.2026",\n"Prepared by Olga",\n\nid,memo\n1,a note\n', 2),
        ("Invoices, notes, all\nNr;Text\n1;a note\n", 1),
        ("row_id,text\n1,a note\n", 0),
    ],
)
def test_lines_above_the_header_such_as_a_title_are_no_rows(data: str, above: int) -> None:
    notes = read(data)

    assert rows_of(notes) == [(1, "a note")]
    assert notes.bad_lines == ()
    assert notes.layout.lines_above == above


def test_rows_under_a_title_are_named_by_their_lines_in_the_file() -> None:
    assert only_complaint(read("Title\n\nrow_id,text\n1,a note\n1,once more\n")) == (
        "on line 5: row_id 1 appears twice, first on line 4"
    )


def test_under_a_title_the_columns_can_be_chosen_among_the_headers_names() -> None:
    data = "Title\nLfd,Betreff\n1,a note\n"
    assert only_complaint(read(data)) == 'on line 2: the header has no column row_id; it names "Lfd", "Betreff"'
    assert read(data).layout.header == ("Lfd", "Betreff")
    assert rows_of(read(data, columns=Columns("Lfd", "Betreff"))) == [(1, "a note")]


def test_a_header_far_below_the_beginning_is_not_looked_for() -> None:
    notes = read("a line\n" * HEADER_WITHIN + "row_id,text\n1,a note\n")

    assert notes.notes == ()
    assert only_complaint(notes) == 'on line 1: the header has no column row_id; it names "a line"'


def test_a_line_that_cannot_be_read_ends_the_search_for_a_header() -> None:
    notes = read('Title\n"broken"x,\nrow_id,text\n1,a note\n')

    assert only_complaint(notes) == 'on line 1: the header has no column row_id; it names "Title"'
