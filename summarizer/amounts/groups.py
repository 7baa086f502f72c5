"""Joins numbers that stand a space apart where they are the groups of one number.

Where the text before them says that the first is a reference, a quantity, a rate or part of a telephone number, they
are left apart; where both is possible, the number is marked as doubtful and is no amount.
"""

from summarizer.amounts import roles
from summarizer.amounts.dates import names_month
from summarizer.amounts.figures import DOUBT, MOST_DIGITS
from summarizer.amounts.lexer import NUMBER, WORD, Token
from summarizer.amounts.phrases import phrase_before
from summarizer.amounts.text import fold
from summarizer.amounts.unspaced import is_unspaced
from summarizer.amounts.vocabulary import term

_GROUP, _PAIR = 3, 2
# `12 34 56 789` is 12 crore; what has more pairs is a telephone number.
_MOST_PAIRS = 4
# Behind a plus sign more groups than these are a telephone number.
_MOST_SIGNED = 3
# What may stand between a word and the number it announces: `No.: 15`, `n° 15`.
_BETWEEN = frozenset(":.=°")
_LABELS = frozenset(":=")  # Behind these stands what is on the paper: `Facture : 1 200,00`.
_DASHES = frozenset("-/")

# What the words before a run of numbers make of it.
_PLAIN = ""
_ONE = "one"  # The first is a number of its own: `Pos. 1 119,00`.
_MAYBE = "maybe"  # The first may be one: `March 5 200.00`.
_PAPER = "paper"  # The first may be one, where it looks like the number of a paper: `Rechnung 47 200,00`.
_DIGITS = "digits"  # The run begins with a number written in groups of any size: `Tel. 030 123 456`.
_SIGNED = "signed"


def join_groups(text: str, found: list[Token]) -> list[Token]:
    """Numbers a single space apart are one number if their digits are grouped by threes or like 12 34 567."""
    joined: list[Token] = []
    place = 0
    while place < len(found):
        end = place + 1
        if found[place].kind == NUMBER:
            while end < len(found) and found[end].kind == NUMBER and found[end].start - found[end - 1].end == 1:
                end += 1
        run = found[place:end]
        joined.extend(run if len(run) == 1 else _joined_run(text, run, _announced(text, found, place)))
        place = end
    return joined


def _announced(text: str, found: list[Token], place: int) -> str:
    """What the text before makes of the run of numbers that begins at `place`."""
    first = found[place]
    if first.text[0] == "0" and len(first.text) > 1 and first.text.isdecimal():
        return _DIGITS
    if not place:
        return _PLAIN
    previous = found[place - 1]
    if previous.text in "%‰":
        return _PLAIN if place > 1 and found[place - 2].kind == NUMBER else _ONE
    if place > 1 and _follows_month(found, place):
        return _ONE if previous.text in _DASHES else _MAYBE
    if previous.text in _BETWEEN and place > 1:
        before = found[place - 2]
        kind = _ONE if previous.text == "°" and before.text in "nN" else _announced_by(before)
        return _PLAIN if kind == _PAPER and previous.text in _LABELS else kind
    if previous.end == first.start:
        kind = _touched(text, found, place - 1)
        if kind:
            return kind
    return _announced_by(previous)


def _follows_month(found: list[Token], place: int) -> bool:
    """Whether two digits may be a year: `7 Jul 31`, `7/Jul/31`."""
    month = place - 1 - (found[place - 1].text in _DASHES)
    if month < 1 or len(found[place].text) != _PAIR or not names_month(found[month].text):
        return False
    return _has_day(found, month) and not (found[month].text.isupper() and term(found[month].text).mark)


def _has_day(found: list[Token], month: int) -> bool:
    return NUMBER in (found[month - 1].kind, found[month - 2].kind if month > 1 else 0)


def _touched(text: str, found: list[Token], place: int) -> str:
    """What a plus sign or letters glued to the first number make of the run."""
    token = found[place]
    if token.text == "+":
        return _PLAIN if phrase_before(text, found, place - 1) else _SIGNED
    role = term(token.text).role
    if token.kind != WORD or token.text[-1] == "." or is_unspaced(token.text):
        return _PLAIN
    if role == "times" or (role and len(token.text) > 1):
        return _PLAIN
    phrase = phrase_before(text, found, place)
    alone = not any(other.kind == WORD for other in (*found[:place], *found[place + 1 :]))
    return _PLAIN if phrase and (alone or not phrase.weak) else _DIGITS


def _announced_by(token: Token) -> str:
    if token.text.lower() in roles.MONTHS_BEFORE_DAYS:
        return _MAYBE
    if roles.ends_like_number(token.text):
        return _ONE
    if term(token.text).role != "reference" or token.text in roles.BEFORE_PRICES:
        return _PLAIN
    word = fold(token.text.rstrip("."))
    if word in roles.BEFORE_ONE_NUMBER:
        return _ONE
    return _DIGITS if word in roles.BEFORE_LONG_NUMBERS else _PAPER


def _joined_run(text: str, run: list[Token], announced: str) -> list[Token]:
    if announced == _SIGNED:
        announced = _PLAIN if len(run) <= _MOST_SIGNED and not _is_pair(run[1]) else _DIGITS
    if announced == _PAPER:
        announced = _MAYBE if len(run[0].text) > 1 and run[1].text[0] != "0" else _PLAIN
    if announced == _PLAIN:
        return _joined_from_left(text, run)
    if announced == _DIGITS:
        return [_joined(text, run, doubtful=True)] if _grouped_size(run, len(run) - 2) > 1 else run
    size = _grouped_size(run, 0)
    if size == 1:
        return [run[0], *_joined_from_left(text, run[1:])]
    if announced == _ONE and size == len(run) == _PAIR:
        return run
    return [_joined(text, run, doubtful=True)]


def _joined_from_left(text: str, run: list[Token]) -> list[Token]:
    """The run with the longest groups that begin in it joined, from left to right."""
    joined: list[Token] = []
    place = 0
    while place < len(run):
        size = _grouped_size(run, place)
        part = run[place : place + size]
        joined.append(_joined(text, part, doubtful=size > _MOST_PAIRS and _is_pair(part[1])) if size > 1 else part[0])
        place += size
    return joined


def _joined(text: str, run: list[Token], *, doubtful: bool) -> Token:
    written = text[run[0].start : run[-1].end]
    return Token(NUMBER, DOUBT + written if doubtful else written, run[0].start, run[-1].end)


def _grouped_size(run: list[Token], start: int) -> int:
    """How many tokens of the run, from `start` on, are groups of one number."""
    head = run[start].text
    if not head.isdecimal() or len(head) > _GROUP or (head[0] == "0" and head != "0"):
        return 1
    stop = min(start + MOST_DIGITS, len(run))
    twos = start + 1
    while twos < stop and _is_pair(run[twos]):
        twos += 1
    if start + 1 < twos < stop and len(head) <= _PAIR and head != "0" and _is_group(run[twos], last=True):
        return twos + 1 - start
    end = start + 1
    while end < stop and _is_group(run[end], last=False):
        end += 1
    if end < stop and _is_group(run[end], last=True):
        end += 1
    return min(end - start, 2) if head == "0" else end - start


def _is_pair(token: Token) -> bool:
    return len(token.text) == _PAIR and token.text.isdecimal()


def _is_group(token: Token, *, last: bool) -> bool:
    """Whether the token is three digits; the last group may have decimals behind it."""
    text = token.text
    return text[:_GROUP].isdecimal() and (
        len(text) == _GROUP or (last and len(text) > _GROUP and not text[_GROUP].isdecimal())
    )
