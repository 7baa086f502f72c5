"""Lists as XLSX, written row by row in flat memory. To import this loads openpyxl, which no start should pay for."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from typing import Any

import openpyxl
from django.utils import timezone, translation
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.utils import get_column_letter

from summarizer.exporting import MAX_XLSX_ROWS, Cell, Sheet, chunks

_BLOCK = 64 * 1024


def xlsx_blocks(sheet: Sheet) -> AsyncIterator[bytes]:
    """A workbook of at most MAX_XLSX_ROWS rows. openpyxl keeps it in a file of its own until it is complete."""
    limited = replace(sheet, records=sheet.records[:MAX_XLSX_ROWS])
    return _xlsx_blocks(limited, timezone.get_current_timezone(), translation.get_language())


async def _xlsx_blocks(sheet: Sheet, zone: tzinfo, language: str | None) -> AsyncIterator[bytes]:
    book = openpyxl.Workbook(write_only=True)
    page = book.create_sheet("Rows")
    _lay_out(page, sheet)
    page.append([_xlsx_cell(page, title, zone) for title in sheet.titles])

    def append(chunk: Sequence[Any]) -> None:
        with translation.override(language):
            for record in chunk:
                page.append([_xlsx_cell(page, cell, zone) for cell in sheet.cells(record)])

    async for chunk in chunks(sheet):
        await asyncio.to_thread(append, chunk)
    with tempfile.TemporaryFile() as file:
        await asyncio.to_thread(book.save, file)
        file.seek(0)
        while block := file.read(_BLOCK):
            yield block


def _lay_out(page: Any, sheet: Sheet) -> None:
    """Titles that stay in sight and columns as wide as they need; openpyxl writes both before the first row."""
    page.freeze_panes = "A2"
    for position, column in enumerate(sheet.columns, 1):
        page.column_dimensions[get_column_letter(position)].width = max(column.width, len(column.title) + 2)


def _xlsx_cell(sheet: Any, value: Cell, zone: tzinfo) -> Any:
    if isinstance(value, datetime):
        return timezone.localtime(value, zone).replace(tzinfo=None)
    if not isinstance(value, str):
        return value
    # XML would make a line feed of a carriage return; Excel keeps it as this escape (ECMA-376 part 1, 22.9.2.19).
    cell = WriteOnlyCell(sheet, ILLEGAL_CHARACTERS_RE.sub("", value).replace("\r", "_x000D_"))
    cell.data_type = "s"
    return cell
