"""Rows as files for spreadsheets: CSV as it is read from the database, XLSX written row by row; memory stays flat.

A spreadsheet runs what looks like a formula. A cell that a stranger wrote never does here: CSV has a mark before it
(the way OWASP's page on CSV injection has it), XLSX stores it as text.
"""

import asyncio
import csv
import tempfile
from array import array
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from decimal import Decimal
from typing import Any

import openpyxl
from django.utils import formats, timezone
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

from backoffice.database import in_database
from summarizer.models import Outcome, OutcomeQuerySet

CHUNK = 500
MAX_XLSX_ROWS = 100_000
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
BOM = "\ufeff"
_BLOCK = 64 * 1024

Cell = str | int | Decimal | datetime | None


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    value: Callable[[Outcome], Cell]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How the reader's own spreadsheet reads CSV: where a comma stands in numbers, cells are parted by semicolons."""

    delimiter: str
    decimal: str

    @classmethod
    def current(cls) -> "Dialect":
        decimal = formats.get_format("DECIMAL_SEPARATOR")
        return cls(";" if decimal == "," else ",", decimal)


def safe(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


class _Echo:
    """What the csv module writes to: each line comes back."""

    def write(self, line: str) -> str:
        return line


def csv_lines(rows: OutcomeQuerySet, columns: Sequence[Column]) -> AsyncIterator[bytes]:
    """The rows in their order, a few hundred at a time; in the zone and the language of the moment of the call."""
    return _csv_lines(rows, columns, Dialect.current(), timezone.get_current_timezone())


async def _csv_lines(
    rows: OutcomeQuerySet, columns: Sequence[Column], dialect: Dialect, zone: tzinfo
) -> AsyncIterator[bytes]:
    writer = csv.writer(_Echo(), delimiter=dialect.delimiter)
    yield (BOM + writer.writerow([safe(column.title) for column in columns])).encode()
    async for chunk in _chunks(rows):
        lines = (writer.writerow([_csv_cell(column.value(row), dialect, zone) for column in columns]) for row in chunk)
        yield "".join(lines).encode()


def _csv_cell(value: Cell, dialect: Dialect, zone: tzinfo) -> str | int:
    match value:
        case None:
            return ""
        case datetime():
            return timezone.localtime(value, zone).strftime("%Y-%m-%d %H:%M:%S")
        case Decimal():
            return f"{value:f}".replace(".", dialect.decimal)
        case str():
            return safe(value)
    return value


def xlsx_blocks(rows: OutcomeQuerySet, columns: Sequence[Column]) -> AsyncIterator[bytes]:
    """A workbook of at most MAX_XLSX_ROWS rows. openpyxl keeps it in a file of its own until it is complete."""
    return _xlsx_blocks(rows, columns, timezone.get_current_timezone())


async def _xlsx_blocks(rows: OutcomeQuerySet, columns: Sequence[Column], zone: tzinfo) -> AsyncIterator[bytes]:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Rows")
    sheet.append([_xlsx_cell(sheet, column.title, zone) for column in columns])

    def append(chunk: Sequence[Outcome]) -> None:
        for row in chunk:
            sheet.append([_xlsx_cell(sheet, column.value(row), zone) for column in columns])

    async for chunk in _chunks(rows[:MAX_XLSX_ROWS]):
        await asyncio.to_thread(append, chunk)
    with tempfile.TemporaryFile() as file:
        await asyncio.to_thread(book.save, file)
        file.seek(0)
        while block := file.read(_BLOCK):
            yield block


def _xlsx_cell(sheet: Any, value: Cell, zone: tzinfo) -> Any:
    if isinstance(value, datetime):
        return timezone.localtime(value, zone).replace(tzinfo=None)
    if not isinstance(value, str):
        return value
    # XML would make a line feed of a carriage return; Excel keeps it as this escape (ECMA-376 part 1, 22.9.2.19).
    cell = WriteOnlyCell(sheet, ILLEGAL_CHARACTERS_RE.sub("", value).replace("\r", "_x000D_"))
    cell.data_type = "s"
    return cell


async def _chunks(rows: OutcomeQuerySet) -> AsyncIterator[list[Outcome]]:
    """The keys are read first, eight bytes a row: the list stays the one that was asked for, in its order, and no
    connection is held while a slow reader reads."""
    keys = await in_database(_keys, rows)
    for start in range(0, len(keys), CHUNK):
        yield await in_database(_load, keys[start : start + CHUNK])


def _keys(rows: OutcomeQuerySet) -> "array[int]":
    return array("q", rows.values_list("pk", flat=True).iterator(chunk_size=2000))


def _load(keys: "array[int]") -> list[Outcome]:
    found = Outcome.objects.select_related("run__created_by").defer("exchange", "run__prompt").in_bulk(list(keys))
    return [found[key] for key in keys if key in found]
