"""Which column holds the row_id and which the text: by the names that spreadsheets usually give them, or as chosen."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from summarizer.importing.notes import Columns, printable, shortened

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


def find_columns(header: Sequence[str], chosen: Columns | None) -> Positions:
    """Find the two columns of a note among the labels of a header. Raises UnusableHeader."""
    row_id, text = (_position(header, field, chosen) for field in ("row_id", "text"))
    if row_id == text:
        raise UnusableHeader(f'the column "{shortened(header[text])}" cannot be both row_id and text')
    return Positions(row_id, text)


def recognised(header: Sequence[str], chosen: Columns | None) -> int:
    """How many of the two columns the header names at all."""
    return sum(bool(_matches(header, field, chosen)) for field in ("row_id", "text"))


def _position(header: Sequence[str], field: str, chosen: Columns | None) -> int:
    matches = _matches(header, field, chosen)
    if len(matches) == 1:
        return matches[0]
    if matches:
        names = " and ".join(f'"{shortened(header[position])}"' for position in matches)
        raise UnusableHeader(f"{len(matches)} columns could be the {field}: {names}; name only one of them so")
    if any(name.isdecimal() for name in header):
        raise UnusableHeader("the header is missing: the first line must name the columns row_id and text")
    names = ", ".join(f'"{shortened(name)}"' for name in header if name)
    sought = f'"{shortened(getattr(chosen, field))}"' if chosen else field
    raise UnusableHeader(f"the header has no column {sought}; it names {names}")


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
