"""What reading a file of notes gives: good notes, bad lines with their reasons, and how the file was understood."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import PurePath

from django.utils.formats import number_format
from django.utils.translation import gettext as _

SHOWN_CHARACTERS = 24
KEPT_CHARACTERS = 200
"""Of a bad row's text: enough to know it again by."""


class UnreadableFile(Exception):
    """The file cannot be read as notes at all; the message says why and what to do, for the person who sent it."""


class NoteFormat(StrEnum):
    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"
    XLSX = "xlsx"

    def place(self, line: int) -> str:
        """Where `line` is, in words: `on line 3`; JSON counts the items of its array, XLSX the rows of its sheet."""
        match self:
            case NoteFormat.JSON:
                return _("in item %(number)s") % {"number": line}
            case NoteFormat.XLSX:
                return _("in row %(number)s") % {"number": line}
        return _("on line %(number)s") % {"number": line}


_SUFFIXES = {
    ".csv": NoteFormat.CSV,
    ".tsv": NoteFormat.CSV,
    ".json": NoteFormat.JSON,
    ".jsonl": NoteFormat.JSONL,
    ".ndjson": NoteFormat.JSONL,
    ".xlsx": NoteFormat.XLSX,
}


def format_of(name: str) -> NoteFormat:
    """The format a file's name tells. Raises UnreadableFile, naming the choices, where it tells none."""
    try:
        return _SUFFIXES[PurePath(name).suffix.lower()]
    except KeyError:
        said = _(
            "the name %(name)s does not tell the format: it should end in one of %(endings)s, "
            "or the format must be given as one of %(formats)s"
        )
        named = {"name": quoted(name), "endings": ", ".join(_SUFFIXES), "formats": ", ".join(NoteFormat)}
        raise UnreadableFile(said % named) from None


@dataclass(frozen=True, slots=True)
class Note:
    line: int
    row_id: int
    text: str


@dataclass(frozen=True, slots=True)
class BadLine:
    """`line` counts from 1 as NoteFormat.place says; `row_id` and `text` are what stands there, shortened, where
    anything does."""

    line: int
    row_id: str | None
    reason: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Columns:
    """The header names of the two columns that make a note."""

    row_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Choice:
    """What somebody chose where a table leaves it open; None is for what it tells itself."""

    columns: Columns | None = None
    sheet: str | None = None
    """The name of a sheet of a workbook."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How the bytes were understood; None and empty where the format has no such thing or it was not found out."""

    encoding: str | None = None
    delimiter: str | None = None
    sheet: str | None = None
    header: tuple[str, ...] = ()
    columns: Columns | None = None
    lines_above: int = 0
    """Lines above the header that are not blank, such as a title."""
    other_sheets: tuple[str, ...] = ()
    """Visible sheets that were not read although something stands in them."""

    @property
    def encoding_is_guessed(self) -> bool:
        """Windows-1252 is what remains for bytes that are no UTF-8: likely, never certain."""
        return self.encoding == "cp1252"


@dataclass(frozen=True, slots=True)
class Notes:
    """A file as read. Every row that is not blank is in exactly one of `notes` and `bad_lines`, in order."""

    format: NoteFormat
    layout: Layout
    notes: tuple[Note, ...]
    bad_lines: tuple[BadLine, ...]
    blank_lines: int

    def complaints(self) -> Iterator[str]:
        """One sentence for each bad line, such as `on line 3: text is empty`."""
        for bad in self.bad_lines:
            yield f"{self.format.place(bad.line)}: {bad.reason}"


def printable(value: object) -> str:
    """A stranger's value on one line, without the characters that a terminal obeys or cannot encode."""
    text = _as_text(value).strip()
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def shortened(value: object, most: int = SHOWN_CHARACTERS) -> str:
    """The beginning of a stranger's value, printable, for a reason that must not become a page."""
    text = _as_text(value).strip()
    return printable(text[:most]) + ("…" if len(text) > most else "")


def _as_text(value: object) -> str:
    """As a spreadsheet or JSON shows it: a day without its midnight, and no Python word for true."""
    match value:
        case bool():
            return str(value).lower()
        case datetime(hour=0, minute=0, second=0, microsecond=0):
            return value.date().isoformat()
    return str(value)


def quoted(value: object) -> str:
    return _('"%(value)s"') % {"value": shortened(value)}


def number(value: int) -> str:
    """An amount as it is written in the language of the reason; places and row ids are written in plain digits."""
    return number_format(value, force_grouping=True)
