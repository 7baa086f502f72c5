"""Takes bank account numbers out of a text, so that their digits are not taken for groups of the amount behind them."""

import re

from summarizer.amounts import roles
from summarizer.amounts.lexer import WORD, Token

_START = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d\d(?= ?[A-Z0-9])")
_LENGTHS = {length[:2]: int(length[2:]) for length in roles.IBAN_LENGTHS.split()}
_PART = re.compile(r"[A-Z0-9]+")
_END = re.compile(r"(?![A-Za-z0-9]|[.,]\d)")


def without_ibans(text: str, found: list[Token]) -> list[Token]:
    """The tokens with those of each IBAN, written with or without spaces, as one word."""
    spans = _spans(text) if _START.search(text) else []
    if not spans:
        return found
    kept: list[Token] = []
    for token in found:
        while spans and spans[-1][1] <= token.start:
            spans.pop()
        if not spans or token.end <= spans[-1][0]:
            kept.append(token)
        elif not kept or kept[-1].start != spans[-1][0]:
            start, end = spans[-1]
            kept.append(Token(WORD, text[start:end], start, end))
    return kept


def _spans(text: str) -> list[tuple[int, int]]:
    """Where the IBANs are, from the last one to the first."""
    spans: list[tuple[int, int]] = []
    for match in _START.finditer(text):
        end = _end(text, match.start(), _LENGTHS.get(match[0][:2], 0))
        if end and (not spans or match.start() >= spans[-1][1]):
            spans.append((match.start(), end))
    return spans[::-1]


def _end(text: str, start: int, length: int) -> int:
    """The end of the IBAN of so many characters that begins at `start`, 0 if there is none."""
    place, left = start, length
    while left:
        part = _PART.match(text, place)
        if part is None or len(part[0]) > left:
            return 0
        left -= len(part[0])
        place = part.end() + (left > 0 and text[part.end() : part.end() + 1] == " ")
    return place if length and _END.match(text, place) else 0
