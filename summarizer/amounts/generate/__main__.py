"""The command of this package: writes `vocabulary.json`, or checks that it is what the installed packages give."""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Set
from importlib.metadata import version
from typing import Any

import iso4217
from babel import localedata

from summarizer.amounts.generate.grammar import conjunctions, measures, months
from summarizer.amounts.generate.locales import named_currencies
from summarizer.amounts.generate.magnitudes import magnitudes
from summarizer.amounts.generate.names import UnitWords, unit_words
from summarizer.amounts.generate.symbols import symbols
from summarizer.amounts.habits import MAIN_LANGUAGES
from summarizer.amounts.lookalikes import NEVER_ISO_4217
from summarizer.amounts.tables import DATA_FILE
from summarizer.amounts.text import fold

_NO_CURRENCY = frozenset({"XXX", "XTS"})
_SHORTEST_ASCII_WORD = 3


def build() -> dict[str, Any]:
    """The whole vocabulary as plain JSON: words are grouped by the currencies they may mean."""
    units, joining = unit_words(), conjunctions()
    skipped = months() | joining | {fold(measure.rstrip(".")) for measure in measures()}
    main = {word for word, languages in units.languages.items() if languages & MAIN_LANGUAGES}
    common = {word: codes for word, codes in units.units.items() if word in main and _usable(word)}
    rare = {w: codes for w, codes in units.units.items() if w not in main and w not in skipped and _usable(w)}
    return {
        "made_from": {package: version(package) for package in ("babel", "iso4217")},
        "exponents": _exponents(),
        "withdrawn": sorted(_withdrawn()),
        "symbols": _by_codes(symbols()),
        "units": _by_codes(common),
        "rare_units": _by_codes(rare),
        "homes": _by_codes(_homes(units, common)),
        "before": _by_codes(_qualifiers(units.before, joining)),
        "after": _by_codes(_qualifiers(units.after, joining)),
        "magnitudes": _magnitudes(),
        "conjunctions": sorted(joining),
        "measures": sorted(measures()),
        "months": sorted(months()),
    }


def _usable(word: str) -> bool:
    return word.isascii() is False or (word.isalpha() and len(word) >= _SHORTEST_ASCII_WORD)


def _qualifiers(words: Mapping[str, Set[str]], joining: Set[str]) -> dict[str, Set[str]]:
    return {w: codes for w, codes in words.items() if w not in joining and (len(w) > 1 or not w.isascii())}


def _exponents() -> dict[str, int]:
    """ISO 4217's minor units of every currency in use; 2 where the standard has none to give."""
    return {c.code: c.exponent if c.exponent is not None else 2 for c in iso4217.Currency if c.code not in _NO_CURRENCY}


def _withdrawn() -> set[str]:
    """Codes that ISO 4217 once had, as CLDR keeps them among others."""
    return set(localedata.load("en")["currency_names"]) - set(_exponents()) - _NO_CURRENCY - NEVER_ISO_4217


def _homes(units: UnitWords, common: Mapping[str, Set[str]]) -> dict[str, set[str]]:
    """Unit words of several currencies, one of which is at home where a main language writes that word."""
    named = named_currencies()
    homes = {word: units.homes[word] & named for word, codes in common.items() if len(codes) > 1}
    return {word: home for word, home in homes.items() if len(home) == 1}


def _by_codes(words: Mapping[str, Set[str]]) -> dict[str, str]:
    grouped: dict[str, list[str]] = defaultdict(list)
    for word, codes in words.items():
        grouped[" ".join(sorted(codes))].append(word)
    return {codes: " ".join(sorted(grouped[codes])) for codes in sorted(grouped)}


def _magnitudes() -> dict[str, list[list[Any]]]:
    """For each magnitude, the most usual power first: power, decimal separators, home currencies of its languages."""
    found = {}
    for written, powers in sorted(magnitudes().items()):
        ordered = sorted(powers.items(), key=lambda item: (-len(item[1].languages), item[0]))
        found[written] = [[power, "".join(sorted(u.decimals)), " ".join(sorted(u.homes))] for power, u in ordered]
    return found


def _text() -> str:
    sections = build().items()
    lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in sections]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> int:
    """Write the file, or with --check compare it; 1 when it is out of date."""
    parser = argparse.ArgumentParser(prog="python -m summarizer.amounts.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; status 1 if the file is out of date")
    arguments = parser.parse_args()
    text = _text()
    if arguments.check:
        fresh = DATA_FILE.read_text(encoding="utf-8") == text
        sys.stdout.write("up to date\n" if fresh else f"{DATA_FILE} is out of date\n")
        return 0 if fresh else 1
    DATA_FILE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
