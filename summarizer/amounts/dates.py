"""Finds the numbers that a month's name makes parts of a date: `12. März 2024`, `March 5, 2024`, `2026. nov. 5.`."""

import re
from functools import lru_cache

from summarizer.amounts.lexer import NUMBER, SIGN, WORD, Token
from summarizer.amounts.phrases import phrase_after
from summarizer.amounts.vocabulary import is_month, term

_DAY = re.compile(r"\d\d?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_REMEMBERED = 4096
# Between a number and its month: `12. März`, `12-Mar-2024`, `12 de març`, `1º de março`.
_SIGNS_OF_DATES = frozenset(".-/,º°ª")
_MOST_BETWEEN = 3
_LONGEST_SPACED = 4
_LONGEST_ENDING = 3
# The word `year` in short, behind the year, in languages that write it between the year and the month or behind both.
_YEAR_WORDS = frozenset(
    {
        "m",
        "m.",
        "г",
        "г.",
        "р",
        "р.",
        "ж",
        "ж.",
        "r",
        "r.",
        "gada",
        "god",
        "godine",
        "оны",
        "сарын",
        "թ.",
        "ค.ศ.",
        "พ.ศ.",
    }
)
# Names that CLDR has for one country only, or that are too short for the table of every language's months.
_MORE_MONTHS = frozenset({"jänner", "feber", "ag", "मई", "मे", "মে", "మే", "மே", "ಮೇ", "مه", "траўня"})
# Hebrew glues `in` to the month.
_HEBREW_PREFIX = "ב"
# `2024年3月12日`, `2024년 3월 12일`.
_EAST_ASIAN_UNITS = frozenset("年月日년월일")
# Words before a day that are also short for a currency.
_PREPOSITIONS = frozenset({"den", "din", "ils"})


def date_places(text: str, tokens: list[Token]) -> frozenset[int]:
    """The places of the numbers that are days or years beside the name of a month, and of the word `year` behind."""
    found: set[int] = set()
    if all(token.kind != NUMBER for token in tokens):
        return frozenset()
    for place, token in enumerate(tokens):
        if token.kind == WORD and names_month(token.text):
            _add_date(text, tokens, place, found)
        elif token.kind == WORD and place and token.text[0] in _EAST_ASIAN_UNITS:
            if tokens[place - 1].kind == NUMBER and not term(token.text).names_currency:
                found.add(place - 1)
        elif token.kind == NUMBER and _YEAR.fullmatch(token.text):
            _add_spaced_date(tokens, place, found)
    return frozenset(found)


def _add_spaced_date(tokens: list[Token], year: int, found: set[int]) -> None:
    """`12. 3. 2024`, as Czech writes it, and Korean `2024. 3. 12.`."""
    for places in (range(year - _LONGEST_SPACED, year + 1), range(year, year + _LONGEST_SPACED + 1)):
        parts = [tokens[place].text for place in places if 0 <= place < len(tokens)]
        days = [part for part in parts[::2] if _DAY.fullmatch(part)]
        if parts[1::2] == [".", "."] and len(days) == 2:
            found.update(places[::2])


@lru_cache(_REMEMBERED)
def names_month(text: str) -> bool:
    """Whether the word is a month's name and nothing that stands between numbers."""
    word = (text.rpartition("'")[2] or text).removeprefix(_HEBREW_PREFIX)
    if not (is_month(word) or word.lower().rstrip(".") in _MORE_MONTHS):
        return False
    role = term(text).role
    return not role or (role == "of" and text[-1] == ".")


@lru_cache(_REMEMBERED)
def _means_more(text: str) -> bool:
    """Whether the word is also a currency, a minor unit or a magnitude: `marco` is March and a mark."""
    word = term(text)
    return bool(word.mark or word.minor or word.uses)


def _add_date(text: str, tokens: list[Token], month: int, found: set[int]) -> None:
    before, after = _number_before(tokens, month), _number_after(tokens, month + 1)
    year = after if after >= 0 and _YEAR.fullmatch(tokens[after].text) else -1
    if _means_more(tokens[month].text) and (before < 0 or (year < 0 and before == month - 1)):
        return
    if before > 0 and _DAY.fullmatch(tokens[before].text):
        first = _number_before(tokens, before)
        found.update((first,) if first >= 0 and _YEAR.fullmatch(tokens[first].text) else ())
    if before >= 0 and (_DAY.fullmatch(tokens[before].text) or _YEAR.fullmatch(tokens[before].text)):
        found.add(before)
    if after < 0:
        return
    dated = before in found
    marked = phrase_after(text, tokens, after + 1) is not None
    if year >= 0 and (dated or not marked):
        found.add(year)
        if year + 1 < len(tokens) and tokens[year + 1].text in _YEAR_WORDS:
            found.add(year + 1)
    elif _DAY.fullmatch(tokens[after].text):
        following = _number_after(tokens, after + 1)
        if following >= 0 and _YEAR.fullmatch(tokens[following].text):
            found.update((after, following))
        elif not marked:
            found.add(after)


def _number_before(tokens: list[Token], month: int) -> int:
    """The number that belongs to the month behind it, -1 if there is none."""
    for place in range(month - 1, max(month - 2 - _MOST_BETWEEN, -1), -1):
        token = tokens[place]
        if token.kind == NUMBER:
            return place
        if not (_joins(token) or (place and tokens[place - 1].end == token.start and _is_ending(token))):
            break
    return -1


def _number_after(tokens: list[Token], start: int) -> int:
    """The number that follows the month or the day, -1 if there is none."""
    for place in range(start, min(start + _MOST_BETWEEN, len(tokens))):
        token = tokens[place]
        if token.kind == NUMBER:
            return place
        if not (_joins(token) or (tokens[place - 1].end == token.start and _is_ending(token))):
            break
    return -1


def _joins(token: Token) -> bool:
    if token.kind == SIGN:
        return token.text in _SIGNS_OF_DATES
    return token.text in _YEAR_WORDS or term(token.text).role == "of"


def _is_ending(token: Token) -> bool:
    """`th` of `12th`, `го` of `12-го`."""
    return token.kind == WORD and len(token.text) <= _LONGEST_ENDING


def is_preposition(token: Token) -> bool:
    """Whether the word before a day is no currency there, as in Danish `den 12. marts`."""
    return token.text.lower() in _PREPOSITIONS
