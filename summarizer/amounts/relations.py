"""What the numbers of a text are to each other: one amount in two units, a range, a calculation."""

from collections.abc import Sequence
from itertools import pairwise

from summarizer.amounts.figures import Figure, figure
from summarizer.amounts.lexer import SIGN, WORD, Token
from summarizer.amounts.phrases import Phrase
from summarizer.amounts.readings import Reading
from summarizer.amounts.unspaced import is_unspaced
from summarizer.amounts.values import exponent_of
from summarizer.amounts.vocabulary import is_measure, term

NO_AMOUNT_ROLES = frozenset({"date", "time", "reference", "percent", "fraction", "scientific"})
_CALCULATION = frozenset("+=/÷")
_MOST_JOINING_WORDS = 2
_MOST_RELATING_TOKENS = 3
_CENTS, _GROUP = 2, 3
# The words of a relation in several words: `up to`, `3 раза по`.
_SPOKEN = frozenset({"range", "of", "and", "times"})
# What may have stood where a number was cut in two by a space, or where a sign stands that no number has.
_SEPARATORS = [".", ",", "'"]
# Signs that stand between two numbers and are no damaged separator.
_NO_SEPARATORS = frozenset("-+/=*:~@%()[]<>$€£¥&×")
# Letters that a scanner takes for digits, and the separators among them: `1.2O0`, `1.200,S0`.
_LIKE_DIGITS = frozenset("OoIlSBZ.,'")
# A longer number is a date or a reference, and not the beginning of an amount.
_LONGEST_BEGINNING = 7


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
    """Marks what goes on with a reference (`DE89 3704 0044 …`), and two numbers that may be one damaged number."""
    between = tokens[left.place + 1 : right.place]
    if not between and (left.glued or left.role == "reference"):
        right.glued |= tokens[right.place].text.isdecimal()
        return
    pieces = (tokens[left.place], *between, tokens[right.place])
    doubled = False
    if between and all(piece.end == following.start for piece, following in pairwise(pieces)):
        separators = _glued_separators(between)
        doubled = all(token.text in _SEPARATORS for token in between)
    elif left.role in NO_AMOUNT_ROLES or right.role in NO_AMOUNT_ROLES or left.glued:
        return
    elif between:
        lost = len(between) == 1 and between[0].text in _SEPARATORS and not _is_counted(tokens, left, right)
        separators = [between[0].text] if lost else []
    else:
        separators = [] if _are_cents(pieces, left) else ["", *_SEPARATORS]
    if doubled or any(_is_one(pieces[0].text, separator, pieces[-1].text) for separator in separators):
        left.problem = right.problem = "malformed_number"


def _is_counted(tokens: list[Token], left: Reading, right: Reading) -> bool:
    """Whether behind an amount and a comma a new count begins: `EUR 500, 2 Personen`."""
    follows = tokens[right.place + 1 : right.place + 2]
    if left.before is None or right.before or right.after or not follows or follows[0].kind != WORD:
        return False
    unit = follows[0].text
    return len(tokens[right.place].text) == 1 or is_measure(unit) or term(unit).role == "quantity"


def _glued_separators(between: list[Token]) -> list[str]:
    """What may stand there in place of the signs glued between two numbers: `1;200`, `1..5`, `1.200,S0`."""
    signs = "".join(token.text for token in between)
    if any(token.kind != SIGN for token in between):
        letters = [token.text if token.kind == SIGN else "1" * len(token.text) for token in between]
        return ["".join(letters)] if _LIKE_DIGITS.issuperset(signs) else []
    return _SEPARATORS if _NO_SEPARATORS.isdisjoint(signs) else []


def _are_cents(pieces: Sequence[Token], left: Reading) -> bool:
    """Whether two digits a space behind an amount are its cents (`$6 75`), or the gap is too wide for one number."""
    text = pieces[1].text
    cents = len(text) == _CENTS and text.isdecimal() and text != "00" and " " not in pieces[0].text
    return (left.before is not None and cents) or pieces[1].start - pieces[0].end != 1


def _is_one(left: str, separator: str, right: str) -> bool:
    """Whether the pieces make a well-formed number, with groups or with no more decimals than amounts have."""
    left, right = left.replace(" ", ""), right.replace(" ", "")
    if sum(map(str.isdecimal, left)) > _LONGEST_BEGINNING or (left[0] == "0" and left.isdecimal() and left != "0"):
        return False
    if left == "0" and separator in ("", "'") and right.isdecimal():
        return False
    whole = figure(left + separator + right)
    return not whole.problem and whole.scale <= (_GROUP if not separator else _CENTS)


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
    if mark is None or len(between) > _MOST_JOINING_WORDS or left.magnitudes:
        return False
    if left.figure.scale and not (left.compound and right.minor and right.minor.digits > left.figure.scale):
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
    left.figure = Figure(
        whole.coefficient * 10 ** (digits - whole.scale) + right.figure.coefficient, digits, problem=whole.problem
    )
    left.end, left.problem, left.compound = right.end, problem, True
    return True


def _relate(tokens: list[Token], left: Reading, right: Reading) -> None:
    between = tokens[left.end : right.first]
    if not between and left.before and left.after is None and right.mark is None and not right.role:
        left.problem = left.problem or "multiple_amounts"
    if not 0 < len(between) <= _MOST_RELATING_TOKENS or right.role in NO_AMOUNT_ROLES:
        return
    relation = _relation([token.text for token in between])
    if left.role in NO_AMOUNT_ROLES and (left.role, relation) != ("reference", "calculation"):
        return  # but `Qty 2 x 50 EUR` is a calculation
    if relation == "calculation":
        left.role = right.role = "calculation"
    elif (relation == "and" and left.role == "between") or (relation == "range" and _is_other_end(tokens, left, right)):
        left.role = right.role = "range"
    elif relation in ("and", "or") and left.mark is None and right.mark and not right.minor and not left.glued:
        right.problem = right.problem or "multiple_amounts"


def _relation(words: list[str]) -> str:
    """What the words between two numbers say: `calculation`, `range`, `and`, `or`, or nothing."""
    roles = [term(word).role for word in words]
    if roles[-1] == "times" and (len(words) == 1 or len(words[-1]) == 1):
        return "calculation"
    if words[-1] in "<>" or (len(words) > 2 and set(words) == {"."}):
        return "range"
    if len(words) == 1:
        return "calculation" if words[0] in _CALCULATION else roles[0]
    if "times" in roles and _SPOKEN.issuperset(roles):
        return "calculation"
    return "range" if "range" in roles and _SPOKEN.issuperset(roles) else ""


def _is_other_end(tokens: list[Token], left: Reading, right: Reading) -> bool:
    """`5 EUR - 10` is a range, `5 EUR - 3 items` is an amount and a remark."""
    if right.mark or left.mark is None:
        return True
    return right.end >= len(tokens) or tokens[right.end].kind != WORD
