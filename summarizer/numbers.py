"""Finds the numbers of a summary that nothing backs: neither the note nor an amount that the tool gave.

A summary may write a number in another notation than its source (1.234,50 for 1,234.50), so numbers are compared by the
values they can mean. Signs are not compared, and number words are not read.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from summarizer.amounts.habits import EAST_ASIAN_UNITS
from summarizer.amounts.text import canonical
from summarizer.amounts.unspaced import is_unspaced, pieces
from summarizer.amounts.vocabulary import is_measure, term

_SEPARATOR = "[.,'’‘ʼ`´٫٬،⹁．，·]"
_SPACE = "[ \u00a0\u2007\u2009\u202f]"
_NUMERAL = re.compile(
    rf"(?<![\w.,])[.,٫]\d+"
    rf"|\d{{1,3}}(?:{_SPACE}\d{{2,3}}(?!\d))+(?:{_SEPARATOR}\d+)?"
    rf"|\d+(?:{_SEPARATOR}\d+)*(?:\$\d\d(?!\d))?"
)
# A word with the vowel signs of Indian scripts, which are no letters.
_NOT_LETTERS = r"\s\d!-/:-@\[-`{-~\u00a0-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u2000-\u206f\u20a0-\u20cf"
_WORD_BEHIND = re.compile(rf"{_SPACE}?([^\W\d_][^{_NOT_LETTERS}]{{0,23}}\.?)")
_WORD_BEFORE = re.compile(r"([^\W\d_]{1,8}\.?|[^\w\s]) ?-?$")
_SIGN_BEHIND = re.compile(rf"{_SPACE}?([^\w\s])")
_BEFORE = 12
_PARTS = re.compile(r"([.,'٫٬·$ ])")
_AMOUNT = re.compile(r"-?(\d+)(?:\.(\d+))?")
# What a date or a time is made of: `12.03.2024`, `2024-03-12`, `14:30`, `14h30`.
_CHAIN = re.compile(r"\d{1,4}(?:[.:/h-]\d{1,4}){1,2}(?!\d)")
_PAIR = re.compile(r"\d{1,4}\.\d{1,4}")
_SHORT_DATE = re.compile(r"(?:\d\d?[.]){2}\d\d")
# A telephone or account number, which may be grouped in any way.
_LONG_NUMBER = re.compile(rf"\d+(?:(?:{_SPACE}|[/-])\d+)*")
_LONG = 8
_DECIMAL_SEPARATORS = frozenset(".,٫·$")
_ALWAYS_DECIMAL = frozenset("٫·$")
# Letters before one of these are a symbol (`NT$`), but a single one may still be a magnitude (`5M$`).
_CURRENCY_SIGNS = ("$", "£", "¥")
_GROUP = 3
_MOST_MAGNITUDES = 2
_REMEMBERED = 1024


class _Backing(NamedTuple):
    """What a note and the tool's results back: values, the parts of dates side by side, and long numbers."""

    values: frozenset[str]
    pairs: frozenset[str]
    long: frozenset[str]


def unsupported_numbers(summary: str, note: str, tool_results: Sequence[Mapping[str, Any]]) -> list[str]:
    """The numbers of the summary, as they stand in it, that neither the note nor a tool result backs.

    Of a result only `amount` backs a number: `amount_minor` is no way to write an amount, and an error says nothing
    that the note does not. Linear in the length of the texts.
    """
    given = frozenset(value for result in tool_results for value in _values_of_result(result))
    backing = _Backing(given | frozenset(_values_of_note(note, given)), _pairs(note), frozenset(_long(note)))
    passed = _spans_of_long(summary, backing.long)
    found = []
    for match in _NUMERAL.finditer(summary):
        while passed and passed[-1][1] <= match.start():
            passed.pop()
        within = bool(passed) and passed[-1][0] <= match.start()
        if not within and not _is_backed(summary, match, backing):
            found.append(match[0])
    return list(dict.fromkeys(found))


