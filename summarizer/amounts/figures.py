"""Reads the digits and separators of one number, exactly and without any decimal context."""

import re
from typing import NamedTuple

# ISO 20022 allows 18 digits in an amount; double that covers every currency and every magnitude. Past it nothing is
# an amount, and no result is so long that another program cannot read it.
MOST_DIGITS = 36
_BY_THREES = r"[1-9]\d{0,2}([.,'٬ ])\d{3}(?:\1\d{3})*"
_BY_TWOS = r"[1-9]\d?([.,'٬ ])\d\d(?:\2\d\d)*\2\d{3}"
_GROUPED = re.compile(rf"{_BY_THREES}|{_BY_TWOS}|0 \d{{3}}")
_CURRENCY_SIGNS = "$€£"
_ALWAYS_GROUPS = "'٬ "
_ALWAYS_DECIMAL = "٫·"
_GROUP = 3
_CENTS = 2
# Before the digits of a number of which it is not certain where it begins, or whether the dot before it is its own.
DOUBT = "?"


class Figure(NamedTuple):
    """A number: `coefficient` x 10^-`scale`, or an error code as `problem`.

    `separator` is the only separator where three digits follow it, so that it could mean thousands or decimals;
    `decimal` the decimal separator; `sign` a currency sign that stood in its place.
    """

    coefficient: int = 0
    scale: int = 0
    separator: str = ""
    decimal: str = ""
    sign: str = ""
    problem: str = ""


MALFORMED = Figure(problem="malformed_number")
TOO_LONG = Figure(problem="too_long")


def figure(text: str) -> Figure:
    """The number that a token writes, with groups by space, dot, comma or apostrophe, of three digits or of 2-2-3."""
    digits = _without_empty_minor_units(text) if text[-1] == "-" else text
    if digits.isdecimal():
        return Figure(int(digits)) if len(digits) <= MOST_DIGITS else TOO_LONG
    if len(digits) > 2 * MOST_DIGITS:
        return TOO_LONG
    separators = [character for character in digits if not character.isdecimal()]
    last = separators[-1]
    if last in _CURRENCY_SIGNS:
        return _split_by_sign(digits, last)
    if len(separators) == 1:
        return _one_separator(digits, last)
    if last in _ALWAYS_GROUPS or separators.count(last) > 1:
        return _grouped(digits)
    whole, _, fraction = digits.rpartition(last)
    grouped = _grouped(whole)
    return grouped if grouped.problem else _decimal(_digits(whole), fraction, last)


def _without_empty_minor_units(text: str) -> str:
    """`12` of `12,-`, `12. --` and `12/-`."""
    return text.rstrip("-").rstrip(" ").rstrip(".,/")


def _digits(text: str) -> str:
    return "".join(filter(str.isdecimal, text))


def _grouped(text: str) -> Figure:
    if not _GROUPED.fullmatch(text):
        return MALFORMED
    digits = _digits(text)
    return Figure(int(digits)) if len(digits) <= MOST_DIGITS else TOO_LONG


def _decimal(whole: str, fraction: str, decimal: str) -> Figure:
    if len(whole) + len(fraction) > MOST_DIGITS:
        return TOO_LONG
    return Figure(int(whole + fraction), len(fraction), decimal=decimal)


def _split_by_sign(digits: str, sign: str) -> Figure:
    """`7654$30` and `86€50`: the sign of the currency stands for the decimal separator, with exactly two decimals."""
    whole, _, fraction = digits.rpartition(sign)
    before = figure(whole) if len(fraction) == _CENTS and not set(whole) & set(_CURRENCY_SIGNS) else MALFORMED
    if before.problem or before.scale:
        return MALFORMED
    return Figure(before.coefficient * 100 + int(fraction), _CENTS, sign=sign)


def _one_separator(digits: str, separator: str) -> Figure:
    whole, _, fraction = digits.partition(separator)
    if separator in _ALWAYS_GROUPS:
        return _grouped(digits)
    if separator in _ALWAYS_DECIMAL or len(fraction) != _GROUP or len(whole) > _GROUP or not whole.strip("0"):
        return _decimal(whole, fraction, separator)
    return MALFORMED if whole[0] == "0" else Figure(int(whole + fraction), separator=separator)
