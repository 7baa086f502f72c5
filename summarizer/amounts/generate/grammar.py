"""The words around amounts that CLDR knows: `and` of each language, units of measure, names of months."""

import re
from collections.abc import Iterator
from typing import Any

from summarizer.amounts.generate.locales import LocaleData, locales, words
from summarizer.amounts.habits import MAIN_LANGUAGES
from summarizer.amounts.text import canonical

# A longer word for a unit of measure is a word like any other, and no number with a word is taken for an amount.
_LONGEST_MEASURE = 4


def conjunctions() -> set[str]:
    """The words that join two things: `and`, `und`, `et`, `och`."""
    found: set[str] = set()
    for locale in _languages():
        pattern = (locale.data["list_patterns"].get("standard") or {}).get("2", "")
        found.update(words(pattern.replace("{0}", " ").replace("{1}", " ")))
    return found


def _languages() -> Iterator[LocaleData]:
    """The languages without their countries, which write these words alike."""
    return (locale for locale in locales() if locale.spans_territories)


def measures() -> set[str]:
    """The short units of measure (`kg`, `km`, `h`): a number with one of them is a quantity."""
    found: set[str] = set()
    for locale in _languages():
        if locale.language not in MAIN_LANGUAGES:
            continue
        for styles in dict(locale.data["unit_patterns"]).values():
            found.update(_short_units(styles))
    return found


def _short_units(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        unit = canonical(re.sub(r"\{\d\}", " ", value)).strip()
        if unit.rstrip(".").isalpha() and len(unit) <= _LONGEST_MEASURE:
            yield unit
    elif isinstance(value, tuple):
        yield from _short_units(value[1])
    elif hasattr(value, "values"):
        for part in value.values():
            yield from _short_units(part)


def months() -> set[str]:
    """The names of months, long and short: a number beside one of them is a day or a year."""
    found: set[str] = set()
    for locale in _languages():
        for context in dict(locale.data["months"]).values():
            for width, table in dict(context).items():
                if width != "narrow" and hasattr(table, "values"):
                    found.update(word for name in table.values() for word in words(str(name)) if len(word) > 2)
    return found