def _values_of_note(note: str, given: frozenset[str]) -> Iterator[str]:
    """Every value that a number of the note can mean, times the magnitude behind it.

    Where the tool read the number as one of its values, it means that one; where the word behind can be nothing but a
    magnitude, it means nothing without it.
    """
    for match in _NUMERAL.finditer(note):
        values = _values(match[0])
        values = values & given or values
        powers = _powers(note, match)
        yield from _scaled(values, powers.usual)
        if not (powers.all and powers.certain):
            yield from values or _values_of_parts(match[0], in_full=True)


def _values_of_result(result: Mapping[str, Any]) -> Iterator[str]:
    amount = result.get("amount")
    match = _AMOUNT.fullmatch(amount) if isinstance(amount, str) and "error" not in result else None
    if match:
        yield _value(match[1], match[2] or "")


def _pairs(note: str) -> frozenset[str]:
    """The parts of dates and times that stand side by side, in either order, as `12.3`."""
    found: set[str] = set()
    for match in _CHAIN.finditer(note):
        parts = [part.lstrip("0") or "0" for part in re.split("[.:/h-]", match[0])]
        found.update(f"{first}.{second}" for first in parts for second in parts)
    return frozenset(found)


def _long(text: str) -> Iterator[str]:
    """The digits of each long number without the gaps between its groups."""
    for match in _LONG_NUMBER.finditer(text):
        digits = "".join(filter(str.isdecimal, match[0]))
        if len(digits) >= _LONG:
            yield digits


def _spans_of_long(summary: str, backed: frozenset[str]) -> list[tuple[int, int]]:
    """Where the summary has a long number that is backed, from the last one to the first."""
    matches = _LONG_NUMBER.finditer(summary) if backed else iter(())
    return [match.span() for match in matches if not backed.isdisjoint(_long(match[0]))][::-1]


def _is_backed(summary: str, match: re.Match[str], backing: _Backing) -> bool:
    values = _values(match[0])
    powers = _powers(summary, match)
    if not backing.values.isdisjoint(_scaled(values, powers.all)):
        return True
    if powers.certain and powers.all:
        return False
    if not backing.values.isdisjoint(values):
        return True
    if values:
        return _is_pair_of(match[0], backing.pairs) and not _is_beside_currency(summary, match)
    return all(value in backing.values for value in _values_of_parts(match[0]))


def _is_pair_of(numeral: str, pairs: frozenset[str]) -> bool:
    """Whether the numeral is a date without a year or a time of the note: `12.03.` of `2024-03-12`."""
    if not _PAIR.fullmatch(numeral):
        return False
    first, _, second = canonical(numeral).partition(".")
    return f"{first.lstrip('0') or '0'}.{second.lstrip('0') or '0'}" in pairs


class _Powers(NamedTuple):
    """The powers of ten that the words behind a number may stand for.

    `usual` is the one that is meant unless something else says so; `certain` whether the words can be nothing else.
    """

    all: tuple[int, ...] = ()
    usual: tuple[int, ...] = ()
    certain: bool = True


def _powers(text: str, numeral: re.Match[str]) -> _Powers:
    found, place = _Powers(), numeral.end()
    for _ in range(_MOST_MAGNITUDES):
        match = _WORD_BEHIND.match(text, place)
        word = _first_word(match[1]) if match else ""
        powers = _powers_of(word) if word else ()
        if match is None or not powers or (len(word) > 1 and text[match.end() : match.end() + 1] in _CURRENCY_SIGNS):
            break
        place = match.start(1) + len(word)
        certain = found.certain and _is_certain(text, numeral, match, word)
        every = tuple({before + power for before in found.all or (0,) for power in powers})
        found = _Powers(every, (sum(found.usual) + powers[0],), certain)
    return found


def _is_certain(text: str, numeral: re.Match[str], match: re.Match[str], word: str) -> bool:
    """Whether the word can be nothing but a magnitude: `5 t` may be tonnes, and `5 KM` convertible marks."""
    mark = term(word).mark
    end = match.start(1) + len(word)
    if mark and mark.power:
        return True
    if _names_currency_behind(text, end) or (match.start(1) == numeral.end() and _names_currency_before(text, numeral)):
        return True
    if mark or is_measure(word):
        return False
    return len(word.rstrip(".")) > 1 or is_unspaced(word) or match.start(1) == numeral.end()


