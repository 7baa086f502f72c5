"""Numbers as people write them, in any script and notation, become values that can be compared.

`1,250.00`, `1.250`, `1 250`, `1'250`, `12,50,000` (the Indian lakh) and `১,২৫০` are read by form alone: a separator
before exactly three digits groups them, since three decimals are rare in what a back office writes. Digits that a
reader sees as one number are one: what is invisible or thin between them, or an underscore, parts nothing.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from backoffice.llm.magnitudes import EXACT, INVISIBLE, ONE, factor_before, factor_behind

_INVISIBLE = rf"{INVISIBLE}\u0300-\u036f\u20d0-\u20ff"
"""Format characters and marks above or below a digit."""
_THIN = "\u2005\u2006\u2008\u2009\u200a\u202f\u205f_"
_SPACES = " \u00a0\u1680\u2000-\u2004\u2007\u3000"
_MARKS = ".,'·\u066b\u066c"
_SAME_MARKS = str.maketrans({"\uff0c": ",", "\u060c": ",", "\uff0e": ".", "\u2018": "'", "\u2019": "'", "\u02bc": "'"})
_DECIMAL_MARKS = frozenset(".,·\u066b")
_ARABIC_DECIMAL = "\u066b"
_FRACTIONS = "¼½¾⅐-⅞"

_JOINT = rf"[{_INVISIBLE}{_THIN}]*"
_BARE = rf"[{_INVISIBLE}]*"
_DIGITS = rf"\d(?:{_JOINT}\d)*"
_THREE_DIGITS = rf"\d(?:{_JOINT}\d){{2}}(?!{_JOINT}\d)"
_SPACE = rf"(?:[{_SPACES}]|\r?\n)"
_NUMERAL = re.compile(
    rf"(?P<leading>(?<![\w.,;:!?)\]}}%'’”»·])[.,·\u066b](?=\d))?"
    rf"(?P<digits>{_DIGITS}(?:{_BARE}[{_MARKS}]{_BARE}{_DIGITS}|{_SPACE}{_THREE_DIGITS})*)"
    rf"(?:[eE](?P<exponent>[+\-\u2212]?\d{{1,4}})(?!\w))?"
    rf"(?P<mixed>{_BARE}[{_SPACES}]?[{_FRACTIONS}])?"
    rf"|(?P<fraction>[{_FRACTIONS}])"
)
_JOINTS = re.compile(f"[{_INVISIBLE}{_THIN}]+")
_BETWEEN = re.compile(rf"[{_MARKS}]|{_SPACE}")
_TO = "to|and|or|through|bis|und|oder|à|et|ou|a|y|e|o|til|och|до|и|или|থেকে|এবং|ও|से|और"
_RANGE = re.compile(rf"\W{{0,4}}(?:[-‐‑‒–—−~〜～至到]|(?<!\w)(?:{_TO})(?!\w))\W{{0,4}}", re.IGNORECASE)
_LIST = re.compile(r",\s?")


@dataclass(frozen=True, slots=True)
class _Numeral:
    values: tuple[Decimal, ...]
    factor: Decimal
    """Of its magnitude: a million, or 1."""
    start: int
    end: int
    """Of the digits."""
    reach: int
    """Where the magnitude behind it ends."""


@dataclass(frozen=True, slots=True)
class Written:
    """A number's value, without sign and unit, and where it stands, its magnitude included."""

    value: Decimal
    start: int
    end: int


def written_in(text: str) -> Iterator[Written]:
    """Every number as often as it stands there. `5 million` is five million and not 5, and so is the first number of
    `5 to 10 million`.

    A run of digits that is no number in one of the notations (a date, a version, a time) counts part by part; a number
    inside a longer one does not count.
    """
    for numeral in _shared(text, list(_numerals(text.translate(_SAME_MARKS)))):
        for value in numeral.values:
            yield Written(EXACT.multiply(value, numeral.factor), numeral.start, numeral.reach)
    for place, sign in enumerate(text):
        if _is_numeric_sign(sign):
            yield Written(_fraction(sign), place, place + 1)


def numbers_in(text: str) -> dict[Decimal, str]:
    """The value of every number as `written_in` has it, and how it is first written."""
    found: dict[Decimal, str] = {}
    for number in written_in(text):
        found.setdefault(number.value, text[number.start : number.end])
    return found


def _numerals(text: str) -> Iterator[_Numeral]:
    reach = 0
    for match in _NUMERAL.finditer(text):
        before = factor_before(text, reach, match.start())
        behind, reach = factor_behind(text, match.end())
        factor = EXACT.multiply(before, behind)
        yield _Numeral(tuple(_values_of(match)), factor, match.start(), match.end(), reach)


def _shared(text: str, numerals: list[_Numeral]) -> list[_Numeral]:
    """A magnitude behind the last number of a range or a list is that of the smaller ones before it too: of the 5 in
    `5 to 10 million`, and not of the 500 in `500 to 1 million`."""
    for place in range(len(numerals) - 2, -1, -1):
        first, second = numerals[place : place + 2]
        link = _RANGE if second.reach > second.end else _LIST
        rising = first.factor == ONE != second.factor and max(first.values) < max(second.values)
        if rising and link.fullmatch(text, first.end, second.start):
            numerals[place] = replace(first, factor=second.factor, reach=first.end)
    return numerals


def _is_numeric_sign(character: str) -> bool:
    """Such as `²` and `Ⅳ`: a number in one character."""
    if character.isascii() or _NUMERAL.fullmatch(character):
        return False
    return unicodedata.category(character) in {"No", "Nl"}


def _values_of(match: re.Match[str]) -> Iterator[Decimal]:
    if match["fraction"]:
        yield _fraction(match["fraction"])
        return
    digits = _JOINTS.sub("", match["digits"])
    values = [Decimal(f".{digits}")] if match["leading"] and digits.isdigit() else _values(digits)
    for value in values:
        scaled = value.scaleb(int((match["exponent"] or "0").replace("\u2212", "-")), EXACT)
        yield EXACT.add(scaled, _fraction(match["mixed"][-1])) if match["mixed"] else scaled


def _fraction(sign: str) -> Decimal:
    return Decimal(repr(unicodedata.numeric(sign)))


def _values(numeral: str) -> Iterator[Decimal]:
    groups, marks = _BETWEEN.split(numeral), _BETWEEN.findall(numeral)
    if not marks:
        yield Decimal(groups[0])
    elif _is_grouped(groups, marks):
        yield Decimal("".join(groups))
    elif marks[-1] in _DECIMAL_MARKS and (len(marks) == 1 or _is_grouped(groups[:-1], marks[:-1], besides=marks[-1])):
        yield Decimal(f"{''.join(groups[:-1])}.{groups[-1]}")
    else:
        yield from map(Decimal, groups)


def _is_grouped(groups: list[str], marks: list[str], besides: str = "") -> bool:
    """Whether one kind of mark, other than `besides`, stands where thousands (or lakhs and crores) are parted."""
    if len(set(marks)) != 1 or marks[0] in (besides, _ARABIC_DECIMAL, "·") or Decimal(groups[0]) == 0:
        return False
    first, *middle, last = map(len, groups)
    western = first <= 3 and all(size == 3 for size in middle)
    indian = marks[0] == "," and first <= 2 and bool(middle) and all(size == 2 for size in middle)
    return last == 3 and (western or indian)
