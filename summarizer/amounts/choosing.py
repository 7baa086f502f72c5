"""Decides which number of a text is the amount: the one with a currency, or one that can be nothing else."""

from summarizer.amounts.completing import complete, is_certain_code
from summarizer.amounts.lexer import BARE_DECIMAL, NUMBER, WORD, Token
from summarizer.amounts.readings import Reading
from summarizer.amounts.relations import NO_AMOUNT_ROLES
from summarizer.amounts.values import Uncertain, amount, frame
from summarizer.amounts.vocabulary import is_measure, is_month, term

_AMOUNT_ROLES = frozenset({"amount", "credit", "debit"})
_LONGEST_UNKNOWN_UNIT = 4
_CENTS = 2
_NEAR = 3


def chosen(tokens: list[Token], readings: list[Reading]) -> Reading:
    """The reading that is the amount; raises `Uncertain` where none is, or more than one may be."""
    words = [place for place, token in enumerate(tokens) if token.kind == WORD]
    marked = []
    for reading in readings:
        complete(tokens, reading)
        mark = reading.mark
        if mark and mark.weak and _has_others(words, reading) and not is_certain_code(tokens, reading):
            reading.before = reading.after = None
        if _is_marked(reading):
            _doubt_parts(tokens, words, reading)
            marked.append(reading)
    if not marked:
        return _unmarked(tokens, words, readings)
    role = next((reading.role for reading in marked if reading.role in ("range", "calculation")), "")
    if role:
        raise Uncertain(role, _written(marked))
    if len(marked) > 1:
        raise Uncertain("multiple_amounts", _written(marked))
    return marked[0]


def _has_others(words: list[int], reading: Reading) -> bool:
    """Whether a word of the text does not belong to the reading."""
    return bool(words) and (words[0] < reading.first or words[-1] >= reading.end)


def _is_marked(reading: Reading) -> bool:
    if reading.role in NO_AMOUNT_ROLES and reading.role != "reference":
        return False
    return reading.mark is not None or (reading.minor is not None and reading.minor.alone)


def _doubt_parts(tokens: list[Token], words: list[int], reading: Reading) -> None:
    """Marks as a problem what may be the cents of a number in words: `dreißig dollar 75`, `7 kronar og 40 øre`."""
    if reading.minor is not None:
        doubtful = reading.before is not None or not _stands_alone(tokens, reading)
    else:
        text = tokens[reading.place].text
        two_digits = len(text) == _CENTS and text.isdecimal() and not reading.magnitudes
        unit_before = reading.before is not None and reading.before.unit
        doubtful = unit_before and two_digits and bool(words) and words[0] < reading.first
    if doubtful:
        reading.problem = reading.problem or "multiple_amounts"


def _stands_alone(tokens: list[Token], reading: Reading) -> bool:
    """Whether minor units are all there is, and no number or currency stands before them."""
    near = tokens[max(reading.first - _NEAR, 0) : reading.first]
    if any(token.kind in (NUMBER, BARE_DECIMAL) for token in near):
        return False
    return not any(term(token.text).names_currency or term(token.text).role == "and" for token in near)


def _written(readings: list[Reading]) -> list[str]:
    found = []
    for reading in readings:
        try:
            found.append(amount(frame(reading), reading.figure).written())
        except Uncertain:
            continue
    return list(dict.fromkeys(found))


def _unmarked(tokens: list[Token], words: list[int], readings: list[Reading]) -> Reading:
    likely = [reading for reading in readings if _may_be_amount(tokens, reading)]
    role = next((reading.role for reading in readings if reading.role in ("range", "calculation", "fraction")), "")
    if role:
        raise Uncertain(role, _written(likely))
    if len(likely) > 1:
        malformed = all(reading.problem == "malformed_number" for reading in likely)
        raise Uncertain("malformed_number" if malformed else "multiple_amounts", _written(likely))
    if not likely:
        raise Uncertain(_why_none(readings))
    if likely[0].problem or _is_certain(tokens, words, likely[0]):
        return likely[0]
    raise Uncertain("no_amount")


def _why_none(readings: list[Reading]) -> str:
    roles = {reading.role for reading in readings}
    if "percent" in roles:
        return "percentage"
    return "malformed_number" if "scientific" in roles else "no_amount"


def _may_be_amount(tokens: list[Token], reading: Reading) -> bool:
    if reading.role in NO_AMOUNT_ROLES or (reading.glued and reading.problem != "ambiguous_sign" and len(tokens) > 2):
        return False
    neighbours = (*tokens[max(reading.first - 1, 0) : reading.first], *tokens[reading.end : reading.end + 1])
    if any(token.kind == WORD and is_month(token.text) for token in neighbours):
        return False
    return reading.end >= len(tokens) or not _counts(tokens[reading.end])


def _counts(token: Token) -> bool:
    """Whether the word makes the number before it a quantity."""
    role = term(token.text).role
    return role == "quantity" or (token.kind == WORD and (is_measure(token.text) or role == "times"))


def _is_certain(tokens: list[Token], words: list[int], reading: Reading) -> bool:
    """Whether a number without a currency is an amount all the same: it stands alone, or is written like one."""
    others = [place for place in words if not reading.first <= place < reading.end]
    if not others or reading.magnitudes or reading.figure.scale == _CENTS or reading.role in _AMOUNT_ROLES:
        return True
    return reading.first == 0 and tokens[others[-1]].end - tokens[others[0]].start <= _LONGEST_UNKNOWN_UNIT
