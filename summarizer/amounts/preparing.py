"""Joins what the lexer cut and belongs together (`7 654,30`, `7억 3천 20만`), and reads small numbers in words."""

import re

from summarizer.amounts import habits, lexer
from summarizer.amounts.figures import MOST_DIGITS
from summarizer.amounts.lexer import BARE_DECIMAL, NUMBER, SIGN, WORD, Token
from summarizer.amounts.phrases import phrase_after
from summarizer.amounts.unspaced import has_unspaced, is_unspaced, pieces
from summarizer.amounts.vocabulary import is_abbreviation, term

_SPACED_DIGITS = re.compile(r"\d \d")
_DOT_BEFORE_DIGIT = re.compile(r"\. ?\d")
_GROUP, _PAIR = 3, 2
# East Asian numerals count in sections of ten thousand.
_SECTION = 4
# A number of 36 digits has no more parts; the limit keeps a text of nothing but units linear.
_MOST_PARTS = 24


def prepared(text: str) -> list[Token]:
    """The tokens of a canonical text, with the parts of one number as one token."""
    found = lexer.tokens(text)
    if has_unspaced(text):
        found = _join_numerals(_cut_unspaced(found))
    if _SPACED_DIGITS.search(text):
        found = _join_groups(text, found)
    if found and term(found[0].text).role == "free" and all(token.kind == SIGN for token in found[1:]):
        return [Token(NUMBER, "0", found[0].start, found[0].end)]
    if len(found) > 1 and (term(found[0].text).number or term(found[-1].text).number):
        found = _read_number_words(text, found)
    return _settle_dots(found) if _DOT_BEFORE_DIGIT.search(text) else found


def _cut_unspaced(found: list[Token]) -> list[Token]:
    cut: list[Token] = []
    for token in found:
        if token.kind == WORD and len(token.text) > 1 and is_unspaced(token.text):
            place = token.start
            for piece in pieces(token.text):
                cut.append(Token(WORD, piece, place, place + len(piece)))
                place += len(piece)
        else:
            cut.append(token)
    return cut


def _join_groups(text: str, found: list[Token]) -> list[Token]:
    """Numbers a single space apart are one number if their digits are grouped by threes or like 12 34 567."""
    joined: list[Token] = []
    place = 0
    while place < len(found):
        end = place + 1
        if found[place].kind == NUMBER:
            while end < len(found) and found[end].kind == NUMBER and found[end].start - found[end - 1].end == 1:
                end += 1
        joined.extend(_joined_run(text, found[place:end]))
        place = end
    return joined


def _joined_run(text: str, run: list[Token]) -> list[Token]:
    """The run with the longest groups that begin in it joined, from left to right."""
    joined: list[Token] = []
    place = 0
    while place < len(run):
        size = _grouped_size(run, place)
        first, last = run[place], run[place + size - 1]
        joined.append(Token(NUMBER, text[first.start : last.end], first.start, last.end) if size > 1 else first)
        place += size
    return joined


def _grouped_size(run: list[Token], start: int) -> int:
    """How many tokens of the run, from `start` on, are groups of one number."""
    head = run[start].text
    if not head.isdecimal() or len(head) > _GROUP or (head[0] == "0" and head != "0"):
        return 1
    stop = min(start + MOST_DIGITS, len(run))
    twos = start + 1
    while twos < stop and len(run[twos].text) == _PAIR and run[twos].text.isdecimal():
        twos += 1
    if start + 1 < twos < stop and len(head) <= _PAIR and head != "0" and _is_group(run[twos], last=True):
        return twos + 1 - start
    end = start + 1
    while end < stop and _is_group(run[end], last=False):
        end += 1
    if end < stop and _is_group(run[end], last=True):
        end += 1
    return min(end - start, 2) if head == "0" else end - start


def _is_group(token: Token, *, last: bool) -> bool:
    """Whether the token is three digits; the last group may have decimals behind it."""
    text = token.text
    return text[:_GROUP].isdecimal() and (
        len(text) == _GROUP or (last and len(text) > _GROUP and not text[_GROUP].isdecimal())
    )


