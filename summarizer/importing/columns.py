"""Which column holds the row_id and which the text: by the names that spreadsheets usually give them, or as chosen."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from summarizer.importing.notes import Columns, number, printable, quoted

_SEPARATORS = re.compile(r"[\s_.\-]+")
_NAMES = {
    "row_id": """
        row_id rowid id row row_number row_no row_nr no nr number # record record_id
        zeile zeilennummer lfd_nr laufende_nummer zeilen_id nummer ligne numéro n° n°_de_ligne rad radnummer
        wiersz numer numer_wiersza lp fila número línea ক্রমিক ক্রমিক_নং क्रमांक
    """,
    "text": """
        text note notes note_text description memo comment narrative details remark remarks
        beschreibung buchungstext verwendungszweck notiz bemerkung texte libellé libelle désignation remarque
        anteckning beskrivning kommentar opis treść uwagi tytuł texto nota descripción concepto
        বিবরণ নোট টেক্সট विवरण टिप्पणी
    """,
}


BOTH = 2


class UnusableHeader(Exception):
    """The header does not tell which columns make a note; the message says what it lacks."""


@dataclass(frozen=True, slots=True)
class Positions:
    """Where the two columns stand, counted from 0."""

    row_id: int
    text: int


def label(cell: object) -> str:
    """A header cell as it is shown, and as Columns names it."""
    return "" if cell is None else printable(cell)


def labels(cells: Iterable[object]) -> list[str]:
    return [label(cell) for cell in cells]


def find_columns(header: Sequence[str], chosen: Columns | None) -> Positions:
    """Find the two columns of a note among the labels of a header. Raises UnusableHeader."""
    row_id, text = (_position(header, field, chosen) for field in ("row_id", "text"))
    if row_id == text:
        said = _("the column %(name)s cannot be both row_id and text")
        raise UnusableHeader(said % {"name": quoted(header[text])})
    return Positions(row_id, text)


def recognised(header: Sequence[str], chosen: Columns | None) -> int:
    """How many of the two columns the header names at all: up to BOTH."""
    return sum(bool(_matches(header, field, chosen)) for field in ("row_id", "text"))


def _position(header: Sequence[str], field: str, chosen: Columns | None) -> int:
    matches = _matches(header, field, chosen)
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise UnusableHeader(_too_many([header[position] for position in matches], field))
    if any(name.isdecimal() for name in header):
        raise UnusableHeader(_("the header is missing: the first line must name the columns row_id and text"))
    sought = quoted(getattr(chosen, field)) if chosen else field
    said = _("the header has no column %(sought)s; it names %(names)s")
    raise UnusableHeader(said % {"sought": sought, "names": _listed([name for name in header if name])})


def _too_many(names: Sequence[str], field: str) -> str:
    said = ngettext(
        "%(count)s column could be the %(field)s: %(names)s; name only one of them so",
        "%(count)s columns could be the %(field)s: %(names)s; name only one of them so",
        len(names),
    )
    return said % {"count": number(len(names)), "field": field, "names": _listed(names)}


def _listed(names: Sequence[str]) -> str:
    return ", ".join(quoted(name) for name in names)


def _matches(header: Sequence[str], field: str, chosen: Columns | None) -> list[int]:
    """The positions of the columns that may be `field`; its exact name goes before all others."""
    if chosen:
        return [position for position, name in enumerate(header) if name == label(getattr(chosen, field))]
    plain = [_plain(name) for name in header]
    exact = [position for position, name in enumerate(plain) if name == _plain(field)]
    return exact or [position for position, name in enumerate(plain) if name in _SYNONYMS[field]]


def _plain(name: str) -> str:
    return _SEPARATORS.sub(" ", unicodedata.normalize("NFKC", name).casefold()).strip()


_SYNONYMS = {field: frozenset(_plain(name) for name in names.split()) for field, names in _NAMES.items()}
