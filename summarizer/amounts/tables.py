"""The generated and the typed tables as dictionaries, read once when this module is imported."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from summarizer.amounts import habits, lookalikes, roles
from summarizer.amounts.text import canonical, fold

DATA_FILE = Path(__file__).with_name("vocabulary.json")
_DATA = json.loads(DATA_FILE.read_text(encoding="utf-8"))
_MOST_QUALIFIED = 8
NO_CODES: frozenset[str] = frozenset()


class MinorUnit(NamedTuple):
    """A minor unit: its currencies (none: any), the power of ten it divides by, whether it may stand alone."""

    codes: frozenset[str]
    digits: int
    alone: bool


class Use(NamedTuple):
    """One power of ten a magnitude stands for, with the decimal separators and home currencies of its languages.

    Beside other currencies than those at home a `local` use proves nothing.
    """

    power: int
    decimals: str
    homes: frozenset[str]
    local: bool = False


def _inverted(groups: Mapping[str, str]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for codes, words in groups.items():
        found.update(dict.fromkeys(words.split(), frozenset(codes.split())))
    return found


def _merged_by_fold(table: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for written, codes in table.items():
        folded = fold(written)
        found[folded] = found.get(folded, NO_CODES) | codes
    return found


def _narrowing(qualifiers: dict[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """A word in the names of very many currencies joins them to a country and rules none out: Ndebele `yase`."""
    every = frozenset(_DATA["exponents"])
    return {word: every if len(codes) > _MOST_QUALIFIED else codes for word, codes in qualifiers.items()}


def _spaced(words: str) -> Iterable[str]:
    return (word.replace("_", " ") for word in words.split())


# Currencies. Unit words and qualifiers are folded, symbols stand as they are written.
EXPONENTS: Mapping[str, int] = _DATA["exponents"]
WITHDRAWN = frozenset(_DATA["withdrawn"])
UNITS = _inverted(_DATA["units"])
RARE_UNITS = _inverted(_DATA["rare_units"])
_QUALIFIERS = {fold(word): frozenset(line.codes.split()) for line in habits.QUALIFIERS for word in line.words.split()}
BEFORE = _narrowing(_inverted(_DATA["before"])) | _QUALIFIERS
AFTER = _narrowing(_inverted(_DATA["after"])) | _QUALIFIERS
HOMES = {word: code for code, words in _DATA["homes"].items() for word in words.split()}
SYMBOLS = {written.replace("_", " "): codes for written, codes in _inverted(_DATA["symbols"]).items()}
SYMBOLS_FOLDED = _merged_by_fold(SYMBOLS)
HABITS = {written: habit for habit in habits.SYMBOLS for written in _spaced(habit.written)}
HABITS_FOLDED = {fold(written): habit for written, habit in HABITS.items()}
UNITS_WITHOUT_CODE = frozenset(fold(word) for word in habits.UNITS_WITHOUT_CODE.split())
MINORS = {
    fold(canonical(word)): MinorUnit(frozenset(habit.codes.split()), habit.digits, habit.alone)
    for habit in habits.MINOR_UNITS
    for word in habit.words.split()
}

# Magnitudes, as they are written and folded; a single letter means nothing without its case.
MAGNITUDE_HABITS = {written: habit for habit in habits.MAGNITUDES for written in habit.written.split()}
MAGNITUDES = {
    written: tuple(Use(power, decimals, frozenset(homes.split())) for power, decimals, homes in uses)
    for written, uses in _DATA["magnitudes"].items()
}
MAGNITUDES_FOLDED = {fold(written): uses for written, uses in MAGNITUDES.items() if len(written) > 1}
LONG_SCALE_BILLIONS = frozenset(habits.LONG_SCALE_BILLIONS.split())
MAGNITUDE_STARTS = frozenset(written.split()[0] for written in MAGNITUDES if " " in written)

# Words around numbers; of a word in two rows the later one counts.
_ROLES = (*habits.ROLES, *roles.REFERENCES, *roles.RELATIONS)
ROLES = {
    **dict.fromkeys(_DATA["conjunctions"], "and"),
    **{fold(canonical(word)): role.role for role in _ROLES for word in role.words.split()},
}
CREDIT_AND_DEBIT = {
    word: role.role for role in habits.ROLES if role.role in ("credit", "debit") for word in role.words.split()
}
NUMBER_WORDS = {fold(word): value for words, value in habits.NUMBER_WORDS.items() for word in words.split()}
MONTHS = frozenset(_DATA["months"])
# A single letter of a script without spaces is a magnitude or a unit of money before it is one of measure.
LONG_MEASURES = frozenset(measure for measure in _DATA["measures"] if len(measure) > 1)
MEASURES = frozenset(_DATA["measures"]) | frozenset(lookalikes.MEASURES.split())