def _read_number_words(text: str, found: list[Token]) -> list[Token]:
    """A small number in words that begins the text before a unit, or ends it as the cents, as a number."""
    first, last = found[0], found[-1]
    value = term(first.text).number
    unit = phrase_after(text, found, 1) if value else None
    if unit and (unit.unit or len(found) > unit.end):
        found = [Token(NUMBER, str(value), first.start, first.end), *found[1:]]
    value = term(last.text).number
    if value and len(found) > 2 and found[0].kind != WORD and term(found[-2].text).role == "and":
        found = [*found[:-1], Token(NUMBER, f"{value:02}", last.start, last.end)]
    return found


def _settle_dots(found: list[Token]) -> list[Token]:
    """`Ft.85` is a word and a decimal, in `Rs.500` the dot is the word's, `86. 50` at the end is one number."""
    settled = found[:1]
    for token in found[1:]:
        previous = settled[-1]
        if token.kind != NUMBER or previous.text[-1] != ".":
            settled.append(token)
        elif previous.kind == WORD and previous.end == token.start and not is_abbreviation(previous.text):
            settled[-1] = Token(WORD, previous.text[:-1], previous.start, previous.end - 1)
            settled.append(Token(BARE_DECIMAL, f".{token.text}", previous.end - 1, token.end))
        elif token is found[-1] and _is_split_decimal(settled, token):
            whole = settled[-2]
            settled[-2:] = [Token(NUMBER, f"{whole.text}.{token.text}", whole.start, token.end)]
        else:
            settled.append(token)
    return settled


def _is_split_decimal(settled: list[Token], token: Token) -> bool:
    if len(settled) < 2 or any(other.kind == WORD for other in settled):
        return False
    whole, dot = settled[-2:]
    spaced = dot.end + 1 == token.start and whole.end == dot.start and whole.kind == NUMBER
    return spaced and dot.kind == SIGN and whole.text.isdecimal() and len(token.text) == 2


def _join_numerals(found: list[Token]) -> list[Token]:
    if not any(token.text in habits.EAST_ASIAN_UNITS for token in found):
        return found
    joined: list[Token] = []
    place = 0
    while place < len(found):
        end, value = _numeral(found, place)
        if end > place:
            joined.append(Token(NUMBER, str(value), found[place].start, found[end - 1].end))
        else:
            end = place + 1
            joined.append(found[place])
        place = end
    return joined


def _numeral(found: list[Token], start: int) -> tuple[int, int]:
    """The end and value of an East Asian numeral of several parts; fewer parts are left to the magnitudes."""
    count, place = _Count(), start
    stop = min(start + _MOST_PARTS, len(found))
    while place < stop and (place == start or found[place].start - found[place - 1].end <= 1):
        power = habits.EAST_ASIAN_UNITS.get(found[place].text)
        if power is not None:
            count.multiply(power)
        elif not count.takes(found[place].text):
            break
        place += 1
    return (place, count.value()) if place - start > 2 else (start, 0)


class _Count:
    """Adds up an East Asian numeral: digits times small units give a section, sections times large units the total."""

    def __init__(self) -> None:
        self.total = self.section = 0
        self.pending: int | None = None

    def takes(self, text: str) -> bool:
        """Whether a plain number may follow here; it is then the count of the next unit."""
        if self.pending is not None or not text.isdecimal() or len(text) > MOST_DIGITS:
            return False
        self.pending = int(text)
        return True

    def multiply(self, power: int) -> None:
        """Takes a unit; a large one right behind another multiplies it, as in `万亿`."""
        if power < _SECTION:
            self.section += (1 if self.pending is None else self.pending) * 10**power
        elif self.section or self.pending is not None:
            self.total += (self.section + (self.pending or 0)) * 10**power
            self.section = 0
        else:
            self.total = min((self.total or 1) * 10**power, 10**MOST_DIGITS)
        self.pending = None

    def value(self) -> int:
        """The whole numeral."""
        return self.total + self.section + (self.pending or 0)
