"""Every row of every format is held against the API's own model here, and refused in words a finance person uses."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, time, timedelta
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from summarizer.importing.notes import KEPT_CHARACTERS, BadLine, Note, NoteFormat, number, quoted, shortened
from summarizer.schemas import MAX_ROW_ID, MAX_TEXT, NoteIn

MAX_BAD_LINES = 10_000
_PROBLEMS_NAMED = 3  # a row of a thousand unknown properties needs no thousand reasons


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row that may be a note, with its values as the file has them."""

    line: int
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BlankLine:
    line: int


Item = Candidate | BadLine | BlankLine


class Sorter:
    """Takes the rows of one file in order and sorts them into notes and bad lines."""

    def __init__(self, note_format: NoteFormat) -> None:
        self.notes: list[Note] = []
        self.bad_lines: list[BadLine] = []
        self.blank_lines = 0
        self._format = note_format
        self._first_lines: dict[int, int] = {}

    def take_all(self, items: Iterable[Item]) -> None:
        """Sort `items`; beyond MAX_BAD_LINES the file is not worth reading on, and saying so is its last bad line."""
        for item in items:
            if len(self.bad_lines) >= MAX_BAD_LINES:
                reason = _("%(count)s lines are bad: reading stopped here")
                self.bad_lines.append(BadLine(item.line, None, reason % {"count": number(MAX_BAD_LINES)}))
                return
            self._take(item)

    def _take(self, item: Item) -> None:
        if isinstance(item, BadLine):
            self.bad_lines.append(item)
        elif isinstance(item, BlankLine):
            self.blank_lines += 1
        else:
            self._check(item)

    def _check(self, row: Candidate) -> None:
        try:
            note = NoteIn.model_validate(row.fields)
        except ValidationError as error:
            self._refuse(row, self._reasons(row, error))
            return
        if repetition := self._repetition(note.row_id, row.line):
            self._refuse(row, repetition)
        else:
            self.notes.append(Note(row.line, note.row_id, note.text))

    def _reasons(self, row: Candidate, error: ValidationError) -> list[str]:
        problems = error.errors(include_url=False, include_input=False)
        reasons = [_reason(problem, row.fields) for problem in problems[:_PROBLEMS_NAMED]]
        if {("row_id",), ()}.isdisjoint(problem["loc"] for problem in problems):
            reasons += self._repetition(row.fields["row_id"], row.line)
        return reasons

    def _refuse(self, row: Candidate, reasons: list[str]) -> None:
        row_id = row.fields.get("row_id")
        shown = None if row_id is None or row_id == "" else shortened(row_id)
        text = row.fields.get("text")
        kept = "" if text is None else shortened(text, KEPT_CHARACTERS)
        self.bad_lines.append(BadLine(row.line, shown, "; ".join(reasons), kept))

    def _repetition(self, row_id: int, line: int) -> list[str]:
        """A bad row keeps its row_id: mended, it would clash with the other one."""
        first = self._first_lines.setdefault(row_id, line)
        if first == line:
            return []
        # Translators: the place is such as "on line 3".
        said = _("row_id %(row_id)s appears twice, first %(place)s")
        return [said % {"row_id": row_id, "place": self._format.place(first)}]


def _reason(problem: ErrorDetails, fields: Mapping[str, Any]) -> str:
    match problem["loc"], problem["type"]:
        case (name,), "missing":
            return _("%(name)s is missing") % {"name": name}
        case (name,), "extra_forbidden":
            return _("%(name)s is not a property of a note: only row_id and text are") % {"name": quoted(name)}
        case ("row_id",), _:
            return _row_id_reason(problem["type"], fields["row_id"])
        case ("text",), _:
            return _text_reason(problem["type"], fields["text"])
        case _:
            return _("a property has a name with a broken character")


def _row_id_reason(kind: str, value: Any) -> str:
    if kind in {"greater_than_equal", "less_than_equal"}:
        said = _("row_id %(row_id)s is out of range: it must be between 1 and %(most)s")
        return said % {"row_id": shortened(value), "most": MAX_ROW_ID}
    if value is None or value == "":
        return _("%(name)s is empty") % {"name": "row_id"}
    said = _("row_id must be a whole number between 1 and %(most)s, not %(value)s")
    return said % {"most": MAX_ROW_ID, "value": _described(value)}


def _text_reason(kind: str, value: Any) -> str:
    match kind:
        case "string_too_long":
            return _length_reason(len(value))
        case "lone_surrogate":
            return _("text holds a broken character, one that was damaged or only half saved")
        case "nul_character":
            return _("text holds a NUL character, which cannot be stored")
    if value is None or value == "":
        return _("%(name)s is empty") % {"name": "text"}
    return _("text must be text, not %(value)s") % {"value": _described(value)}


def _length_reason(length: int) -> str:
    said = ngettext(
        "text has %(count)s character: %(most)s are allowed",
        "text has %(count)s characters: %(most)s are allowed",
        length,
    )
    return said % {"count": number(length), "most": number(MAX_TEXT)}


def _described(value: Any) -> str:
    """What stands there instead, in the nominative."""
    match value:
        case list() | dict():
            return _("a list") if isinstance(value, list) else _("an object")
        case str():
            return _("the text %(value)s") % {"value": quoted(value)}
        case int() | float() if not isinstance(value, bool):
            return _("the number %(value)s") % {"value": shortened(value)}
        case date() | time() | timedelta():
            return _("the date or time %(value)s") % {"value": shortened(value)}
    return shortened(value)
