"""Splits the names of currencies into unit words (`dollar`) and qualifiers (`Canadian`), in every language.

CLDR lists whole names: `Canadian dollar`, `dollar canadien`, `kanadische Dollar`. Notes write parts of them. Which
word is the unit follows from the data: the dollars of a language share one word, and where in the name it stands is
where the language puts the unit of any currency.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Set
from dataclasses import dataclass, field

from babel import localedata

from summarizer.amounts.generate.locales import LocaleData, locales, named_currencies, names, words
from summarizer.amounts.habits import MAIN_LANGUAGES
from summarizer.amounts.lookalikes import UNITS_LIKE_PLACES, WORDS_FOR_NEW
from summarizer.amounts.text import fold

# English has four spellings of the crown and two of the rial; as one family they show more languages' unit words.
_SAME_FAMILY = {"krona": "krone", "koruna": "krone", "riyal": "rial"}
_SHARED_BY_AT_LEAST = 0.4
# A word of this many families of one language means "currency" or "new", not a unit.
_FAMILIES_OF_A_UNIT = 2
# Languages that are written in an office have a code of two letters; the others share too many short words with units.
_OFFICIAL = 2
# Vietnamese sets syllables apart, and those of `đồng` and `bảng` are also in the names of countries.
_WRITE_SYLLABLES = frozenset({"vi"})
_NEW = frozenset(map(fold, WORDS_FOR_NEW))
Names = dict[str, list[tuple[str, ...]]]
Codes = defaultdict[str, set[str]]


def _codes() -> Codes:
    return defaultdict(set)


@dataclass(frozen=True)
class UnitWords:
    """Which currencies each word may mean, by its place: the unit itself, or a qualifier before or after it."""

    units: Codes = field(default_factory=_codes)
    before: Codes = field(default_factory=_codes)
    after: Codes = field(default_factory=_codes)
    homes: Codes = field(default_factory=_codes)
    languages: Codes = field(default_factory=_codes)


def families() -> dict[str, str]:
    """The family of each currency: the last word of its English name."""
    english = localedata.load("en")["currency_names"]
    last = {code: words(english[code])[-1] for code in sorted(named_currencies())}
    return {code: _SAME_FAMILY.get(word, word) for code, word in last.items()}


def unit_words() -> UnitWords:
    """The unit words and qualifiers of all languages."""
    found, family_of = UnitWords(), families()
    seen: set[str] = set()
    for locale in locales():
        spelled = {code: variants for code in family_of if (variants := names(locale, code))}
        key = f"{locale.language} {sorted(locale.home)} {spelled}"
        if key in seen:
            continue
        seen.add(key)
        _add(found, locale, spelled, _units_by_code(spelled, family_of, locale))
    return found


def _never_units(locale: LocaleData) -> frozenset[str]:
    """Words of the locale's countries and languages, and those for `new`: `Nepal` is no rupee and `nuevo` no shekel."""
    if locale.language in _WRITE_SYLLABLES:
        return _NEW
    places = [str(name) for name in locale.data["territories"].values()]
    tongues = [str(name) for code, name in locale.data["languages"].items() if len(code) == _OFFICIAL]
    return _NEW.union(word for name in places + tongues for word in words(name))


def _units_by_code(spelled: Names, family_of: dict[str, str], locale: LocaleData) -> dict[str, set[str]]:
    spread, never = _families_by_word(spelled, family_of), _never_units(locale)
    units = _shared_units(spelled, family_of, spread)
    for code in units:
        units[code] -= _NEW if code in UNITS_LIKE_PLACES else never
    last = _unit_stands_last(spelled, units)
    for code, variants in spelled.items():
        unlikely = [_NEW if code in UNITS_LIKE_PLACES else never]
        # Words of the other languages are trusted only alone; a country is better than nothing there.
        unlikely += [] if locale.language in MAIN_LANGUAGES else [_NEW]
        for variant in variants:
            if not units[code].intersection(variant):
                found = (_unit_by_place(variant, last, spread, never) for never in unlikely)
                units[code].update(next(filter(None, found), []))
    return units


def _families_by_word(spelled: Names, family_of: dict[str, str]) -> Codes:
    spread = _codes()
    for code, variants in spelled.items():
        for word in _distinct(variants):
            spread[word].add(family_of[code])
    return spread


def _shared_units(spelled: Names, family_of: dict[str, str], spread: Codes) -> Codes:
    """The words that many currencies of one family have in common."""
    members = _codes()
    for code in spelled:
        members[family_of[code]].add(code)
    units = _codes()
    for codes in members.values():
        counts = Counter(word for code in codes for word in _distinct(spelled[code]))
        needed = max(2.0, len(codes) * _SHARED_BY_AT_LEAST)
        shared = {w for w, count in counts.items() if count >= needed and len(spread[w]) <= _FAMILIES_OF_A_UNIT}
        for code in codes:
            units[code] |= shared & _distinct(spelled[code])
    return units


def _unit_stands_last(spelled: Names, units: Codes) -> bool:
    last = first = 0
    for code, variants in spelled.items():
        for variant in variants:
            if len(variant) > 1 and units[code].intersection(variant):
                last += variant[-1] in units[code]
                first += variant[0] in units[code]
    return last >= first


def _unit_by_place(variant: tuple[str, ...], last: bool, spread: Codes, never: Set[str]) -> list[str]:
    if len(variant) == 1:
        return list(variant)
    ordered = variant[::-1] if last else variant
    return [word for word in ordered if len(spread[word]) <= _FAMILIES_OF_A_UNIT and word not in never][:1]


def _add(found: UnitWords, locale: LocaleData, spelled: Names, units: dict[str, set[str]]) -> None:
    for code, variants in spelled.items():
        for variant in variants:
            places = [place for place, word in enumerate(variant) if word in units[code]]
            for place, word in enumerate(variant):
                if place in places:
                    found.units[word].add(code)
                    found.languages[word].add(locale.language)
                    found.homes[word].update({code} & locale.home if locale.language in MAIN_LANGUAGES else ())
                elif places:
                    (found.before if place < places[0] else found.after)[word].add(code)


def _distinct(variants: Iterable[tuple[str, ...]]) -> set[str]:
    return {word for variant in variants for word in variant}
