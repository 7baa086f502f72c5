"""What the generator needs to know of each CLDR locale, read once."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import iso4217
from babel import localedata
from babel.core import get_global

from summarizer.amounts import lexer
from summarizer.amounts.text import canonical, fold

# A currency withdrawn since then may still stand on an invoice that is kept for ten years.
FIRST_YEAR_OF_KEPT_INVOICES = (2016, 1, 1)
_PARENTHESES = re.compile(r"[(（][^)）]*[)）]?")


@dataclass(frozen=True)
class LocaleData:
    """One locale: its language, the currencies its language's home country pays in, and CLDR's raw tables."""

    name: str
    language: str
    home: frozenset[str]
    decimal: str
    data: Any

    @property
    def spans_territories(self) -> bool:
        """Whether this is the language itself, as in `es`, and not one country's way to write it, as in `es_MX`."""
        parts = self.name.split("_")
        return len(parts) == 1 or (len(parts) == 2 and len(parts[1]) == 4)


@cache
def locales() -> tuple[LocaleData, ...]:
    """Every locale Babel knows, in a fixed order."""
    return tuple(_read(name) for name in sorted(localedata.locale_identifiers()))


def _read(name: str) -> LocaleData:
    data = localedata.LocaleDataDict(dict[Any, Any](localedata.load(name)))
    system = data["default_numbering_system"] or "latn"
    symbols = data["number_symbols"].get(system) or {}
    decimal = canonical(str(symbols.get("decimal") or "."))
    return LocaleData(name, name.partition("_")[0], _home(name), decimal, data)


def _home(name: str) -> frozenset[str]:
    """The currencies paid today where the locale's language is at home (CLDR's likely subtags)."""
    parts = name.split("_")
    script = parts[1:2] if len(parts) > 1 and len(parts[1]) == 4 else []
    likely = get_global("likely_subtags").get("_".join([parts[0], *script]), "")
    return frozenset(_tender(likely.rpartition("_")[2], (9999, 1, 1)))


def _tender(territory: str, since: tuple[int, int, int]) -> Iterator[str]:
    for code, _start, end, legal in get_global("territory_currencies").get(territory, ()):
        if legal and (end is None or tuple(end) >= since):
            yield code


@cache
def named_currencies() -> frozenset[str]:
    """The currencies whose names and symbols are read: legal tender somewhere since the first kept invoices, or once
    legal tender and still in ISO 4217. Funds and metals are read by their codes only.

    Of a currency that was revalued only the last one counts: CLDR puts the years into the older ones' names.
    """
    english = localedata.load("en")["currency_names"]
    since = FIRST_YEAR_OF_KEPT_INVOICES
    territories = get_global("territory_currencies")
    tender = {code for territory in territories for code in _tender(territory, since)}
    listed = {currency.code for currency in iso4217.Currency}
    tender |= listed.intersection(code for territory in territories for code in _tender(territory, (0, 1, 1)))
    return frozenset(code for code in tender if code in english and not re.search(r"\d{4}", english[code]))


@cache
def words(name: str) -> tuple[str, ...]:
    """The folded words of a currency's name, cut exactly as the words of a note will be, without parentheses."""
    text = canonical(_PARENTHESES.sub("", name))
    return tuple(
        fold(piece)
        for token in lexer.tokens(text)
        if token.kind == lexer.WORD
        for piece in [_without_elision(token.text.rstrip("."))]
        if len(piece) > 1 or not piece.isascii()
    )


def _without_elision(word: str) -> str:
    """`Australie` of `d'Australie`."""
    return word[2:] if word[1:2] == "'" else word


def names(locale: LocaleData, code: str) -> list[tuple[str, ...]]:
    """Every way the locale writes the name of a currency (its plural forms too), each as words."""
    spelled = {locale.data["currency_names"].get(code) or code}
    spelled.update((locale.data["currency_names_plural"].get(code) or {}).values())
    found = {words(name) for name in spelled if name != code}
    return [name for name in sorted(found) if name and name != (code.lower(),)]
