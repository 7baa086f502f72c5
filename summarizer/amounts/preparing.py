"""Joins what the lexer cut and belongs together (`7 654,30`, `7억 3천 20만`), and reads small numbers in words."""

import re

from summarizer.amounts import habits, lexer
from summarizer.amounts.figures import DOUBT, MOST_DIGITS
from summarizer.amounts.groups import join_groups
from summarizer.amounts.ibans import without_ibans
from summarizer.amounts.lexer import BARE_DECIMAL, NUMBER, SIGN, WORD, Token
from summarizer.amounts.phrases import phrase_after
from summarizer.amounts.unspaced import has_unspaced, is_unspaced, pieces
from summarizer.amounts.vocabulary import is_abbreviation, term

_SPACED_DIGITS = re.compile(r"\d \d")
_DOT_BEFORE_DIGIT = re.compile(r"\. ?\d")
_CENTS = 2
# East Asian numerals count in sections of ten thousand.
_SECTION = 4
# A number of 36 digits has no more parts; the limit keeps a text of nothing but units linear.
_MOST_PARTS = 24


def prepared(text: str) -> list[Token]:
    """The tokens of a canonical text, with the parts of one number as one token."""
    found = without_ibans(text, lexer.tokens(text))
    if has_unspaced(text):
        found = _join_numerals(_cut_unspaced(found))
    if _SPACED_DIGITS.search(text):
        found = join_groups(text, found)
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


def _read_number_words(text: str, found: list[Token]) -> list[Token]:
    """A small number in words that begins the text before a unit, or ends it as the cents, as a number."""
    first, last = found[0], found[-1]
    value = term(first.text).number
    unit = phrase_after(text, found, 1) if value else None
    if unit and (unit.unit or _is_spoken(found, unit.end)):
        found = [Token(NUMBER, str(value), first.start, first.end), *found[1:]]
    value = term(last.text).number
    if value and len(found) > 2 and found[0].kind != WORD and term(found[-2].text).role == "and":
        found = [*found[:-1], Token(NUMBER, f"{value:02}", last.start, last.end)]
    return found


def _is_spoken(found: list[Token], place: int) -> bool:
    """Whoever writes a code or a sign writes digits: the word before `EUR 50` in `Due EUR 50` is no number."""
    return len(found) > place and (found[place].kind != NUMBER or found[place - 1].text.islower())


def _settle_dots(found: list[Token]) -> list[Token]:
    """In `Rs.500` the dot is the word's, `zł.45k` is a word and a decimal, `86. 50` at the end is one number."""
    settled = found[:1]
    for place, token in enumerate(found[1:], 1):
        previous = settled[-1]
        if token.kind != NUMBER or previous.text[-1] != ".":
            settled.append(token)
        elif previous.kind == WORD and previous.end == token.start:
            settled.append(_behind_dot(found, place))
        elif token is found[-1] and _is_split_decimal(settled, token):
            whole = settled[-2]
            settled[-2:] = [Token(NUMBER, f"{whole.text}.{token.text}", whole.start, token.end)]
        else:
            settled.append(token)
    return settled


def _behind_dot(found: list[Token], place: int) -> Token:
    """The number glued to the dot of a word: a decimal only before a glued magnitude, and in doubt where the word has
    no dot of its own (`EUR.50`)."""
    word, token = found[place - 1], found[place]
    mark = term(word.text).mark
    # A letter that is no currency may be a digit that was read badly: `l.200,50`.
    long = len(token.text) > _CENTS or not token.text.isdecimal()
    if is_abbreviation(word.text) or (long and (mark or len(word.text) > _CENTS)):
        return token
    decimal = Token(BARE_DECIMAL, f".{token.text}", token.start - 1, token.end)
    following = found[place + 1] if place + 1 < len(found) else None
    if mark and following and following.start == token.end and term(following.text).uses:
        return decimal
    if mark and mark.codes != {word.text[:-1].upper()}:
        return token
    return Token(NUMBER, DOUBT + token.text, token.start, token.end)


def _is_split_decimal(settled: list[Token], token: Token) -> bool:
    if len(settled) < 2 or any(other.kind == WORD for other in settled):
        return False
    whole, dot = settled[-2:]
    spaced = dot.end + 1 == token.start and whole.end == dot.start and whole.kind == NUMBER
    return spaced and dot.kind == SIGN and whole.text.isdecimal() and len(token.text) == _CENTS


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
