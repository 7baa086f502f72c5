"""Looks up what a word or sign may mean: currency, qualifier, magnitude, minor unit, or a word about numbers."""

from functools import lru_cache
from typing import NamedTuple

from summarizer.amounts import habits, lexer, lookalikes, tables
from summarizer.amounts.tables import NO_CODES, MinorUnit, Use
from summarizer.amounts.text import MAX_WORD, fold

_REMEMBERED = 4096
_CODE_LENGTH = 3
# Dollars of so many countries share a word in every language; like the sign it is taken for the US dollar.
_MANY = 8
_SHORT = 2
_INFLECTED = 5
_LONGEST_SCALED = 6
_ROLES_OF_NUMBERS = frozenset({"amount", "reference", "quantity"})


class Mark(NamedTuple):
    """A sign, code or unit word of a currency: which it may be, which is taken, and how far it is trusted.

    `assumed` says that `preferred` is a habit, to be flagged. A `weak` mark counts only in a text without other words.
    `power` is a magnitude in the same word, as in `MEUR`; a `qualified` mark counts only beside a qualifier.
    """

    codes: frozenset[str]
    preferred: str = ""
    assumed: bool = False
    weak: bool = False
    unit: bool = False
    power: int = 0
    qualified: bool = False


class Term(NamedTuple):
    """All that one word or sign may mean.

    `before` and `after` are the currencies it qualifies when it stands before or behind a unit word, `uses` the powers
    of ten of a magnitude (the usual one first), `number` a small number in words.
    """

    mark: Mark | None = None
    before: frozenset[str] = NO_CODES
    after: frozenset[str] = NO_CODES
    uses: tuple[Use, ...] = ()
    ambiguous: bool = False
    minor: MinorUnit | None = None
    role: str = ""
    number: int = 0
    names_currency: bool = False
    starts_symbol: bool = False
    ends_symbol: bool = False
    starts_magnitude: bool = False


UNKNOWN = Term()


@lru_cache(_REMEMBERED)
def term(text: str) -> Term:
    """What a token's text may mean; `UNKNOWN` where it is in no table."""
    if len(text) > MAX_WORD:
        return UNKNOWN
    stem = text.rstrip(".") or text
    folded = fold(text)
    stem_folded = folded if stem == text else fold(stem)
    if "'" in stem and not _is_known(stem_folded):
        return term(_longest_part(stem))
    mark = _mark(text, stem, folded, stem_folded)
    before, after = _qualifier(stem_folded), tables.AFTER.get(stem_folded, NO_CODES)
    minor = tables.MINORS.get(folded) or tables.MINORS.get(stem_folded)
    if minor and _is_misspelled(text, folded):
        minor = None
    uses, ambiguous = _magnitude(text, stem, folded, stem_folded)
    return Term(
        mark=mark,
        before=before,
        after=after,
        uses=uses,
        ambiguous=ambiguous,
        minor=minor,
        role=_role(text, folded, stem_folded),
        number=tables.NUMBER_WORDS.get(folded, 0),
        names_currency=bool(mark or before or after),
        starts_symbol=folded in _JOINED_STARTS,
        ends_symbol=folded in _JOINED_ENDS,
        starts_magnitude=text in tables.MAGNITUDE_STARTS,
    )


def _is_known(folded: str) -> bool:
    return any(folded in table for table in (tables.UNITS, tables.RARE_UNITS, tables.SYMBOLS_FOLDED, tables.ROLES))


def _longest_part(word: str) -> str:
    """`euros` of `d'euros`, `sent` of `sent'e`."""
    return max(word.split("'"), key=len)


def _role(text: str, folded: str, stem_folded: str) -> str:
    if stem_folded in tables.LONG_SCALE_BILLIONS:
        return "long_scale"
    return tables.CREDIT_AND_DEBIT.get(text) or tables.ROLES.get(folded) or tables.ROLES.get(stem_folded, "")


def _qualifier(folded: str) -> frozenset[str]:
    """A qualifier, also in a case that no name shows: `kanadischen` is looked up as `kanadische`."""
    found = tables.BEFORE.get(folded)
    return found or (tables.BEFORE.get(folded[:-1], NO_CODES) if len(folded) > _INFLECTED else NO_CODES)


def _mark(text: str, stem: str, folded: str, stem_folded: str) -> Mark | None:
    found = _symbol(text, folded) or _code(text) or _word(text, folded)
    if found is None and stem != text:
        found = _symbol(stem, stem_folded) or _code(stem) or _word(stem, stem_folded)
    return found or _scaled(stem)


