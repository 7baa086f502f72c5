"""What CSV and XLSX share: records of cells under a header become candidates for notes."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.utils.translation import ngettext

from summarizer.importing.checking import BlankLine, Candidate, Item
from summarizer.importing.columns import BOTH, Positions, UnusableHeader, find_columns, labels, recognised
from summarizer.importing.notes import BadLine, Columns, number

HEADER_WITHIN = 20
"""Of the records that are not blank, so many first ones are looked through for the header."""
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
    lines_above: int = 0


@dataclass(frozen=True, slots=True)
class Beginning:
    """The first records of a table that are not blank, as far as they were read to find its header."""

    records: tuple[Record | BadLine, ...]
    blanks: tuple[BlankLine, ...]
    names_both: bool
    """The last record names both columns of a note."""

    @property
    def header_at(self) -> int:
        """The place of the header among `records`: where none names both columns, the first with names for two."""
        if self.names_both:
            return len(self.records) - 1
        wide = (place for place, record in enumerate(self.records) if sum(map(bool, _labels(record))) > 1)
        return next(wide, 0)


def read_table(records: Iterator[Record | BadLine], chosen: Columns | None) -> Table:
    """Find the header among the first records, under a title perhaps, and read what follows under it.

    A header that does not tell the two columns is the table's one bad line: its rows would mean nothing.
    """
    found = begin(records, chosen)
    if not found.records:
        return Table((), None, found.blanks)
    at = found.header_at
    head = found.records[at]
    if isinstance(head, BadLine):
        return Table((), None, [*found.blanks, head])
    return _under_header(head, chain(found.blanks, found.records[at + 1 :], records), chosen, lines_above=at)


def begin(records: Iterator[Record | BadLine], chosen: Columns | None) -> Beginning:
    """Read on until a record names both columns, or none of the first ones does, or one of them cannot be read."""
    filled: list[Record | BadLine] = []
    blanks: list[BlankLine] = []
    for record in records:
        if isinstance(record, Record) and _is_blank(record):
            blanks.append(BlankLine(record.line))
            continue
        filled.append(record)
        names_both = recognised(_labels(record), chosen) == BOTH
        if names_both or isinstance(record, BadLine) or len(filled) == HEADER_WITHIN:
            return Beginning(tuple(filled), tuple(blanks), names_both)
    return Beginning(tuple(filled), tuple(blanks), names_both=False)


def _labels(record: Record | BadLine) -> list[str]:
    return labels(record.cells) if isinstance(record, Record) else []


def _under_header(
    head: Record, rest: Iterable[Record | BadLine | BlankLine], chosen: Columns | None, lines_above: int
) -> Table:
    header = tuple(_labels(head))
    named = header[: max(position for position, name in enumerate(header, 1) if name)]
    try:
        positions = find_columns(named, chosen)
    except UnusableHeader as error:
        return Table(named, None, [BadLine(head.line, None, str(error))], lines_above)
    columns = Columns(named[positions.row_id], named[positions.text])
    return Table(named, columns, _items(rest, positions, len(header)), lines_above)


def _items(records: Iterable[Record | BadLine | BlankLine], positions: Positions, width: int) -> Iterator[Item]:
    for record in records:
        if isinstance(record, BadLine | BlankLine):
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
