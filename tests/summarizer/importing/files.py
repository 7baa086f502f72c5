"""Files of notes as other programs write them, by the standard writers, and one short way to read them back."""

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import openpyxl

from summarizer.importing import Choice, Columns, NoteFormat, Notes, read_notes

HEADER = "row_id,text\n"
SHEET = "xl/worksheets/sheet1.xml"
Row = tuple[int, str]


def read(
    data: bytes | str,
    note_format: NoteFormat = NoteFormat.CSV,
    columns: Columns | None = None,
    sheet: str | None = None,
) -> Notes:
    raw = data.encode("utf-8") if isinstance(data, str) else data
    return read_notes(io.BytesIO(raw), note_format=note_format, choice=Choice(columns, sheet))


def rows_of(notes: Notes) -> list[Row]:
    return [(note.row_id, note.text) for note in notes.notes]


def only_complaint(notes: Notes) -> str:
    [complaint] = notes.complaints()
    return complaint


def csv_text(rows: Iterable[Sequence[Any]], header: Sequence[str] = ("row_id", "text"), **dialect: Any) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, **dialect)
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


def json_text(rows: Iterable[Row], **options: Any) -> str:
    return json.dumps([{"row_id": row_id, "text": text} for row_id, text in rows], **options)


def json_lines_text(rows: Iterable[Row], **options: Any) -> str:
    return "".join(json.dumps({"row_id": row_id, "text": text}, **options) + "\n" for row_id, text in rows)


def workbook(*rows: Sequence[Any], change: Callable[[openpyxl.Workbook], object] = lambda _book: None) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    change(book)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def sheets(**rows: Sequence[Sequence[Any]]) -> bytes:
    def add(book: openpyxl.Workbook) -> None:
        book.remove(book.worksheets[0])
        for name, cells in rows.items():
            sheet = book.create_sheet(name)
            for row in cells:
                sheet.append(row)

    return workbook(change=add)


def edited(book: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """The same workbook with one of its parts changed, as no honest program would write it."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as before, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as after:
        for member in before.namelist():
            content = before.read(member)
            after.writestr(member, change(content) if member == name else content)
    return out.getvalue()


def with_part(book: bytes, name: str, content: bytes) -> bytes:
    out = io.BytesIO(book)
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr(name, content)
    return out.getvalue()
