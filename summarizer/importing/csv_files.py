"""CSV as spreadsheets and ledgers write it: any usual separator, quotes, line ends and encoding."""

import csv
import io
import re
from collections.abc import Iterator
from itertools import islice

from django.utils.translation import gettext as _

from summarizer.importing.checking import Sorter
from summarizer.importing.columns import BOTH, labels, recognised
from summarizer.importing.decoding import decode
from summarizer.importing.notes import BadLine, Choice, Columns, Layout, UnreadableFile
from summarizer.importing.tables import HEADER_WITHIN, Record, read_table

_DELIMITERS = (",", ";", "\t", "|")
_HINT = re.compile(r"sep=([,;\t|])[\r\n]*\Z", re.IGNORECASE)  # Excel writes and obeys such a first line
_HEADER_CHARACTERS = 10_000
_ZIP = b"PK\x03\x04"


def read_csv(data: bytes, choice: Choice, sorter: Sorter) -> Layout:
    """Read RFC 4180 and its usual dialects; a record is named by the line it starts on."""
    if data.startswith(_ZIP):
        raise UnreadableFile(
            _("the file is not CSV but an archive, perhaps an Excel workbook: name it .xlsx, or give the format xlsx")
        )
    text, encoding = decode(data)
    lines = io.StringIO(text, newline="")
    hint = _HINT.match(lines.readline())
    if hint is None:
        lines.seek(0)
    delimiter = hint[1] if hint else _sniffed(text, choice.columns)
    table = read_table(_records(lines, delimiter, lines_before=1 if hint else 0), choice.columns)
    sorter.take_all(table.items)
    return Layout(encoding, delimiter, None, table.header, table.columns, table.lines_above)


def _records(lines: io.StringIO, delimiter: str, lines_before: int) -> Iterator[Record | BadLine]:
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1 + lines_before
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield BadLine(line, None, _reason(str(error), line, reader.line_num + lines_before))
        else:
            yield Record(line, cells)


def _reason(error: str, first: int, last: int) -> str:
    if "unexpected end" in error:
        reason = _("a text is opened with a quote that is never closed")
    elif "field larger" in error:
        reason = _("a text is far too long, or opened with a quote that is never closed")
    else:
        reason = _('a quote is out of place: inside a quoted text it must be doubled ("")')
    if first == last:
        return reason
    said = _("%(reason)s (lines %(first)s to %(last)s were read as one row)")
    return said % {"reason": reason, "first": first, "last": last}


def _sniffed(text: str, chosen: Columns | None) -> str:
    """The delimiter under which one of the first lines names both columns, or else the first line names one of them,
    or else most columns at all."""
    filled = (line[:_HEADER_CHARACTERS] for line in io.StringIO(text, newline="") if line.strip())
    first_lines = list(islice(filled, HEADER_WITHIN))

    def score(delimiter: str) -> tuple[bool, int, int]:
        rows = [labels(next(csv.reader([line], delimiter=delimiter), [])) for line in first_lines] or [[]]
        named = [recognised(row, chosen) for row in rows]
        return BOTH in named, named[0], len(rows[0])

    return max(_DELIMITERS, key=score)
