"""Cuts a text into numbers, words and signs; every later rule speaks of these tokens, not of characters."""

import re
from typing import NamedTuple

# The kind of a token is the group of the pattern that matched it.
NUMBER = 1
WORD = 2
BARE_DECIMAL = 3
SIGN = 4


class Token(NamedTuple):
    """A piece of the canonical text and where it stood."""

    kind: int
    text: str
    start: int
    end: int


# Currency signs that stand outside the blocks of symbols, among the letters of their script.
_SCATTERED_SIGNS = "֏؋߾߿৲৳৻૱௹฿៛꠸﷼"
_NOT_LETTERS = (
    r"\s\d!-/:-@\[-`{-~\u00a0-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf×÷"
    rf"\u2000-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u30fb\ufe30-\ufe6f।॥؛؟٫٬{_SCATTERED_SIGNS}"
)
# Letters of two scripts glued together are two words: `কোUS$`.
_LATIN = "A-Za-zªµºÀ-ÖØ-öø-ʯ\u0300-\u036fḀ-ỿ"
_WORDS = "|".join(f"{letter}+(?:['.·]{letter}+)*" for letter in (f"[{_LATIN}]", f"[^{_LATIN}{_NOT_LETTERS}]"))
# What may stand before a decimal that has no whole part: `.45`, `$.45`, `-.45`, but not a word that ends in a comma.
_BEFORE_DECIMAL = rf"(?<![^\s$€£¥₹(+{_SCATTERED_SIGNS}\u20a0-\u20cf-])"
_GROUPS = r"(?:[.,'٫٬·$€£:/-]\d+)*"
# `12,-`, `12.-`, `12,--` and `12/-` say that there are no minor units.
_NO_MINOR_UNITS = r"(?:[.,]\ ?-{1,2}|/-)(?![\d-])"
_TOKEN = re.compile(
    rf"(\d+{_GROUPS}(?:[eE][+-]?\d+|{_NO_MINOR_UNITS})?)"
    rf"|((?:{_WORDS})\.?)"
    rf"|({_BEFORE_DECIMAL}[.,٫]\d+{_GROUPS})"
    r"|(\S)"
)


# The constructor of a named tuple is a function written in Python; a third of the time of cutting a text goes there.
_token = tuple.__new__


def tokens(text: str) -> list[Token]:
    """The tokens of a canonical text, in order; spaces show only as gaps between them."""
    return [_token(Token, (m.lastindex, m[0], m.start(), m.end())) for m in _TOKEN.finditer(text)]
