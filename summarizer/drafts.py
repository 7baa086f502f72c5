"""Imports that an operator has begun: uploaded, read, looked at, and at last queued or given up.

A draft keeps the file and what was read of it, so nothing is lost when the browser is closed in between. It is queued
at most once, whoever presses, and it is empty afterwards: the notes live on in their runs alone.
"""

import dataclasses
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import PurePath
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from backoffice.llm.client import ModelConfig
from summarizer.importing import (
    BadLine,
    Choice,
    Columns,
    Layout,
    Note,
    NoteFormat,
    Notes,
    UnreadableFile,
    format_of,
    read_notes,
)
from summarizer.models import ImportDraft, OutcomeState, Run, Trigger
from summarizer.runs.queue import Origin, create_runs, hash_of, hashes_by_state

PASTED = "pasted text"


class AlreadyEnded(Exception):
    """The draft was queued or given up meanwhile."""


class NothingToQueue(Exception):
    """No good row is left."""


@dataclass(frozen=True, slots=True)
class Upload:
    name: str
    data: bytes
    note_format: NoteFormat


def uploaded(name: str, data: bytes) -> Upload:
    """A file, its format told by its name; a text file is a table, as spreadsheet programs save one. Raises
    UnreadableFile."""
    return Upload(name[-200:], data, NoteFormat.CSV if name.lower().endswith(".txt") else _format_of(name))


def _format_of(name: str) -> NoteFormat:
    try:
        return format_of(name)
    except UnreadableFile:
        said = _(
            "a file such as %(name)s is not read here: save it as an Excel workbook (.xlsx) or as CSV, and choose that"
        )
        raise UnreadableFile(said % {"name": PurePath(name).name[-60:]}) from None


def pasted(text: str) -> Upload:
    """What somebody pasted: a table with a header line, or JSON."""
    start = text.lstrip()[:1]
    if start == "[":
        note_format = NoteFormat.JSON
    elif start == "{":
        note_format = NoteFormat.JSON if _is_one_object(text) else NoteFormat.JSONL
    else:
        note_format = NoteFormat.CSV
    return Upload(PASTED, text.encode("utf-8", "surrogatepass"), note_format)


def _is_one_object(text: str) -> bool:
    """`{"rows": …}` over one or more lines, as against one object on each line."""
    return '"rows"' in text.split(":", 1)[0]


def store(user: User, upload: Upload) -> ImportDraft:
    """Read an upload and keep both. Raises UnreadableFile, and keeps nothing then."""
    return ImportDraft.objects.create(created_by=user, **_columns(upload, Choice()))


def replace(draft: ImportDraft, upload: Upload) -> None:
    """Put a corrected file in the place of the first; the sheet and the columns that somebody chose stay chosen where
    it has them. Raises UnreadableFile, AlreadyEnded."""
    _update(draft, **_columns(upload, _still_there(upload, _choice_of(draft))))


def _choice_of(draft: ImportDraft) -> Choice:
    """Raises AlreadyEnded."""
    layout = _open_reading(draft).layout
    columns = layout.columns if draft.reading["chosen"] else None
    return Choice(columns, layout.sheet if draft.reading.get("sheet_chosen") else None)


def _open_reading(draft: ImportDraft) -> Notes:
    """Raises AlreadyEnded."""
    if not draft.is_open:
        raise AlreadyEnded
    return reading_of(draft)


def _still_there(upload: Upload, choice: Choice) -> Choice:
    """What of a choice another file has too. Raises UnreadableFile."""
    layout = _read(upload, Choice()).layout
    sheet = choice.sheet if choice.sheet in {layout.sheet, *layout.other_sheets} else None
    columns = choice.columns
    if columns and not {columns.row_id, columns.text} <= set(_read(upload, Choice(columns, sheet)).layout.header):
        columns = None
    return Choice(columns, sheet)


def choose_columns(draft: ImportDraft, chosen: Columns) -> None:
    """Read the file anew with these two columns of the same sheet. Raises UnreadableFile, AlreadyEnded."""
    _update(draft, **_columns(_upload_of(draft), Choice(chosen, _open_reading(draft).layout.sheet)))


def choose_sheet(draft: ImportDraft, name: str) -> None:
    """Read another sheet of the workbook. Raises UnreadableFile, AlreadyEnded."""
    _update(draft, **_columns(_upload_of(draft), Choice(sheet=name)))


def _upload_of(draft: ImportDraft) -> Upload:
    return Upload(draft.name, bytes(draft.file), NoteFormat(draft.note_format))


def discard(draft: ImportDraft) -> None:
    """Raises AlreadyEnded."""
    _update(draft, discarded_at=timezone.now(), file=b"", reading={})


