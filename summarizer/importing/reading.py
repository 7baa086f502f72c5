"""The way in: a file or a stream becomes Notes, whatever its bytes are."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from django.utils.translation import gettext as _

from summarizer.importing.checking import Sorter
from summarizer.importing.csv_files import read_csv
from summarizer.importing.json_files import read_json, read_json_lines
from summarizer.importing.notes import Choice, Layout, NoteFormat, Notes, UnreadableFile, format_of, number, printable

MAX_BYTES = 200_000_000  # 10,000 notes of 4,000 characters, four bytes each, and room for their frame
OPEN = Choice()


def _read_xlsx(data: bytes, choice: Choice, sorter: Sorter) -> Layout:
    from summarizer.importing.xlsx_files import read_xlsx  # noqa: PLC0415 - it loads openpyxl: a tenth of every start

    return read_xlsx(data, choice, sorter)


_READERS: Mapping[NoteFormat, Callable[[bytes, Choice, Sorter], Layout]] = {
    NoteFormat.CSV: read_csv,
    NoteFormat.JSON: read_json,
    NoteFormat.JSONL: read_json_lines,
    NoteFormat.XLSX: _read_xlsx,
}


class ByteStream(Protocol):
    """Standard input, an uploaded file, or bytes in memory."""

    def read(self, size: int, /) -> bytes: ...


def read_notes(source: Path | ByteStream, *, note_format: NoteFormat | None = None, choice: Choice = OPEN) -> Notes:
    """Read every note of a file and every line that is none.

    Without `note_format` a path's name tells the format; a stream has no name and needs it. `choice` is for
    CSV and XLSX whose header has names of its own, and for workbooks of several sheets. A file that has its header and
    no rows has no notes; one with nothing in it was damaged on its way. Raises UnreadableFile and nothing else,
    whatever the bytes.
    """
    if note_format is None:
        note_format = _format_by_name(source)
    data = _bytes(source)
    if not data.strip():
        raise UnreadableFile(_("the file is empty"))
    sorter = Sorter(note_format)
    layout = _READERS[note_format](data, choice, sorter)
    return Notes(note_format, layout, tuple(sorter.notes), tuple(sorter.bad_lines), sorter.blank_lines)


def _format_by_name(source: Path | ByteStream) -> NoteFormat:
    if isinstance(source, Path):
        return format_of(source.name)
    said = _("standard input has no name: give its format as one of %(formats)s")
    raise UnreadableFile(said % {"formats": ", ".join(NoteFormat)})


def _bytes(source: Path | ByteStream) -> bytes:
    data = _file_bytes(source) if isinstance(source, Path) else source.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise UnreadableFile(_("the file is larger than %(size)s MB") % {"size": number(MAX_BYTES // 1_000_000)})
    return data


def _file_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        said = _("%(path)s cannot be read: %(why)s")
        raise UnreadableFile(said % {"path": printable(path), "why": error.strerror}) from None
