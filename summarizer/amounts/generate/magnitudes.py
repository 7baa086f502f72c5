"""The words and letters for thousands, millions and more, from the compact number formats of all locales."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from summarizer.amounts.generate.locales import LocaleData, locales
from summarizer.amounts.habits import MAIN_LANGUAGES
from summarizer.amounts.text import canonical

_STYLES = ("compact_decimal_formats", "compact_currency_formats")


@dataclass(frozen=True)
class Uses:
    """The languages that write a magnitude so: their decimal separators and home currencies."""

    decimals: set[str] = field(default_factory=set)
    homes: set[str] = field(default_factory=set)
    languages: set[str] = field(default_factory=set)


def magnitudes() -> dict[str, dict[int, Uses]]:
    """Each magnitude as it is written, in canonical text, with the powers of ten it stands for and who uses it so."""
    found: dict[str, dict[int, Uses]] = defaultdict(lambda: defaultdict(Uses))
    for locale in locales():
        for written, power in _written(locale):
            uses = found[written][power]
            if locale.spans_territories and locale.language in MAIN_LANGUAGES:
                uses.decimals.add(locale.decimal)
            uses.homes.update(locale.home)
            uses.languages.add(locale.language)
    return found


def _written(locale: LocaleData) -> Iterator[tuple[str, int]]:
    for style in _STYLES:
        for table in locale.data[style].values():
            for plural in (table or {}).values():
                for size, pattern in _sizes(plural):
                    yield from _magnitude(size, pattern)


def _sizes(plural: Any) -> Iterator[tuple[str, str]]:
    if hasattr(plural, "items"):
        for size, pattern in plural.items():
            yield size, str(getattr(pattern, "pattern", pattern))


def _magnitude(size: str, pattern: str) -> Iterator[tuple[str, int]]:
    """`00 Mio'.' ¤` for 10000000 is `Mio.`, 10^6: the size less the zeros that the pattern still writes."""
    positive = re.sub(r"'(.[^']*)'", r"\1", pattern.partition(";")[0])
    zeros = positive.count("0")
    written = " ".join(canonical(re.sub(r"[0¤]", " ", positive)).split())
    power = len(size) - zeros
    if written and zeros and power > 0 and "-" not in written:
        yield written, power