def _update(draft: ImportDraft, **values: Any) -> None:
    if not ImportDraft.objects.open().filter(pk=draft.pk).update(**values):
        raise AlreadyEnded


def _read(upload: Upload, choice: Choice) -> Notes:
    return read_notes(io.BytesIO(upload.data), note_format=upload.note_format, choice=choice)


def _columns(upload: Upload, choice: Choice) -> dict[str, Any]:
    notes = _read(upload, choice)
    if not notes.notes and not notes.bad_lines:
        notes = dataclasses.replace(notes, bad_lines=(BadLine(1, None, _("there are no rows")),))
    return {
        "name": upload.name,
        "note_format": upload.note_format.value,
        "file": upload.data,
        "reading": {
            **asdict(_in_their_words(notes)),
            "chosen": choice.columns is not None,
            "sheet_chosen": choice.sheet is not None,
        },
        "good_rows": len(notes.notes),
        "bad_rows": len(notes.bad_lines),
    }


def _in_their_words(notes: Notes) -> Notes:
    """The reader says `row_id` and `text`, with which each reason begins; whoever has other names for these columns
    reads their own."""
    columns = notes.layout.columns
    if columns is None or (columns.row_id, columns.text) == ("row_id", "text"):
        return notes
    names = {"row_id": columns.row_id, "text": columns.text}

    def told(bad: BadLine) -> BadLine:
        reason = re.sub(r"(^|; )(row_id|text)\b", lambda found: found[1] + names[found[2]], bad.reason)
        return dataclasses.replace(bad, reason=reason)

    return dataclasses.replace(notes, bad_lines=tuple(map(told, notes.bad_lines)))


def reading_of(draft: ImportDraft) -> Notes:
    """What was read of an open draft's file."""
    kept = draft.reading
    layout = kept["layout"]
    columns = Columns(**layout["columns"]) if layout["columns"] else None
    tuples = {name: tuple(layout.get(name, ())) for name in ("header", "other_sheets")}
    return Notes(
        format=NoteFormat(kept["format"]),
        layout=Layout(**layout | tuples | {"columns": columns}),
        notes=tuple(Note(**note) for note in kept["notes"]),
        bad_lines=tuple(BadLine(**bad) for bad in kept["bad_lines"]),
        blank_lines=kept["blank_lines"],
    )


@dataclass(frozen=True, slots=True)
class Queued:
    runs: tuple[Run, ...]
    rows: int
    known: int
    """Rows left out because they were summarised before, or are queued already."""


def queue(draft_id: int, user: User, config: ModelConfig, *, skip_known: bool) -> Queued:
    """Queue the good rows of a draft as runs. Raises AlreadyEnded, and NothingToQueue where no row is left."""
    with transaction.atomic():
        draft = ImportDraft.objects.open().select_for_update().filter(pk=draft_id).first()
        if draft is None:
            raise AlreadyEnded
        notes = reading_of(draft).notes
        chosen = known_among(notes, config).new if skip_known else list(notes)
        if not chosen:
            raise NothingToQueue
        _update(draft, queued_at=timezone.now(), file=b"", reading={}, good_rows=len(chosen))
        runs = create_runs(chosen, Origin(Trigger.ADMIN, user, draft.name), config)
        ImportDraft.objects.filter(pk=draft_id).update(runs=[run.pk for run in runs])
    return Queued(tuple(runs), len(chosen), len(notes) - len(chosen))


@dataclass(frozen=True, slots=True)
class Known:
    """The notes of an import, parted by what became of the same texts before."""

    summarised: list[Note]
    waiting: list[Note]
    """Queued already, or being worked on."""
    new: list[Note]


def known_among(notes: Sequence[Note], config: ModelConfig) -> Known:
    hashes = hashes_by_state(notes, config)
    known = Known([], [], [])
    for note in notes:
        if hash_of(note.text) in hashes[OutcomeState.SUMMARISED]:
            known.summarised.append(note)
        elif hash_of(note.text) in hashes[OutcomeState.PENDING]:
            known.waiting.append(note)
        else:
            known.new.append(note)
    return known


def places(notes: Notes) -> Iterator[tuple[str, BadLine]]:
    """Each bad row with its place in words."""
    for bad in notes.bad_lines:
        yield notes.format.place(bad.line), bad


__all__ = [
    "PASTED", "AlreadyEnded", "NothingToQueue", "Queued", "UnreadableFile", "Upload", "choose_columns",
    "choose_sheet", "discard", "known_among", "pasted", "places", "queue", "reading_of", "replace", "store", "uploaded",
]  # fmt: skip
