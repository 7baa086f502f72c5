"""What CSV and XLSX share: records of cells under a header become candidates for notes."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import ngettext

from summarizer.importing.checking import BlankLine, Candidate, Item
from summarizer.importing.columns import Positions, UnusableHeader, find_columns, label
from summarizer.importing.notes import BadLine, Columns, number

_DIGITS = re.compile(r"[0-9]+")
_DIGITS_READ = 20  # a longer number is out of range by its first digits, and int() refuses thousands of them


@dataclass(frozen=True, slots=True)
class Record:
    line: int
    cells: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Table:
    header: tuple[str, ...]
    columns: Columns | None
    items: Iterable[Item]


def read_table(records: Iterator[Record | BadLine], chosen: Columns | None) -> Table:
    """Find the header, the first record that is not blank, and read what follows under it.

    A header that does not tell the two columns is the table's one bad line: its rows would mean nothing.
    """
    blanks: list[Item] = []
    for record in records:
        if isinstance(record, BadLine):
            return Table((), None, [*blanks, record])
        if not _is_blank(record):
            return _under_header(record, records, blanks, chosen)
        blanks.append(BlankLine(record.line))
    return Table((), None, blanks)


def _under_header(
    head: Record, records: Iterator[Record | BadLine], blanks: list[Item], chosen: Columns | None
) -> Table:
    header = tuple(label(cell) for cell in head.cells)
    named = header[: max(position for position, name in enumerate(header, 1) if name)]
    try:
        positions = find_columns(named, chosen)
    except UnusableHeader as error:
        return Table(named, None, [*blanks, BadLine(head.line, None, str(error))])
    columns = Columns(named[positions.row_id], named[positions.text])
    return Table(named, columns, _items(records, blanks, positions, len(header)))


def _items(records: Iterator[Record | BadLine], blanks: list[Item], positions: Positions, width: int) -> Iterator[Item]:
    yield from blanks
    for record in records:
        if isinstance(record, BadLine):
            yield record
        elif _is_blank(record):
            yield BlankLine(record.line)
        elif len(record.cells) != width:
            yield BadLine(record.line, None, _width_reason(len(record.cells), width))
        else:
            fields = {"row_id": _row_id(record.cells[positions.row_id]), "text": record.cells[positions.text]}
            yield Candidate(record.line, fields)


def _width_reason(found: int, width: int) -> str:
    if found < width:
        said = ngettext(
            "only %(found)s of the header's %(width)s columns is there",
            "only %(found)s of the header's %(width)s columns are there",
            found,
        )
    else:
        said = ngettext(
            "%(found)s column instead of the header's %(width)s: a text that holds the separator must stand in quotes",
            "%(found)s columns instead of the header's %(width)s: a text that holds the separator must stand in quotes",
            found,
        )
    return said % {"found": number(found), "width": number(width)}


def _is_blank(record: Record) -> bool:
    return all(cell is None or (isinstance(cell, str) and not cell.strip()) for cell in record.cells)


def _row_id(cell: Any) -> Any:
    """The number a cell holds, as digits or as a spreadsheet's number; anything else as it is, to be refused."""
    if isinstance(cell, str) and _DIGITS.fullmatch(digits := cell.strip()):
        return int(digits[:_DIGITS_READ])
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell
