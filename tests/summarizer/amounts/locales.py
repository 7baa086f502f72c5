"""Amounts as Babel writes them in its locales, for the properties."""

import re
from dataclasses import dataclass
from decimal import Decimal

from babel import Locale, localedata
from babel.numbers import format_currency
from hypothesis import strategies as st

from summarizer.amounts.generate.locales import named_currencies
from summarizer.amounts.tables import EXPONENTS

LOCALES = sorted(localedata.locale_identifiers())
# Toki Pona groups by twos, which is no grouping by the contract.
GROUPED_LOCALES = [
    name for name in LOCALES if Locale.parse(name).currency_formats["standard"].grouping in ((3, 3), (3, 2))
]
THREE = 3
CURRENCIES = sorted(named_currencies() & set(EXPONENTS))


@dataclass(frozen=True)
class Written:
    """An amount and one way to write it."""

    code: str
    minor: int
    text: str
    locale: str
    named: bool = False

    @property
    def value(self) -> Decimal:
        return Decimal(self.minor).scaleb(-EXPONENTS[self.code])


def written(code: str, minor: int, locale: str, *, style: str) -> Written:
    """The amount in the locale's own digits, by symbol with the decimals of ISO 4217, or by name.

    Names are not used for currencies of three decimals: without decimals, one separator would be in doubt.
    """
    exponent = EXPONENTS[code]
    value = Decimal(minor).scaleb(-exponent)
    options = {"locale": locale, "currency_digits": False, "numbering_system": "default"}
    if style == "name" and exponent != THREE:
        return Written(code, minor, format_currency(value, code, format_type="name", **options), locale, named=True)
    formats = Locale.parse(locale).currency_formats
    decimals = "." + "0" * exponent if exponent else ""
    pattern = re.sub(r"\.0+", decimals, str((formats.get(style) or formats["standard"]).pattern))
    return Written(code, minor, format_currency(value, code, format=pattern, **options), locale)


def amounts_in(locales: list[str]) -> st.SearchStrategy[Written]:
    return st.builds(
        written,
        st.sampled_from(CURRENCIES),
        st.integers(-(10**12), 10**12) | st.sampled_from([0, 5, -5, 1234, 100000, 123456789]),
        st.sampled_from(locales),
        style=st.sampled_from(["standard", "accounting", "name"]),
    )


amounts = amounts_in(LOCALES)


def is_grouped_once(text: str) -> bool:
    """Whether Babel grouped only the last thousands, as it does for some Swiss patterns: `62500000'000`."""
    return re.search(r"\d{4}['’]\d", text) is not None
