"""Cuts words of scripts that write without spaces, or glue endings to words, into the words that are known."""

import re
from functools import lru_cache

from summarizer.amounts import habits, tables
from summarizer.amounts.text import fold

_REMEMBERED = 1024
_SCRIPTS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_TABLES = (
    tables.UNITS, tables.RARE_UNITS, tables.BEFORE, tables.AFTER, tables.HABITS_FOLDED, tables.MINORS, tables.ROLES,
    tables.MAGNITUDES_FOLDED, tables.MAGNITUDES, tables.MAGNITUDE_HABITS, habits.EAST_ASIAN_UNITS,
    tables.LONG_MEASURES,
)  # fmt: skip


def is_unspaced(text: str) -> bool:
    """Whether the word is of a script that writes words without spaces or glues endings to them."""
    return _SCRIPTS.match(text) is not None


def has_unspaced(text: str) -> bool:
    """Whether any letter of the text is of such a script."""
    return _SCRIPTS.search(text) is not None


_KNOWN = frozenset(word for table in _TABLES for word in table if word >= "\u0e00" and _SCRIPTS.match(word))
_LONGEST: dict[str, int] = {}
for _word in _KNOWN:
    _LONGEST[_word[0]] = max(_LONGEST.get(_word[0], 0), len(_word))


@lru_cache(_REMEMBERED)
def pieces(word: str) -> tuple[str, ...]:
    """The known words in a word, and the rest between them; the longest known word wins.

    Behind an unknown beginning a single character is no word: in `公元` there is no yuan.
    """
    found: list[str] = []
    place = unknown = 0
    while place < len(word):
        size = _known_size(word, place, shortest=2 if unknown < place else 1)
        if size:
            found += [word[unknown:place]] if unknown < place else []
            found.append(word[place : place + size])
            unknown = place + size
        place += size or 1
    return (*found, word[unknown:]) if unknown < len(word) else tuple(found)


def _known_size(word: str, place: int, shortest: int) -> int:
    longest = min(_LONGEST.get(word[place], 0), len(word) - place)
    for size in range(longest, shortest - 1, -1):
        if fold(word[place : place + size]) in _KNOWN:
            return size
    return 0
