"""What differs between two summaries of one note, in the order in which a person should look: an amount that is
another one now, then how the row ended, then the words."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from iso4217 import Currency

from backoffice.llm.numerals import numbers_in

CODES = frozenset(currency.code for currency in Currency)
"""ISO 4217."""
CODE_OF_SIGN = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "₺": "TRY", "₽": "RUB"}
"""Good enough to compare by: a sign that means another currency comes with a code."""
MINUS = ("-", "\N{MINUS SIGN}")


class Change(StrEnum):
    AMOUNTS = "amounts"
    OUTCOME = "outcome"
    """Failed, or failed otherwise, or other warnings."""
    WORDING = "wording"
    NONE = "none"


@dataclass(frozen=True, slots=True, order=True)
class Amount:
    """A number as a summary states it, with the ISO 4217 code beside it, if any."""

    value: Decimal
    currency: str = ""

    def __str__(self) -> str:
        return f"{self.value} {self.currency}".rstrip()


@dataclass(frozen=True, slots=True)
class Ending:
    """How a note ended: with a summary or with a failure code."""

    summary: str | None
    failure: str
    warnings: tuple[str, ...]


def change_between(before: Ending, after: Ending) -> Change:
    if None not in (before.summary, after.summary) and amounts_in(before.summary) != amounts_in(after.summary):
        return Change.AMOUNTS
    if (before.failure, set(before.warnings)) != (after.failure, set(after.warnings)):
        return Change.OUTCOME
    return Change.NONE if before.summary == after.summary else Change.WORDING


def amounts_in(summary: str | None) -> frozenset[Amount]:
    """Every number by its value, however it is written: `1,200.50 EUR` and `€1200.5` are the same amount."""
    text = summary or ""
    return frozenset(_amount(text, value, written) for value, written in numbers_in(text).items())


def named(amounts: Iterable[Amount]) -> str:
    return ", ".join(map(str, sorted(amounts))) or "none"


def _amount(text: str, value: Decimal, written: str) -> Amount:
    start = text.index(written)
    before, after = text[:start], text[start + len(written) :].lstrip()
    negative = before.endswith(MINUS) and not before[-2:-1].isalnum()
    beside = before.rstrip("".join(MINUS)).rstrip()
    return Amount(-value if negative else value, _currency(after[:3], beside[-3:]))


def _currency(after: str, before: str) -> str:
    for piece in (after, before):
        if piece in CODES:
            return piece
    return CODE_OF_SIGN.get(after[:1]) or CODE_OF_SIGN.get(before[-1:], "")