def _word(text: str, folded: str) -> Mark | None:
    """A unit word or a symbol in other case, unless it says something else: `Suma`, `år`, `км`."""
    if tables.ROLES.get(folded) in _ROLES_OF_NUMBERS or _is_misspelled(text, folded):
        return None
    found = _unit(folded) or _folded_symbol(text, folded)
    if found and found.weak and is_month(text):
        return None
    if found and is_measure(text) and _is_other_word(text, folded, found):
        return None
    return found


def _is_misspelled(text: str, folded: str) -> bool:
    """Whether the accents say that it is another word: `động` is no đồng."""
    spelling = lookalikes.SPELLINGS.get(folded)
    return spelling is not None and text.lower() not in (spelling, folded)


def _is_other_word(text: str, folded: str, mark: Mark) -> bool:
    """Whether a word that is a unit of measure too is no currency: the accents say so, or it is a rare name of one."""
    if not mark.unit:
        return folded.isascii()
    return text.lower() != folded or (mark.weak and folded not in lookalikes.MEASURES_AND_MONEY)


def _symbol(text: str, folded: str) -> Mark | None:
    habit = tables.HABITS.get(text)
    if habit:
        return _habitual(habit, text, folded)
    codes = tables.SYMBOLS.get(text) or tables.SYMBOLS.get(f"{text}.")
    if not codes:
        return None
    # A symbol that is also a unit word (`ریال`) is the country's own, unless a qualifier says otherwise.
    others = tables.UNITS.get(folded, NO_CODES)
    preferred = min(codes) if len(codes) == 1 and others else ""
    return Mark(
        codes | others, preferred, weak=_is_short(text) or folded in lookalikes.WORDS_LIKE_UNITS, unit=bool(others)
    )


def _habitual(habit: habits.Symbol, text: str, folded: str) -> Mark:
    codes = frozenset(habit.codes.split()) or tables.SYMBOLS.get(text) or tables.UNITS.get(folded, NO_CODES)
    codes |= {habit.preferred} if habit.preferred else NO_CODES
    unit = text.isalpha() and (len(text) > _CODE_LENGTH or folded in tables.UNITS)
    return Mark(
        codes,
        habit.preferred,
        habit.assumed,
        weak=_is_short(text) or folded in lookalikes.WORDS_LIKE_UNITS,
        unit=unit,
        power=habit.power,
    )


def _is_short(text: str) -> bool:
    """Whether the symbol is one or two plain letters, as many words and abbreviations are."""
    return text.isascii() and text.isalpha() and len(text) <= _SHORT and text not in lookalikes.TRUSTED_SHORT_SYMBOLS


def _code(text: str) -> Mark | None:
    """An ISO 4217 code, in capitals, small letters or like a name; withdrawn ones and everyday words are weak."""
    if len(text) != _CODE_LENGTH:
        return None
    code = text.upper()
    if code not in tables.EXPONENTS and code not in tables.WITHDRAWN:
        return None
    if text != code and text[1:] != text[1:].lower():
        return None
    if text != code and (code in tables.WITHDRAWN or is_measure(text)):
        return None
    everyday = code in lookalikes.WORDS_LIKE_CODES and not (text == code and code in lookalikes.CODES_IN_CAPITALS)
    if everyday and text != code:
        return None
    rare = text.islower() and code not in habits.SCALED_CODES
    return Mark(frozenset({code}), weak=everyday or rare or code in tables.WITHDRAWN)


def _unit(folded: str) -> Mark | None:
    habit = tables.HABITS_FOLDED.get(folded)
    if habit and len(folded) > _SHORT:
        return _habitual(habit, folded, folded)
    codes = tables.UNITS.get(folded)
    if codes:
        many = "USD" in codes and len(codes) > _MANY
        preferred = "USD" if many else tables.HOMES.get(folded, "")
        weak, qualified = folded in lookalikes.WORDS_LIKE_UNITS, codes <= lookalikes.UNITS_NEVER_ALONE
        return Mark(codes, preferred, assumed=many, unit=True, weak=weak or qualified, qualified=qualified)
    if folded in tables.UNITS_WITHOUT_CODE:
        return Mark(NO_CODES, unit=True)
    codes = tables.RARE_UNITS.get(folded)
    return Mark(codes, unit=True, weak=True) if codes else None


