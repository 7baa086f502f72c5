"""The symbols of currencies in all locales: `zł`, `CA$`, `$CA`, `د.إ.`."""

from collections import defaultdict

from babel import localedata

from summarizer.amounts.generate.locales import locales, named_currencies
from summarizer.amounts.text import canonical


def symbols() -> dict[str, set[str]]:
    """Each symbol in canonical text, `_` for a space in it, with the currencies that some locale writes so."""
    found: dict[str, set[str]] = defaultdict(set)
    named, english = named_currencies(), localedata.load("en")["currency_names"]
    for locale in locales():
        for code, symbol in locale.data["currency_symbols"].items():
            written = "_".join(canonical(symbol).split())
            # A code is no symbol of another currency: CLDR has the guilder's `ANG` for the one that replaced it.
            if code in named and written and written not in english:
                found[written].add(code)
    return found
