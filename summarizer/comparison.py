"""What differs between two summaries of one note, in the order in which a person should look: an amount that is
another one now, then how the row ended, then the words."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from iso4217 import Currency

from backoffice.llm.numerals import Written, written_in
from summarizer.amounts.vocabulary import term

CODES = frozenset(currency.code for currency in Currency)
"""ISO 4217."""
MINUS = "-\N{MINUS SIGN}\N{NON-BREAKING HYPHEN}\N{SMALL HYPHEN-MINUS}\N{FULLWIDTH HYPHEN-MINUS}"
DASHES = "\N{FIGURE DASH}\N{EN DASH}\N{EM DASH}"
"""Each a minus only where it touches the number; else it is a break in the sentence."""
NEAR = 32
"""Characters on either side of a number in which its sign and its currency are looked for."""
_MINUSES = MINUS + DASHES
_WORD, _SIGN = r"(?P<word>[^\W\d_]*)", r"(?P<sign>[^\w\s]?)"
_LAST_MARK = re.compile(rf"(?=\S){_WORD}{_SIGN}\s*$")
_FIRST_MARK = re.compile(rf"(?:[.,]?[{re.escape(_MINUSES)}]{{1,2}})?\s*{_WORD}{_SIGN}")
"""Behind the `,-` of whole euros, or a minus that trails."""
_TRAILING_MINUS = re.compile(rf"[{re.escape(MINUS)}](?![\w{re.escape(MINUS)}])")
_LAST_WORD = re.compile(r"[^\W\d_]+$")


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
    return frozenset(_amount(text, number) for number in written_in(text))


def named(amounts: Iterable[Amount]) -> str:
    return ", ".join(map(str, sorted(amounts))) or "none"


def _amount(text: str, number: Written) -> Amount:
    before, behind = text[max(0, number.start - NEAR) : number.start], text[number.end : number.end + NEAR]
    mark, outer = _code_at_the_end(before)
    is_negative = _ends_negative(outer if mark else before)
    code, end = _code_at_the_beginning(behind)
    is_negative |= any(_TRAILING_MINUS.match(behind, place) for place in (0, end))
    beside = code or mark or _code_at_the_end(before.rstrip().rstrip(_MINUSES))[0]
    return Amount(-number.value if is_negative else number.value, beside)


def _ends_negative(text: str) -> bool:
    """Whether a minus ends the text, or a word for it: not the hyphen of `INV-7` or `5-10`, not the dash of
    `5 EUR - 10 EUR` or of a break in the sentence."""
    bare = text.rstrip()
    if not bare.endswith(tuple(_MINUSES)):
        word = _LAST_WORD.search(bare)
        return word is not None and term(word[0]).role == "minus"
    before, touches = bare[:-1], bare == text
    code, outer = _code_at_the_end(before)
    follows_number = (outer if code else before).rstrip()[-1:].isdigit()
    if not code and before[-1:].isalnum():
        return False
    if code and follows_number:
        return touches and before.endswith(" ")
    return touches or (bare.endswith(tuple(MINUS)) and not follows_number)


def _code_at_the_end(text: str) -> tuple[str, str]:
    """The currency that the text ends with, and what stands before it."""
    found = _LAST_MARK.search(text)
    if found is None:
        return "", text
    word, sign = found["word"], found["sign"]
    code = _code_of(word + sign) or (_code_of(sign) if sign else "")
    return code, text[: found.start()]


def _code_at_the_beginning(text: str) -> tuple[str, int]:
    """The currency that the text begins with, and where it ends."""
    found = _FIRST_MARK.match(text)
    if found is None:
        return "", 0
    for written, end in ((found["word"] + found["sign"], found.end()), (found["word"], found.end("word"))):
        if code := _code_of(written):
            return code, end
    unit = _FIRST_MARK.match(text, found.end("word"))
    code = _code_of(unit["word"], term(found["word"]).before) if unit else ""
    return code, unit.end("word") if unit and code else 0


def _code_of(mark: str, among: frozenset[str] | None = None) -> str:
    """ISO 4217, by a code, a sign or a word; several, where it may be any of them.

    `among`: the currencies that a word before it allows, such as the `US` of `US dollars`.
    """
    if mark in CODES and among is None:
        return mark
    found = term(mark).mark
    if found is None or found.weak:
        return ""
    if among is not None:
        return "/".join(sorted(found.codes & among))
    return found.preferred or "/".join(sorted(found.codes))