def _folded_symbol(text: str, folded: str) -> Mark | None:
    """A symbol of letters in other case: trusted only beyond ASCII, where it is no everyday word."""
    codes = tables.SYMBOLS_FOLDED.get(folded)
    if not codes or not (folded.isalpha() or "." in folded) or (len(text) == 1 and text.isascii()):
        return None
    return Mark(codes, weak=text.isascii() or len(text) <= _SHORT or folded in lookalikes.WORDS_LIKE_UNITS)


def _scaled(word: str) -> Mark | None:
    """`MEUR`, `kUSD`, `USDm`: a magnitude and a code in one word; in capitals it may be any word: `MWST`, `MALL`."""
    if not _CODE_LENGTH < len(word) <= _LONGEST_SCALED:
        return None
    before, code = word[:-_CODE_LENGTH], word[-_CODE_LENGTH:]
    power = habits.CODE_PREFIXES.get(before, 0)
    known = habits.SCALED_CODES if word.isupper() else tables.EXPONENTS
    if power and code in known:
        return Mark(frozenset({code}), power=power)
    code, behind = word[:_CODE_LENGTH], word[_CODE_LENGTH:]
    power = habits.CODE_SUFFIXES.get(behind, 0)
    return Mark(frozenset({code}), power=power) if power and code in tables.EXPONENTS else None


def _magnitude(text: str, stem: str, folded: str, stem_folded: str) -> tuple[tuple[Use, ...], bool]:
    """The powers of ten a word stands for, and whether it says something else elsewhere."""
    if stem_folded in tables.LONG_SCALE_BILLIONS:
        return (Use(12, "", NO_CODES),), True
    exact, caseless, typed = tables.MAGNITUDES, tables.MAGNITUDES_FOLDED, tables.MAGNITUDE_HABITS
    known = exact.get(text) or exact.get(stem) or caseless.get(folded) or caseless.get(stem_folded) or ()
    habit = typed.get(text) or typed.get(stem)
    if habit is None and len(stem) > 1 and (len(stem) > _SHORT or text not in exact):
        habit = typed.get(stem_folded)
    if habit is None:
        local = text in lookalikes.LOCAL_MAGNITUDES
        return tuple(use._replace(local=local) for use in known), len(known) > 1
    decimals = "".join(use.decimals for use in known if use.power == habit.power)
    others = tuple(use for use in known if use.power != habit.power)
    return (Use(habit.power, decimals, NO_CODES), *others), habit.ambiguous


def is_measure(text: str) -> bool:
    """Whether the word is a unit of measure, so that the number before it is a quantity."""
    return (
        text in tables.MEASURES
        or f"{text}." in tables.MEASURES
        or (text.isascii() and text[:-1] in tables.MEASURES and text[-1] == ".")
    )


def is_month(text: str) -> bool:
    """Whether the word is the name of a month."""
    return fold(text.rstrip(".")) in tables.MONTHS


def is_abbreviation(text: str) -> bool:
    """Whether the word's own dot belongs to it, as in `Rs.500`; in `EUR.50` it may be a decimal point."""
    return text in tables.HABITS or text in tables.SYMBOLS or text in tables.MAGNITUDES or fold(text) in tables.ROLES


def is_named_magnitude(text: str) -> bool:
    """Whether the magnitude is one that the contract names, and no chance word of two letters."""
    return text in tables.MAGNITUDE_HABITS


def _joined_symbols() -> dict[str, Mark]:
    """The symbols that are cut into several tokens (`US$`, `S/.`, `F CFA`), as written and folded."""
    joined: dict[str, Mark] = {}
    for written in [*tables.SYMBOLS, *tables.HABITS]:
        mark = _symbol(written, fold(written)) if len(lexer.tokens(written)) > 1 else None
        if mark:
            joined[written] = mark
            if len(written.replace(" ", "")) > _SHORT:
                joined.setdefault(fold(written), mark)
    return joined


_JOINED = _joined_symbols()
_JOINED_STARTS = frozenset(fold(lexer.tokens(written)[0].text) for written in _JOINED)
_JOINED_ENDS = frozenset(fold(lexer.tokens(written)[-1].text) for written in _JOINED)


@lru_cache(_REMEMBERED)
def joined_symbol(written: str) -> Mark | None:
    """The mark of several tokens as they stand in the text; `US $` and `us $` are `US$`, but `a $` is not `A$`."""
    if written in _JOINED:
        return _JOINED[written]
    squeezed = written.replace(" ", "")
    if len(squeezed) <= _SHORT:
        return None
    return _JOINED.get(squeezed) or _JOINED.get(fold(squeezed))