def _is_beside_currency(text: str, numeral: re.Match[str]) -> bool:
    return _names_currency_behind(text, numeral.end()) or _names_currency_before(text, numeral)


def _names_currency_behind(text: str, place: int) -> bool:
    match = _WORD_BEHIND.match(text, place) or _SIGN_BEHIND.match(text, place)
    mark = term(_first_word(match[1])).mark if match else None
    return mark is not None and not mark.weak


def _names_currency_before(text: str, numeral: re.Match[str]) -> bool:
    match = _WORD_BEFORE.search(text[max(numeral.start() - _BEFORE, 0) : numeral.start()])
    mark = term(match[1]).mark if match else None
    return mark is not None and not mark.weak


def _powers_of(word: str) -> tuple[int, ...]:
    """The powers of a magnitude, the usual one first; `LAK` is the kip, although `lak` is a lakh somewhere."""
    meaning = term(word)
    if meaning.mark and not meaning.mark.weak:
        return (meaning.mark.power,) if meaning.mark.power else ()
    uses = tuple(use.power for use in meaning.uses)
    return uses or tuple(EAST_ASIAN_UNITS[character] for character in (word,) if character in EAST_ASIAN_UNITS)


def _first_word(word: str) -> str:
    return pieces(word)[0] if is_unspaced(word) else word


def _scaled(values: frozenset[str], powers: tuple[int, ...]) -> set[str]:
    return {_times_ten_to(value, power) for value in values for power in powers}


def _times_ten_to(value: str, power: int) -> str:
    whole, _, fraction = value.partition(".")
    moved = fraction.ljust(power, "0")
    return _value(whole + moved[:power], moved[power:])


def _value(whole: str, fraction: str) -> str:
    """A number without the zeros that change nothing. Digits are never made an integer: a note may be all digits."""
    whole, fraction = whole.lstrip("0") or "0", fraction.rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole


@lru_cache(_REMEMBERED)
def _values(numeral: str) -> frozenset[str]:
    """The values a numeral can mean as one number; none for a date or a list."""
    pieces_ = _PARTS.split(canonical(numeral))
    groups, separators = pieces_[::2], pieces_[1::2]
    if not separators:
        return frozenset({_value(groups[0], "")})
    found = set()
    last, before = separators[-1], separators[:-1]
    once = _is_grouped_once(groups[:-1], before)
    if last in _DECIMAL_SEPARATORS and last not in before and (once or _are_groups(groups[:-1])):
        found.add(_value("".join(groups[:-1]), groups[-1]))
    if len(groups[-1]) == _GROUP and len(set(separators)) == 1 and _are_groups(groups) and last not in _ALWAYS_DECIMAL:
        found.add(_value("".join(groups), ""))
    return frozenset(found)


def _are_groups(groups: Sequence[str]) -> bool:
    """Whether digits may be grouped so: one to three, then two or three each; or any number of them ungrouped."""
    return len(groups) == 1 or (len(groups[0]) <= _GROUP and all(2 <= len(group) <= _GROUP for group in groups[1:]))


def _is_grouped_once(groups: Sequence[str], separators: Sequence[str]) -> bool:
    """Babel groups only the last thousands of some English locales: `1000'000.00`."""
    return len(groups) == 2 and separators[0] == "'" and len(groups[1]) == _GROUP


def _values_of_parts(numeral: str, *, in_full: bool = False) -> list[str]:
    """The parts of a date, a list or a reference, each as a whole number; a year of two digits also in full."""
    parts = [_value(part, "") for part in _PARTS.split(canonical(numeral))[::2] if part]
    return [*parts, f"20{numeral[-2:]}"] if in_full and _SHORT_DATE.fullmatch(numeral) else parts
