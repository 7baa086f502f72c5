"""Words that make a number greater: `5 million`, `30M EUR`, `TEUR 30`, `৩০ হাজার`, `30万`.

Where a word may or may not be one (`30 m`, `30 L`), it counts as one. Whoever compares two texts then takes a number
with it and a number without it for different, which a checker can afford, while the opposite would be a false proof.
"""

import re
import unicodedata
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal

from iso4217 import Currency

EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
ONE = Decimal(1)
_POWERS = {
    2: "hundred hundert honderd शत শত শো सौ 百 백 ร้อย",
    3: "k tsd taus thous tausend grand mille mila tys tis тыс bin ribu nghìn ngàn χιλ ألف الف آلاف هزار ہزار 千 천 พัน",
    4: "万 萬 만 หมื่น",
    5: "l lc lac lacs lk แสน",
    6: "m mm mn mln mio mill juta triệu млн εκ מיליון مليون ملايين ล้าน",
    7: "cr crs",
    8: "億 亿 억",
    9: "b bn bln bil mrd mld mia md mds млрд δισ مليار مليارات अरब",
    12: "tn trn tril bio billionen billón billones трлн ترليون تريليون 兆 조",
    18: "trillionen triljoen",
}
_POWERS_OF_STEMS = {
    3: "thousand tausend duizend tusen tusind tysiąc tysięc tisíc тысяч тисяч χιλιάδ হাজার हज़ार हजार",
    5: "lakh লাখ লক্ষ लाख لاکھ",
    6: "million millón millon milion milió miljon miljoen miljoon milhã milhõ milyon миллион мільйон εκατομμύρι"
    " মিলিয়ন मिलियन",
    7: "crore কোটি करोड کروڑ",
    9: "billion milliard miliard miljard milyar bilhã bilhõ миллиард мільярд বিলিয়ন बिलियन",
    12: "trillion biljon biljoen bilion триллион трильйон ট্রিলিয়ন",
}
_DOZENS = "dozen dozens dz dutzend douzaine douzaines docena docenas dozzina dozzine дюжина дюжины дюжин ডজন दर्जन"
_OWN_FACTORS = {"t": Decimal("1E+5001"), "mil": Decimal("1E+5002")}
"""Thousand to one reader and trillion or million to another: such a number equals only one that is written alike."""
_LONGEST_ENDING = 3
"""Letters that an inflected word has beyond its stem: `millions`, but not `millionaires`."""
_CODES = frozenset(currency.code for currency in Currency)
"""ISO 4217."""
_CURRENCY_NAMES = "euro euros dollar dollars taka rupees rupien pounds pfund franken"
_CURRENCIES = frozenset(_CURRENCY_NAMES.split())
_SIGNS = "€$£¥₹৳₽₩₺"
_UNSPACED = frozenset("百千万萬億亿兆백천만억조")
_THAI = ("ล้าน", "แสน", "หมื่น", "พัน", "ร้อย")
_EURO = re.compile(r"\s?(?:€|EUR|Euro|CHF)")
"""Beside which a `T` is a thousand."""

INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
_MARKS = "\u0300-\u036f\u0610-\u065f\u0900-\u0dff\u0e31-\u0e4e"
"""Combining marks, which are no letters to Python's `re`, with their neighbours."""
_WORD = rf"(?![¼½¾⅐-⅞])[^\W\d_](?:[^\W\d_]|[{_MARKS}{INVISIBLE}]){{0,40}}"
_NEW_BLOCK = r"[ \t>]*\r?(?:\n|\Z)|[ \t>]*(?:[-*+]\s|\#|\||\d+[.)]\s)"
_GAP = rf"(?:[^\w.,;:!?…/%‰。，、；：！？।॥\n]|_|\n(?!{_NEW_BLOCK}))"
"""What may stand between a number and its word: spaces, a line's end, hyphens, emphasis, brackets, quotation marks."""
_BEHIND = re.compile(rf"({_GAP}{{0,40}})({_WORD})")
_TOKEN = rf"((?<![^\W\d_]){_WORD}|[{_SIGNS}])"
_BEFORE = re.compile(rf"(?:{_TOKEN}\.?{_GAP}{{0,4}})?{_TOKEN}[.:]?{_GAP}{{0,4}}\Z")
_FARTHEST = 60
_BRACKETS = re.compile(r"[()\[\]{}<>\"'|]")


