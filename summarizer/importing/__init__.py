"""Notes from files: CSV, JSON, JSON Lines and XLSX become rows within the API's limits, or reasons why not.

It knows no database, request or setting: the command and the admin decide what to do with what was read. Of Django it
uses the translations alone: a reason is in the language that is active while the file is read, and stays in it.
"""

from summarizer.importing.notes import (
    BadLine,
    Choice,
    Columns,
    Layout,
    Note,
    NoteFormat,
    Notes,
    UnreadableFile,
    format_of,
)
from summarizer.importing.reading import MAX_BYTES, read_notes

__all__ = [
    "MAX_BYTES",
    "BadLine",
    "Choice",
    "Columns",
    "Layout",
    "Note",
    "NoteFormat",
    "Notes",
    "UnreadableFile",
    "format_of",
    "read_notes",
]
