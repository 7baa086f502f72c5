"""XLSX by openpyxl's read-only mode, with bounds on what a workbook may unfold to.

openpyxl is used directly and not through a table library, which would read a sheet of a million padded rows whole.
"""

import io
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Any

import openpyxl
from django.utils.translation import gettext as _
from openpyxl.workbook import Workbook

from summarizer.importing.checking import Sorter
from summarizer.importing.notes import BadLine, Choice, Layout, UnreadableFile, number, quoted
from summarizer.importing.tables import Record, begin, read_table

MAX_UNPACKED_BYTES = 200_000_000
MAX_SHEET_ROWS = 1_048_576  # Excel's own limit; a forged row number must not make us count further
MAX_SHEET_COLUMNS = 128
MAX_SHEETS_SEEN = 50  # each is opened to see what stands in it
MAX_ROWS_SEEN = 1_000
_OLE = bytes.fromhex("d0cf11e0a1b11ae1")


@dataclass(frozen=True, slots=True)
class _CellError:
    """A formula's failure such as #N/A, which openpyxl gives as if it were text."""

    code: str

    def __str__(self) -> str:
        return self.code


def read_xlsx(data: bytes, choice: Choice, sorter: Sorter) -> Layout:
    """Read one sheet: the chosen one, or the first that names both columns, or the first that is not empty.

    Hidden sheets do not count. Formulas count with the value last saved, and lines are the sheet's rows.
    """
    _check_archive(data)
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", module="openpyxl"
        )  # they speak of styles and validations, which we don't read
        with closing(_open(data)) as workbook:
            visible = _visible(workbook)
            beginnings = ((sheet, begin(islice(_records(sheet), MAX_ROWS_SEEN), choice.columns)) for sheet in visible)
            filled = {sheet.title: (sheet, found.names_both) for sheet, found in beginnings if found.records}
            sheet = _named(filled, choice.sheet) if choice.sheet else _told(filled) or visible[0]
            table = read_table(_records(sheet), choice.columns)
            sorter.take_all(table.items)
    others = tuple(name for name in filled if name != sheet.title)
    return Layout(None, None, sheet.title, table.header, table.columns, table.lines_above, others)


def _check_archive(data: bytes) -> None:
    if data.startswith(_OLE):
        raise UnreadableFile(
            _("the workbook is in the old .xls format or has a password: save it as .xlsx without one")
        )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
    except Exception as error:
        raise _unreadable() from error
    if unpacked > MAX_UNPACKED_BYTES:
        said = _("the workbook unpacks to more than %(size)s MB")
        raise UnreadableFile(said % {"size": number(MAX_UNPACKED_BYTES // 1_000_000)})


def _open(data: bytes) -> Workbook:
    try:
        return openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    except Exception as error:
        raise _unreadable() from error


def _visible(workbook: Workbook) -> list[Any]:
    visible = [sheet for sheet in workbook.worksheets if sheet.sheet_state == "visible"]
    if not visible:
        raise UnreadableFile(_("the workbook has no visible sheet"))
    return visible[:MAX_SHEETS_SEEN]


def _named(filled: Mapping[str, tuple[Any, bool]], name: str) -> Any:
    if name in filled:
        return filled[name][0]
    said = _("the workbook has no sheet %(sought)s with something in it; it has %(names)s")
    raise UnreadableFile(said % {"sought": quoted(name), "names": ", ".join(map(quoted, filled))})


def _told(filled: Mapping[str, tuple[Any, bool]]) -> Any | None:
    """The first that names both columns, or else the first. `filled`: sheets, each with whether it names both."""
    sheets = sorted(filled.values(), key=lambda each: not each[1])
    return sheets[0][0] if sheets else None


def _records(sheet: Any) -> Iterator[Record | BadLine]:
    """The rows up to bounds of ours: what a workbook says of its own size may be wrong."""
    previous = None
    try:
        rows = sheet.iter_rows(min_row=1, max_row=MAX_SHEET_ROWS, min_col=1, max_col=MAX_SHEET_COLUMNS)
        for line, cells in enumerate(rows, 1):
            # All rows of a gap are one object: a million of them, down to a stray cell, must not take a minute.
            yield Record(line, () if cells is previous else [_value(cell) for cell in cells])
            previous = cells
    except Exception as error:
        raise _unreadable() from error


def _value(cell: Any) -> Any:
    if cell.data_type == "e":
        return _CellError(cell.value)
    # Excel keeps a carriage return as this escape (ECMA-376 part 1, 22.9.2.19) and openpyxl leaves it so.
    return cell.value.replace("_x000D_", "\r") if isinstance(cell.value, str) else cell.value


def _unreadable() -> UnreadableFile:
    """openpyxl has no exception of its own: a damaged workbook raises whatever its parsers happen to."""
    return UnreadableFile(_("the file is not an Excel workbook (.xlsx), or it is damaged"))
