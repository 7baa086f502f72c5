"""Numbers as people write them, in any script and notation, become values that can be compared.

`1,250.00`, `1.250`, `1 250`, `1'250`, `12,50,000` (the Indian lakh) and `১,২৫০` are read by form alone: a separator
before exactly three digits groups them, since three decimals are rare in what a back office writes.
"""

import re
import unicodedata
from collections.abc import Iterator
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal

_SPACES = " \u00a0\u2007\u2009\u202f"
_MARKS = ".,'\u066b\u066c"
_SAME_MARKS = str.maketrans({"\uff0c": ",", "\u060c": ",", "\uff0e": ".", "\u2018": "'", "\u2019": "'", "\u02bc": "'"})
_DECIMAL_MARKS = frozenset(".,\u066b")
_NUMERAL = re.compile(rf"\d+(?:[{_MARKS}]\d+|[{_SPACES}]\d{{3}}(?!\d))*")
_BETWEEN = re.compile(rf"[{_MARKS}{_SPACES}]")
_ARABIC_DECIMAL = "\u066b"
_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
_MAGNITUDE_WORDS = {
    2: "hundred hundert শত শো",
    3: "k thousand tsd tausend হাজার",
    5: "lakh lakhs lac lacs লাখ লক্ষ",
    6: "million millions mio mln millionen মিলিয়ন",
    7: "crore crores কোটি",
    9: "billion billions bn mrd mld milliarde milliarden বিলিয়ন",
}
_MAGNITUDES = {word: power for power, words in _MAGNITUDE_WORDS.items() for word in words.split()}
_WORD_BEHIND = re.compile(rf"[{_SPACES}]?([^\W\d_](?:\w|[\u0980-\u09ff])*)")


def numbers_in(text: str) -> dict[Decimal, str]:
    """Every number's value, without sign and unit, and how it is first written. `5 million` is five million and not 5.

    A run of digits that is no number in one of the notations (a date, a version, a time) counts part by part; a number
    inside a longer one does not count.
    """
    found: dict[Decimal, str] = {}
    text = text.translate(_SAME_MARKS)
    for match in _NUMERAL.finditer(text):
        power = _magnitude(text, match.end())
        for value in _values(match[0]):
            found.setdefault(value.scaleb(power, _EXACT), match[0])
    for sign in filter(_is_numeric_sign, text):
        found.setdefault(Decimal(repr(unicodedata.numeric(sign))), sign)
    return found


def _magnitude(text: str, place: int) -> int:
    """The power of ten that the word behind a number stands for, 0 where it is any other word."""
    match = _WORD_BEHIND.match(text, place)
    return _MAGNITUDES.get(match[1].casefold(), 0) if match else 0


def _is_numeric_sign(character: str) -> bool:
    """Such as `½`, `²` and `Ⅳ`: a number in one character."""
    return not character.isascii() and unicodedata.category(character) in {"No", "Nl"}


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
    if len(set(marks)) != 1 or marks[0] in (besides, _ARABIC_DECIMAL) or Decimal(groups[0]) == 0:
        return False
    first, *middle, last = map(len, groups)
    western = first <= 3 and all(size == 3 for size in middle)
    indian = marks[0] == "," and first <= 2 and bool(middle) and all(size == 2 for size in middle)
    return last == 3 and (western or indian)
