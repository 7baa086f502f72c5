"""JSON and JSON Lines: as strict as the API, since programs write them."""

import io
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from backoffice.llm import strict_json
from summarizer.importing.checking import BlankLine, Candidate, Item, Sorter
from summarizer.importing.decoding import decode
from summarizer.importing.json_problems import problem_in
from summarizer.importing.notes import BadLine, Choice, Layout, UnreadableFile


def read_json(data: bytes, choice: Choice, sorter: Sorter) -> Layout:
    """Read one document: an array of notes, or the body that the API takes. Lines are positions in the array."""
    _refuse(choice)
    text, encoding = decode(data)
    if text.strip():
        sorter.take_all(_item(position, value) for position, value in enumerate(_rows(text), 1))
    else:
        sorter.take_all(())
    return Layout(encoding)


def read_json_lines(data: bytes, choice: Choice, sorter: Sorter) -> Layout:
    """Read one object a line; a line that is no JSON spoils no other."""
    _refuse(choice)
    text, encoding = decode(data)
    sorter.take_all(_line_items(text))
    return Layout(encoding)


def _refuse(choice: Choice) -> None:
    if choice.columns:
        raise UnreadableFile(
            _("columns can be chosen for CSV and XLSX only: JSON names the values row_id and text itself")
        )


def _rows(text: str) -> list[Any]:
    try:
        document = strict_json.loads(text, unique_keys=True)
    except strict_json.InvalidJSON as error:
        raise UnreadableFile(_("the file is not valid JSON: %(problem)s") % {"problem": problem_in(error)}) from None
    rows = document["rows"] if isinstance(document, dict) and document.keys() == {"rows"} else document
    if not isinstance(rows, list):
        raise UnreadableFile(
            _('the JSON must be an array of {"row_id": …, "text": …} or an object {"rows": […]} of such')
        )
    return rows


def _line_items(text: str) -> Iterator[Item]:
    for number, line in enumerate(io.StringIO(text, newline=""), 1):
        if not line.strip():
            yield BlankLine(number)
            continue
        try:
            value = strict_json.loads(line.rstrip("\r\n"), unique_keys=True)
        except strict_json.InvalidJSON as error:
            problem = problem_in(error, of_one_line=True)
            yield BadLine(number, None, _("not valid JSON: %(problem)s") % {"problem": problem})
        else:
            yield _item(number, value)


def _item(number: int, value: Any) -> Item:
    if isinstance(value, dict):
        return Candidate(number, value)
    return BadLine(number, None, _("not an object with row_id and text"))