def _folded(word: str) -> str:
    visible = "".join(character for character in word if unicodedata.category(character) != "Cf")
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", visible).casefold())


_FACTORS = {_folded(word): ONE.scaleb(power) for power, words in _POWERS.items() for word in words.split()}
_FACTORS |= {_folded(word): Decimal(12) for word in _DOZENS.split()} | _OWN_FACTORS
_STEMS = {_folded(word): ONE.scaleb(power) for power, words in _POWERS_OF_STEMS.items() for word in words.split()}


def factor_behind(text: str, place: int) -> tuple[Decimal, int]:
    """What the words behind a number that ends at `place` multiply it by, and where they end."""
    factor = ONE
    while (match := _BEHIND.match(text, place)) is not None:
        found, end = _magnitude(text, match)
        if found is None and factor == ONE and _is_currency(match[2]):
            found, end = _behind_currency(text, match.end())
        if found is None:
            break
        factor, place = EXACT.multiply(factor, found), end
    return factor, place


def _behind_currency(text: str, place: int) -> tuple[Decimal | None, int]:
    """As in `30 EUR million`; a letter is a word of its own there: `30 EUR a day`."""
    match = _BEHIND.match(text, place)
    return _magnitude(text, match) if match is not None and len(match[2]) > 1 else (None, place)


def factor_before(text: str, floor: int, place: int) -> Decimal:
    """The same of the words before a number that begins at `place`: a magnitude beside a currency, as in `TEUR 30`.

    Nothing before `floor` belongs to it.
    """
    match = _BEFORE.search(text, max(floor, place - _FARTHEST), place)
    if match is None:
        return ONE
    tokens = [piece for token in match.groups(default="") for piece in _unglued(token)][-2:]
    words = [token for token in tokens if not _is_currency(token)]
    if len(tokens) != 2 or len(words) != 1:
        return ONE
    return _factor(words[0], beside_currency=True) or ONE


def _magnitude(text: str, match: re.Match[str]) -> tuple[Decimal | None, int]:
    gap, word = match.groups()
    if (unspaced := _unspaced(word)) is not None:
        length, factor = unspaced
        return factor, match.start(2) + length
    head, *currency = _unglued(word)
    if len(head) == 1 and (_BRACKETS.search(gap) or text[match.end() : match.end() + 1].isdigit()):
        return None, 0  # the letter of a paragraph or of a time: `§ 4 (k)`, `01T12:30`
    beside = bool(currency) or _EURO.match(text, match.end()) is not None
    return _factor(head, beside_currency=beside), match.end()


def _unspaced(word: str) -> tuple[int, Decimal] | None:
    """Length and factor of the magnitudes that a text without spaces begins with: `億円`, `พันบาท`."""
    length, factor = 0, ONE
    while word[length : length + 1] in _UNSPACED:
        factor = EXACT.multiply(factor, _FACTORS[word[length]])
        length += 1
    for thai in _THAI:
        if word.startswith(thai):
            length, factor = len(thai), _FACTORS[_folded(thai)]
    return (length, factor) if length else None


def _factor(word: str, *, beside_currency: bool) -> Decimal | None:
    folded = _folded(word)
    if folded == "t" and beside_currency:
        return Decimal(1000)
    if folded in _FACTORS:
        return _FACTORS[folded]
    stems = (folded[:length] for length in range(len(folded), max(len(folded) - _LONGEST_ENDING, 1) - 1, -1))
    return next((_STEMS[stem] for stem in stems if stem in _STEMS), None)


def _unglued(word: str) -> list[str]:
    """`TEUR` and `EURm` are a magnitude and a currency."""
    for name in ("euros", "euro"):
        if word.casefold().endswith(name) and _factor(word[: -len(name)], beside_currency=True):
            return [word[: -len(name)], "EUR"]
    if word[-3:] in _CODES and _factor(word[:-3], beside_currency=True):
        return [word[:-3], word[-3:]]
    if word[:3] in _CODES and _factor(word[3:], beside_currency=True):
        return [word[:3], word[3:]]
    return [word] if word else []


def _is_currency(token: str) -> bool:
    return token in _CODES or token.casefold() in _CURRENCIES or token in _SIGNS
