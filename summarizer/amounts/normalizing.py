"""The tool `normalize_amount`: one text in, one amount or one error out, and never an exception."""

import html
import re
from contextlib import suppress
from functools import lru_cache
from typing import Any

from summarizer.amounts.choosing import chosen
from summarizer.amounts.figures import DOUBT, figure
from summarizer.amounts.lexer import NUMBER, Token
from summarizer.amounts.preparing import prepared
from summarizer.amounts.readings import Reader, Reading
from summarizer.amounts.relations import related
from summarizer.amounts.text import MAX_LENGTH, canonical
from summarizer.amounts.values import Amount, Frame, Uncertain, amount, frame

_MESSAGES = {
    "not_text": "The amount must be given as text.",
    "too_long": "The text or the number in it is too long. Pass only the words and digits of one amount.",
    "no_amount": "No money amount was found. State no amount, or pass the words and digits of one amount.",
    "multiple_amounts": "More than one amount was found. Call again with the text of one of them.",
    "range": "This is a range, not one amount. State both ends as they are written.",
    "calculation": "This is a calculation, not one amount. State it as it is written and do not work it out.",
    "percentage": "This is a percentage, not an amount of money.",
    "fraction": "This is a fraction, not a decimal amount. State it as it is written.",
    "malformed_number": "The digits are not grouped like a number. State the amount exactly as it is written.",
    "currency_conflict": "Two different currencies are named for one number. State the amount as it is written.",
    "ambiguous_sign": "It is not clear whether the dash or brackets mean minus. State the amount as it is written.",
    "ambiguous_separator": "The separator may mean thousands or decimals. State the amount as it is written.",
    "ambiguous_magnitude": "The word for the magnitude has several meanings. State the amount as it is written.",
}
ERROR_CODES = frozenset(_MESSAGES)

# Digits other than 0 do not change what stands around a number, so what was read for `3.456,70 €` is true of
# `8.192,45 €` and is remembered. Dates and years are left out: there the digits tell a year from a group.
_SHAPE = str.maketrans("23456789", "11111111")
_LONGEST_REMEMBERED = 256
_REMEMBERED = 4096
# A note with more numbers is a table, of which no one number is the amount.
_MOST_NUMBERS = 100
_LIKE_A_DATE = re.compile(r"\d[./-] ?\d\d?[./-] ?\d")
_LIKE_A_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def normalize_amount(raw: object) -> dict[str, Any]:
    """The one money amount of a text, in minor units of its ISO 4217 currency.

    Success is `amount_minor` (int, rounded half up, away from zero), `currency` (code or None), `exponent` (decimals of
    the currency by ISO 4217, 2 without one), `amount` (decimal string with exactly that many decimals) and `flags`;
    `candidates` are the currencies it may be where it is one of several. Where the amount is not certain: `error` (one
    of `ERROR_CODES`), `message` and `candidates` (amounts as text). Never raises; linear in the length of the text.
    """
    try:
        return _amount(_text_of(raw)).result()
    except Uncertain as uncertain:
        return {"error": uncertain.code, "message": _MESSAGES[uncertain.code], "candidates": uncertain.candidates}


def _text_of(raw: object) -> str:
    """The plain text of a string, also of a subclass that would answer otherwise."""
    if not issubclass(type(raw), str):
        raise Uncertain("not_text")
    text = str.__str__(raw)
    if len(text) > MAX_LENGTH:
        raise Uncertain("too_long")
    return text


def _amount(raw: str) -> Amount:
    text = canonical(html.unescape(raw) if "&" in raw else raw)
    if len(text) <= _LONGEST_REMEMBERED and not _has_date(text):
        framed = _framed(text.translate(_SHAPE))
        if isinstance(framed, str):
            raise Uncertain(framed)
        if framed:
            surroundings, start, end = framed
            return amount(surroundings, figure(text[start:end]))
    found, _ = _read(text)
    return amount(frame(found), found.figure)


def _has_date(text: str) -> bool:
    if _LIKE_A_DATE.search(text):
        return True
    return ("20" in text or "19" in text) and _LIKE_A_YEAR.search(text) is not None


def _read(text: str) -> tuple[Reading, Token]:
    tokens = prepared(text)
    if sum(token.kind == NUMBER for token in tokens) > _MOST_NUMBERS:
        raise Uncertain("multiple_amounts")
    found = chosen(tokens, related(tokens, Reader(text, tokens).readings()))
    number = tokens[found.place]
    if number.text[0] == DOUBT:
        raise Uncertain(found.problem, _both(found, number.text.removeprefix(DOUBT)))
    return found, number


def _both(found: Reading, digits: str) -> list[str]:
    """The amounts that a doubtful number may be: its last piece or the whole of `47 200,00`, 50 or 0.50 of `EUR.50`."""
    surroundings = frame(found)._replace(problem="")
    written = (digits.rpartition(" ")[2], digits) if " " in digits else (digits, f".{digits}")
    found_amounts = []
    for text in written:
        with suppress(Uncertain):
            found_amounts.append(amount(surroundings, figure(text)).written())
    return found_amounts


@lru_cache(_REMEMBERED)
def _framed(shape: str) -> tuple[Frame, int, int] | str | None:
    """What stands around the amount of such a text and where its digits are, or the code of the error; None where other
    digits of the text count too: in a compound, a numeral or the candidates of an error."""
    try:
        found, number = _read(shape)
    except Uncertain as uncertain:
        return None if uncertain.candidates else uncertain.code
    whole = shape[number.start : number.end] == number.text and not found.compound
    return (frame(found), number.start, number.end) if whole else None
