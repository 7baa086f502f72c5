"""One spelling for the many ways Unicode writes the same sign, so that every later rule is written once.

Invoices arrive with Bengali digits, narrow no-break spaces, typographic apostrophes and invisible direction marks;
none of these changes what an amount is.
"""

import re
import unicodedata

# The longest text read. It is the longest note a batch accepts, so a whole note may be passed.
MAX_LENGTH = 4000
# No word of the vocabulary is longer; anything longer need not be normalised, which keeps folding linear.
MAX_WORD = 64
_REMEMBERED = 4096

_SIGNS = {
    **dict.fromkeys("’‘‛ʼʻʹˈ՚´`′＇׳", "'"),
    **dict.fromkeys("−‐‑‒–—―﹣－﹘", "-"),
    "،": ",",
    "⹁": ",",
    "，": ",",
    "﹐": ",",
    "．": ".",
    "﹒": ".",
    "٪": "%",
    "％": "%",
    "״": '"',
    "⁄": "/",
    "∕": "/",
    "\u200b": "\u200b",
}


def _replacement(character: str) -> str:
    """What stands for one character in the canonical text; empty for a mark that carries no meaning here."""
    category = unicodedata.category(character)
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if category == "Zs" or character in "\t\n\r\v\f\x85\u2028\u2029":
        return " "
    if category in ("Cf", "Cc"):
        return ""
    if "\uff01" <= character <= "\uffe6":
        return unicodedata.normalize("NFKC", character)
    return character


class _Canonical(dict[int, str]):
    """A translation table that works out a character when it first meets it, and remembers a bounded number."""

    def __missing__(self, code_point: int) -> str:
        character = chr(code_point)
        replacement = _SIGNS.get(character)
        if replacement is None:
            replacement = _replacement(character)
        if len(self) < _REMEMBERED:
            self[code_point] = replacement
        return replacement


_CANONICAL = _Canonical()
# The zero-width space is CLDR's symbol of the Cape Verdean escudo, whose amounts write `$` for the decimal comma.
_ESCUDO = re.compile(r"\d\$\d\d(?!\d)")
_ACCENTS = re.compile("[\u0300-\u036f]+")


def canonical(text: str) -> str:
    """The text with ASCII digits, plain spaces, `'` and `-`, and without invisible marks."""
    if text.isascii() and text.isprintable():
        return text.replace("`", "'") if "`" in text else text
    text = text.translate(_CANONICAL)
    return text if "\u200b" not in text or _ESCUDO.search(text) else text.replace("\u200b", "")


def fold(word: str) -> str:
    """The word as it is looked up, without case and Latin accents; a word too long to be known stays as it is."""
    if word.isascii():
        return word.lower()
    if len(word) > MAX_WORD:
        return word
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", word))
    return unicodedata.normalize("NFC", bare).casefold()
