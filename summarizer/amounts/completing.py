"""Completes and doubts a reading by words apart from it: `Mio. € 3`, `20 euro cents`, `minus 5 EUR`."""

from summarizer.amounts import lookalikes
from summarizer.amounts.lexer import NUMBER, WORD, Token
from summarizer.amounts.readings import Reading
from summarizer.amounts.tables import EXPONENTS, MinorUnit
from summarizer.amounts.text import fold
from summarizer.amounts.vocabulary import Term, is_measure, is_named_magnitude, joined_symbol, term

_CENTS = 2
# How far before an amount a word still says that it is negative: `minus total EUR 5`.
_REACH = 3
_SHORTEST_WORD = 3
_LONGEST_LETTER = 2
# Apart from the sign these name a thing: `Plan B EUR 50`.
_NAMES_OF_THINGS = frozenset("BKT")
_COMPARISON = frozenset({"than", "que", "als", "di"})


def complete(tokens: list[Token], reading: Reading) -> None:
    """Takes up what belongs to the number, gives back what is no money, and marks as a problem what it may mean."""
    if reading.minor is not None and reading.mark is None:
        _give_back_measure(tokens, reading)
        _name_cents(tokens, reading)
    elif reading.after is not None or reading.end == reading.place + 1:
        _take_cents(tokens, reading)
    if reading.after is not None and reading.before is None:
        _doubt_letter(tokens, reading)
    if reading.before is not None:
        _doubt_word(tokens, reading)
        _take_magnitude(tokens, reading)
    if reading.first or reading.end < len(tokens):
        _doubt_sign(tokens, reading)


def is_certain_code(tokens: list[Token], reading: Reading) -> bool:
    """Whether a mark that is also a word is none here: `500 BAM` in a text that is not all capitals, `R12.50`."""
    if reading.after is not None:
        return _is_code(tokens, tokens[reading.after.first].text)
    assert reading.before is not None
    sign, number = tokens[reading.before.first], tokens[reading.place]
    glued = sign.text in lookalikes.GLUED_SYMBOLS and sign.end == number.start
    return reading.figure.scale == _CENTS and (glued or _is_code(tokens, sign.text))


def _is_code(tokens: list[Token], text: str) -> bool:
    capitals = all(token.text.isupper() for token in tokens if token.kind == WORD)
    return text in EXPONENTS and text not in lookalikes.CODES_LIKE_ENGLISH_WORDS and not capitals


def _give_back_measure(tokens: list[Token], reading: Reading) -> None:
    """`5 ore` are hours and `5 gr` grams, but `50p` are pence."""
    token = tokens[reading.end - 1]
    touches = token.start == tokens[reading.place].end and token.text in lookalikes.GLUED_MINORS
    if is_measure(token.text) and not touches and token.text not in lookalikes.TRUSTED_MINORS:
        reading.minor, reading.end = None, reading.place + 1


def _name_cents(tokens: list[Token], reading: Reading) -> None:
    """The currency behind minor units: `50 cent EUR`, `50 sen MYR`."""
    unit, place = reading.minor, reading.end
    mark = term(tokens[place].text).mark if unit and place < len(tokens) else None
    if unit is None or mark is None or mark.weak:
        return
    codes = mark.codes & unit.codes if unit.codes else mark.codes
    if codes:
        reading.minor, reading.end = MinorUnit(codes, unit.digits, True), place + 1
    else:
        reading.problem = reading.problem or "currency_conflict"


def _take_cents(tokens: list[Token], reading: Reading) -> None:
    """`20 euro cents`, `20 Euro-Cent` and `20 US cents` are a fifth of the unit, not twenty."""
    place, after = reading.end, reading.after
    if reading.before or reading.magnitudes or reading.compound or place >= len(tokens):
        return
    codes = after.codes if after else term(tokens[place].text).before
    place += after is None
    if codes and place + 1 < len(tokens) and tokens[place].text == "-":
        place += 1
    unit = term(tokens[place].text).minor if codes and place < len(tokens) else None
    if unit is None or not unit.alone:
        return
    codes = codes & unit.codes if unit.codes else codes
    if codes:
        reading.minor, reading.end = MinorUnit(codes, unit.digits, True), place + 1


