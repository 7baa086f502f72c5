"""Finds the numbers of a summary that nothing backs: neither the note nor an amount that the tool gave.

A summary may write a number in another notation than its source (1.234,50 for 1,234.50), so numbers are compared by the
values they can mean. Signs are not compared, and number words are not read.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from summarizer.amounts.tables import Use
from summarizer.amounts.text import canonical
from summarizer.amounts.unspaced import is_unspaced, pieces
from summarizer.amounts.vocabulary import is_measure, term

_SEPARATOR = "[.,'’‘ʼ٫٬،⹁．，·]"
_SPACE = "[ \u00a0\u2007\u2009\u202f]"
_NUMERAL = re.compile(
    rf"(?<![\w.,])[.,٫]\d+"
    rf"|\d{{1,3}}(?:{_SPACE}\d{{2,3}}(?!\d))+(?:{_SEPARATOR}\d+)?"
    rf"|\d+(?:{_SEPARATOR}\d+)*(?:\$\d\d(?!\d))?"
)
_WORD_BEHIND = re.compile(rf"{_SPACE}?((?:[^\W\d_][\u0300-\u036f]*){{1,24}}\.?)")
_PARTS = re.compile(r"([.,'٫٬·$ ])")
_AMOUNT = re.compile(r"-?(\d+)(?:\.(\d+))?")
_DECIMAL_SEPARATORS = frozenset(".,٫·$")
_ALWAYS_DECIMAL = frozenset("٫·$")
# Letters before one of these are a symbol (`NT$`), but a single one may still be a magnitude (`5M$`).
_CURRENCY_SIGNS = ("$", "£", "¥")
_GROUP = 3
_MOST_MAGNITUDES = 2
_REMEMBERED = 1024


def unsupported_numbers(summary: str, note: str, tool_results: Sequence[Mapping[str, Any]]) -> list[str]:
    """The numbers of the summary, as they stand in it, that neither the note nor a tool result backs.

    Of a result only `amount` backs a number: `amount_minor` is no way to write an amount, and an error says nothing
    that the note does not. Linear in the length of the texts.
    """
    backed = set(_values_of_note(note))
    backed.update(value for result in tool_results for value in _values_of_result(result))
    found = (match[0] for match in _NUMERAL.finditer(summary) if not _is_backed(summary, match, backed))
    return list(dict.fromkeys(found))


def _values_of_note(note: str) -> Iterator[str]:
    """Every value that a number of the note can mean: as it stands, and times the magnitude behind it."""
    for match in _NUMERAL.finditer(note):
        values = _values(match[0])
        yield from values or _values_of_parts(match[0])
        yield from _scaled(values, _powers(note, match.end())[0])


def _values_of_result(result: Mapping[str, Any]) -> Iterator[str]:
    amount = result.get("amount")
    match = _AMOUNT.fullmatch(amount) if isinstance(amount, str) and "error" not in result else None
    if match:
        yield _value(match[1], match[2] or "")


def _is_backed(summary: str, match: re.Match[str], backed: set[str]) -> bool:
    values = _values(match[0])
    powers, certain = _powers(summary, match.end())
    if not backed.isdisjoint(_scaled(values, powers)):
        return True
    if certain and powers:
        return False
    return not backed.isdisjoint(values) or all(value in backed for value in _values_of_parts(match[0]))


def _powers(text: str, place: int) -> tuple[tuple[int, ...], bool]:
    """The powers of ten that the words behind a number may stand for, and whether they can be nothing else."""
    powers: tuple[int, ...] = ()
    certain = True
    for _ in range(_MOST_MAGNITUDES):
        match = _WORD_BEHIND.match(text, place)
        word = _first_word(match[1]) if match else ""
        uses = _uses(word) if word else ()
        if match is None or not uses or (len(word) > 1 and text[match.end() : match.end() + 1] in _CURRENCY_SIGNS):
            break
        powers = tuple({before + use.power for before in powers or (0,) for use in uses})
        certain = certain and _is_certain(word, touches=match.start(1) == place)
        place = match.start(1) + len(word)
    return powers, certain


def _is_certain(word: str, *, touches: bool) -> bool:
    """Whether the word can be nothing but a magnitude: `5 t` may be tonnes, and `5 KM` convertible marks."""
    if term(word).mark or is_measure(word):
        return False
    return len(word.rstrip(".")) > 1 or is_unspaced(word) or touches


def _uses(word: str) -> tuple[Use, ...]:
    """The powers of a magnitude; `LAK` is the kip, although `lak` is a lakh somewhere."""
    meaning = term(word)
    return () if meaning.mark and not meaning.mark.weak else meaning.uses


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


def _values_of_parts(numeral: str) -> list[str]:
    """The parts of a date, a list or a reference, each as a whole number."""
    return [_value(part, "") for part in _PARTS.split(canonical(numeral))[::2] if part]
