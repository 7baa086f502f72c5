"""Lists as files for spreadsheets: what stands in them, and CSV, streamed as it is read; `workbooks` writes XLSX.

A spreadsheet runs what looks like a formula. A cell that a stranger wrote never does here: CSV has a mark before it
(the way OWASP's page on CSV injection has it), XLSX stores it as text.
"""

import csv
from array import array
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from decimal import Decimal
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils import formats, timezone, translation

from backoffice.database import in_database
from summarizer.models import ImportDraft, Outcome, OutcomeState, Review, Run
from summarizer.runs.statistics import tallies

CHUNK = 500
MAX_XLSX_ROWS = 100_000
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
BOM = "\ufeff"

Cell = str | int | Decimal | datetime | None


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    value: Callable[[Any], Cell]
    width: int = 12
    """In a workbook, in characters; its title has room in any case."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A list under its titles. Its records are read by their keys, in the order of the list, some hundreds at once."""

    records: QuerySet[Any]
    columns: Sequence[Column]
    load: Callable[[list[int]], Mapping[int, Any]]

    @property
    def titles(self) -> list[str]:
        return [column.title for column in self.columns]

    def cells(self, record: Any) -> list[Cell]:
        return [column.value(record) for column in self.columns]


def outcomes(rows: QuerySet[Any], columns: Sequence[Column]) -> Sheet:
    """Rows with the attempts `following` them that were not withdrawn, and their reviews."""
    return Sheet(rows, columns, _rows_with_what_followed)


def _rows_with_what_followed(keys: list[int]) -> dict[int, Any]:
    following = Outcome.objects.exclude(state=OutcomeState.WITHDRAWN).only("state", "run_id", "requeued_from_id")
    rows = Outcome.objects.select_related("run__created_by").defer("exchange", "run__prompt")
    decided = Prefetch("reviews", Review.objects.select_related("created_by"))
    found: dict[int, Any] = rows.prefetch_related(
        Prefetch("next_attempts", following, to_attr="following"), decided
    ).in_bulk(keys)
    return found


def runs(found: QuerySet[Any], columns: Sequence[Column]) -> Sheet:
    """Runs with their `tally`."""
    return Sheet(found, columns, _runs_with_tallies)


def _runs_with_tallies(keys: list[int]) -> dict[int, Any]:
    found: dict[int, Any] = Run.objects.select_related("created_by").defer("prompt").in_bulk(keys)
    counted = tallies(keys)
    for key, run in found.items():
        run.tally = counted[key]
    return found


def drafts(found: QuerySet[Any], columns: Sequence[Column]) -> Sheet:
    return Sheet(found, columns, ImportDraft.objects.select_related("created_by").defer("file", "reading").in_bulk)


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


def csv_lines(sheet: Sheet) -> AsyncIterator[bytes]:
    """The records in their order, a few hundred at a time; in the zone and the language of the moment of the call."""
    return _csv_lines(sheet, Dialect.current(), timezone.get_current_timezone(), translation.get_language())


async def _csv_lines(sheet: Sheet, dialect: Dialect, zone: tzinfo, language: str | None) -> AsyncIterator[bytes]:
    writer = csv.writer(_Echo(), delimiter=dialect.delimiter)
    yield (BOM + writer.writerow([safe(title) for title in sheet.titles])).encode()
    async for chunk in chunks(sheet):
        with translation.override(language):
            lines = [[_csv_cell(cell, dialect, zone) for cell in sheet.cells(record)] for record in chunk]
        yield "".join(map(writer.writerow, lines)).encode()


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


async def chunks(sheet: Sheet) -> AsyncIterator[list[Any]]:
    """The keys are read first, eight bytes a row: the list stays the one that was asked for, in its order, and no
    connection is held while a slow reader reads."""
    keys = await in_database(_keys, sheet.records)
    for start in range(0, len(keys), CHUNK):
        chunk = list(keys[start : start + CHUNK])
        found = await in_database(sheet.load, chunk)
        yield [found[key] for key in chunk if key in found]


def _keys(records: QuerySet[Any]) -> "array[int]":
    return array("q", records.values_list("pk", flat=True).iterator(chunk_size=2000))