def _doubt_letter(tokens: list[Token], reading: Reading) -> None:
    """Letters behind a number are more often a unit of measure than money: `5 D`, `5 км`, but not `1 234,50 G`."""
    after = reading.after
    assert after is not None
    letter = tokens[after.first].text.rstrip(".")
    if after.end > after.first + 1 or len(letter) > _LONGEST_LETTER or after.unit or not letter.isalpha():
        return
    measure = len(letter) == 1 if letter.isascii() else is_measure(letter) and letter.islower()
    cents = letter.isupper() and reading.figure.scale == _CENTS
    if measure and not cents and letter not in lookalikes.TRUSTED_SHORT_SYMBOLS:
        reading.after = after._replace(doubtful=True)


def _doubt_word(tokens: list[Token], reading: Reading) -> None:
    """`sol 12` and `Nepal 12` may be the unit, or an everyday word or a country."""
    before = reading.before
    assert before is not None
    if not before.weak or reading.after is not None or before.end > before.first + 1:
        return
    text = tokens[before.first].text
    word = term(text)
    if fold(text) in lookalikes.WORDS_LIKE_UNITS or (before.unit and (word.before or word.after)):
        reading.before = before._replace(doubtful=True)


def _take_magnitude(tokens: list[Token], reading: Reading) -> None:
    """A magnitude before the currency before the number: `Mio. € 3`, `k€ 3`."""
    before = reading.before
    assert before is not None
    place = before.first
    glued = before.end - place == 2 and _is_glued_letter(tokens, place)
    if not glued:
        place -= 1
        if place < 0 or not _stands_before(tokens, place):
            return
    word = term(tokens[place].text)
    text = tokens[place].text.rstrip(".")
    known = is_named_magnitude(text) or len(text) >= _SHORTEST_WORD
    if not word.uses or not known or reading.magnitudes or (not glued and text in _NAMES_OF_THINGS):
        return
    reading.first = min(reading.first, place)
    if glued:
        sign = term(tokens[place + 1].text).mark
        reading.before = before._replace(preferred=sign.preferred if sign else "")
    _add_magnitude(tokens, reading, word, place, glued=glued)


def _is_glued_letter(tokens: list[Token], place: int) -> bool:
    """Whether the first token of a currency before a number is a magnitude glued to its sign: `M€`, but not `B$`."""
    if place + 1 >= len(tokens) or tokens[place].end != tokens[place + 1].start:
        return False
    letter, sign = tokens[place].text, tokens[place + 1].text
    return is_named_magnitude(letter) and tokens[place + 1].kind != NUMBER and joined_symbol(letter + sign) is None


def _stands_before(tokens: list[Token], place: int) -> bool:
    """Whether the word stands right before the currency and is not the magnitude of another number."""
    token = tokens[place]
    if token.kind != WORD or tokens[place + 1].start - token.end > 1:
        return False
    return place == 0 or tokens[place - 1].kind != NUMBER


def _add_magnitude(tokens: list[Token], reading: Reading, word: Term, place: int, *, glued: bool) -> None:
    """A single letter apart from the sign may be anything: `Size M EUR 20`."""
    text = tokens[place].text
    known = is_named_magnitude(text) or is_named_magnitude(text.rstrip("."))
    assert reading.before is not None
    shared = word.ambiguous and len(reading.before.codes) > 1
    if not known or shared or (len(text.rstrip(".")) == 1 and not glued) or word.role in ("long_scale", "billion"):
        reading.problem = reading.problem or "ambiguous_magnitude"
    reading.magnitudes += (word.uses,)
    reading.ambiguous_magnitude |= word.ambiguous


def _doubt_sign(tokens: list[Token], reading: Reading) -> None:
    """A word for minus near the amount: the sign that it is read with may be wrong."""
    for place in range(reading.first - 1, max(reading.first - 1 - _REACH, -1), -1):
        if tokens[place].kind == NUMBER:
            break
        if _is_minus(tokens, place):
            reading.problem = reading.problem or "ambiguous_sign"
    if reading.end == len(tokens) - 1 and _is_minus(tokens, reading.end):
        reading.problem = reading.problem or "ambiguous_sign"


def _is_minus(tokens: list[Token], place: int) -> bool:
    """Whether the word means minus here and not less, as in `less than 5 EUR` and `moins de 5 EUR`."""
    if tokens[place].kind != WORD or term(tokens[place].text).role != "minus":
        return False
    following = tokens[place + 1].text if place + 1 < len(tokens) else ""
    return following.lower() not in _COMPARISON and term(following).role != "of"
