"""What the numbers of a text are to each other: one amount in two units, a range, a calculation."""

import re
from itertools import pairwise

from summarizer.amounts.figures import Figure
from summarizer.amounts.lexer import SIGN, WORD, Token
from summarizer.amounts.phrases import Phrase
from summarizer.amounts.readings import Reading
from summarizer.amounts.unspaced import is_unspaced
from summarizer.amounts.values import exponent_of
from summarizer.amounts.vocabulary import term

NO_AMOUNT_ROLES = frozenset({"date", "time", "reference", "percent", "fraction", "scientific"})
_CALCULATION = frozenset("+=/")
_MOST_JOINING_WORDS = 2
_CENTS, _GROUP = 2, 3


def related(tokens: list[Token], readings: list[Reading]) -> list[Reading]:
    """The readings with shared currencies given to one of them, compounds joined, ranges and calculations marked."""
    if len(readings) < 2:
        return readings
    for left, right in pairwise(readings):
        _carry_on(tokens, left, right)
        _share(tokens, left, right)
    found = readings[:1]
    for right in readings[1:]:
        left = found[-1]
        if not _join(tokens, left, right, first=len(found) == 1):
            _relate(tokens, left, right)
            found.append(right)
    return found


def _carry_on(tokens: list[Token], left: Reading, right: Reading) -> None:
    """Marks what goes on with a reference (`DE89 3704 0044 …`), and digits that are grouped like no number."""
    if right.place != left.place + 1:
        between = tokens[left.place + 1 : right.place]
        glued = between[0].start == tokens[left.place].end and between[-1].end == tokens[right.place].start
        if glued and all(token.text in ".,'" for token in between):
            left.problem = right.problem = "malformed_number"
        return
    text = tokens[right.place].text
    if left.glued or left.role == "reference":
        right.glued |= text.isdecimal()
    elif left.before is None and _is_misgrouped(tokens[left.place].text, text):
        left.problem = right.problem = "malformed_number"


def _is_misgrouped(left: str, right: str) -> bool:
    """Whether two numbers side by side are one that is grouped like no number: `12 34,56`, `1 234 5678`."""
    if " " in left:
        return right.isdecimal()
    return left.isdecimal() and len(left) <= _GROUP and re.match(r"\d{1,2}(?!\d)", right) is not None


def _share(tokens: list[Token], left: Reading, right: Reading) -> None:
    """Decides whose a currency is that stands between two numbers."""
    between, other = left.after, right.before
    if between is None or other is None or between.end <= other.first:
        return
    touches_left = tokens[between.first].start == tokens[left.place].end
    touches_right = tokens[other.end - 1].end == tokens[right.place].start
    if _belongs_right(left, right, touches_right=touches_right and not touches_left):
        left.after, left.end = None, left.place + 1
        return
    right.before, right.first = None, right.place
    if right.role in NO_AMOUNT_ROLES:
        return
    settled = between.unit or right.minor or left.before or right.after or (touches_left and not touches_right)
    if not settled:
        left.problem = left.problem or "multiple_amounts"
        right.problem = "multiple_amounts"


def _belongs_right(left: Reading, right: Reading, *, touches_right: bool) -> bool:
    if left.role in NO_AMOUNT_ROLES or left.problem or left.glued:
        return True
    if (left.before is None) != (right.after is None):
        return left.before is not None
    return touches_right


def _join(tokens: list[Token], left: Reading, right: Reading, *, first: bool) -> bool:
    """`6 euro en 75 cent` is one amount; so is `6 dollars 75`, where the two digits end the text or the sentence."""
    between = tokens[left.end : right.first]
    mark = left.mark
    if mark is None or len(between) > _MOST_JOINING_WORDS or left.figure.scale or left.magnitudes:
        return False
    if any(term(token.text).role not in ("and", "of") and token.text != "," for token in between):
        return False
    if right.minor is not None:
        return _add_minor(left, right, mark)
    if not _is_bare_part(tokens, left, right, mark, first=first):
        return False
    return _add(left, right, _CENTS, "" if left.problem == "multiple_amounts" else left.problem)


def _add_minor(left: Reading, right: Reading, mark: Phrase) -> bool:
    unit = right.minor
    assert unit is not None
    problem = left.problem or right.figure.problem
    if right.figure.scale or right.figure.coefficient >= 10**unit.digits:
        problem = "multiple_amounts"
    if unit.codes and not unit.codes & mark.codes:
        problem = "currency_conflict"
    elif unit.codes and left.after:
        left.after = left.after._replace(codes=left.after.codes & unit.codes or left.after.codes)
    return _add(left, right, unit.digits, problem)


def _is_bare_part(tokens: list[Token], left: Reading, right: Reading, mark: Phrase, *, first: bool) -> bool:
    """Whether two digits without a unit are cents: those of a unit word, or of any currency if no word precedes."""
    digits = tokens[right.place].text
    bare = len(digits) == _CENTS and digits.isdecimal() and right.mark is None and right.end == right.place + 1
    likely = {mark.preferred} if mark.preferred in mark.codes else mark.codes
    if not bare or any(exponent_of(code) != _CENTS for code in likely):
        return False
    follows = tokens[right.end] if right.end < len(tokens) else None
    ends = follows is None or follows.kind == SIGN or (follows.kind == WORD and is_unspaced(follows.text))
    return ends and (mark.unit or (first and all(token.kind != WORD for token in tokens[: left.first])))


def _add(left: Reading, right: Reading, digits: int, problem: str) -> bool:
    whole = left.figure
    left.figure = Figure(whole.coefficient * 10**digits + right.figure.coefficient, digits, problem=whole.problem)
    left.end, left.problem, left.compound = right.end, problem, True
    return True


def _relate(tokens: list[Token], left: Reading, right: Reading) -> None:
    between = tokens[left.end : right.first]
    if not between and left.before and left.after is None and right.mark is None and not right.role:
        left.problem = left.problem or "multiple_amounts"
    if len(between) != 1 or left.role in NO_AMOUNT_ROLES or right.role in NO_AMOUNT_ROLES:
        return
    word, role = between[0].text, term(between[0].text).role
    if role == "times" or word in _CALCULATION:
        left.role = right.role = "calculation"
    elif (role == "and" and left.role == "between") or (role == "range" and _is_other_end(tokens, left, right)):
        left.role = right.role = "range"


def _is_other_end(tokens: list[Token], left: Reading, right: Reading) -> bool:
    """`5 EUR - 10` is a range, `5 EUR - 3 items` is an amount and a remark."""
    if right.mark or left.mark is None:
        return True
    return right.end >= len(tokens) or tokens[right.end].kind != WORD
