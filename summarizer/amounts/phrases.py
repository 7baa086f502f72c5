"""Reads the currency beside a number: `US$`, `Canadian dollars`, `dólares de Hong Kong`, `EUR`."""

from typing import NamedTuple

from summarizer.amounts.lexer import WORD, Token
from summarizer.amounts.vocabulary import Mark, Term, joined_symbol, term

# No currency's name has more words than this in any language.
_LONGEST_NAME = 6
_LONGEST_SYMBOL = 3
_JOINERS = frozenset("-・")
_LONGEST_PREFIX = 2


class Phrase(NamedTuple):
    """A currency as the text names it: which it may be, and the tokens `first` up to `end` that name it.

    `preferred`, `assumed`, `weak`, `unit` and `power` are those of its mark; `conflict` says that its words name two,
    `doubtful` that it may be no currency, or another one.
    """

    codes: frozenset[str]
    preferred: str
    assumed: bool
    weak: bool
    unit: bool
    power: int
    first: int
    end: int
    conflict: bool = False
    doubtful: bool = False


class _Item(NamedTuple):
    term: Term
    first: int
    end: int


def phrase_after(text: str, tokens: list[Token], start: int) -> Phrase | None:
    """The currency that begins at token `start`, also in brackets."""
    if start >= len(tokens):
        return None
    if tokens[start].text == "(":
        inside = (
            phrase_after(text, tokens, start + 1) if start + 1 < len(tokens) and tokens[start + 1].text != "(" else None
        )
        closed = inside and inside.end < len(tokens) and tokens[inside.end].text == ")"
        return inside._replace(first=start, end=inside.end + 1) if inside and closed else None
    prefixed = tokens[start].kind == WORD and _is_prefix(tokens, start)
    items = _items_after(text, tokens, start + 2 if prefixed else start)
    phrase = _resolve(items, at_end=False) if items else None
    if phrase and prefixed and tokens[start].text.isupper():
        # `C-Dollar` names a country, but it is not known which.
        return phrase._replace(preferred="")
    return phrase


def _is_prefix(tokens: list[Token], start: int) -> bool:
    """Some languages put a short word before a foreign one: `i-Euro`, `l-ewro`."""
    if len(tokens[start].text) > _LONGEST_PREFIX or start + 2 >= len(tokens) or term(tokens[start].text).before:
        return False
    dash = tokens[start + 1]
    return dash.text == "-" and tokens[start].end == dash.start and dash.end == tokens[start + 2].start


def phrase_pair(text: str, tokens: list[Token], slash: int) -> bool:
    """Whether two currencies stand around a slash, as in a rate of exchange: `EUR/USD`."""
    if not 0 < slash < len(tokens) or tokens[slash].text != "/":
        return False
    left, right = phrase_before(text, tokens, slash - 1), phrase_after(text, tokens, slash + 1)
    return left is not None and right is not None and not left.weak and not right.weak


def phrase_before(text: str, tokens: list[Token], last: int) -> Phrase | None:
    """The currency that ends with token `last`, also in brackets."""
    if last < 0:
        return None
    if tokens[last].text == ")":
        inside = phrase_before(text, tokens, last - 1) if last and tokens[last - 1].text != ")" else None
        opened = inside and inside.first > 0 and tokens[inside.first - 1].text == "("
        return inside._replace(first=inside.first - 1, end=last + 1) if inside and opened else None
    items = _items_before(text, tokens, last)
    return _resolve(items[::-1], at_end=True) if items else None


def _items_after(text: str, tokens: list[Token], start: int) -> list[_Item]:
    items: list[_Item] = []
    place, stop = start, min(start + _LONGEST_NAME, len(tokens))
    while place < stop:
        word = term(tokens[place].text)
        item = _joined(text, tokens, place) if word.starts_symbol else None
        if (
            item is None
            and not word.names_currency
            and place + 1 < stop
            and _joins(tokens[place], items, tokens[place + 1])
        ):
            place += 1
            word = term(tokens[place].text)
        if item is None:
            if not word.names_currency:
                break
            item = _Item(word, place, place + 1)
        items.append(item)
        place = item.end
    return items


def _joined(text: str, tokens: list[Token], first: int) -> _Item | None:
    """The longest symbol of several tokens that begins at `first`."""
    for end in range(min(first + _LONGEST_SYMBOL, len(tokens)), first + 1, -1):
        mark = joined_symbol(text[tokens[first].start : tokens[end - 1].end])
        if mark:
            return _Item(Term(mark, names_currency=True), first, end)
    return None


def _items_before(text: str, tokens: list[Token], last: int) -> list[_Item]:
    items: list[_Item] = []
    place, stop = last, max(last - _LONGEST_NAME, -1)
    while place > stop:
        word = term(tokens[place].text)
        item = _joined_before(text, tokens, place) if word.ends_symbol else None
        if (
            item is None
            and not word.names_currency
            and place - 1 > stop
            and _joins(tokens[place], items, tokens[place - 1])
        ):
            place -= 1
            word = term(tokens[place].text)
        if item is None:
            if not word.names_currency:
                break
            item = _Item(word, place, place + 1)
        items.append(item)
        place = item.first - 1
    return items


def _joined_before(text: str, tokens: list[Token], last: int) -> _Item | None:
    """The longest symbol of several tokens that ends with `last`."""
    for first in range(max(last + 1 - _LONGEST_SYMBOL, 0), last):
        mark = joined_symbol(text[tokens[first].start : tokens[last].end])
        if mark:
            return _Item(Term(mark, names_currency=True), first, last + 1)
    return None


def _joins(token: Token, items: list[_Item], following: Token) -> bool:
    """Whether the word joins the parts of one name: `dollar de Hong Kong`, `Trinidad and Tobago dollar`."""
    if not items or token.text in _JOINERS:
        return bool(items)
    role, mark = term(token.text).role, term(following.text).mark
    return role == "of" or (role == "and" and (items[-1].term.mark is None or mark is None or mark.weak))


def _resolve(items: list[_Item], *, at_end: bool) -> Phrase | None:
    """The currency that the words fit, if the phrase touches the number: begins, or `at_end` ends, with these items."""
    head = _head(items)
    mark = items[head].term.mark
    if mark is None:
        return None
    codes, first, doubtful = _narrowed_before(items, head, mark.codes, unit=mark.unit)
    begin, end = items[first].first, items[head].end
    phrase = Phrase(
        codes, mark.preferred, mark.assumed, mark.weak, mark.unit, mark.power, begin, end, doubtful=doubtful
    )
    last = head
    if head + 1 < len(items):
        phrase, last = _extended(items, head, phrase)
    if mark.qualified and first == last:
        return None
    touches = last == len(items) - 1 if at_end else first == 0
    return phrase if touches else None


def _head(items: list[_Item]) -> int:
    """The unit, sign or code that the other words qualify: the first that is trusted, else the first there is."""
    weak = 0
    for place, item in enumerate(items):
        mark = item.term.mark
        if mark and not mark.weak and not _qualifies(item.term, items[place + 1 :]):
            return place
        if mark and items[weak].term.mark is None:
            weak = place
    return weak


def _qualifies(word: Term, behind: list[_Item]) -> bool:
    """Whether a unit word qualifies another one here: Turkish `yeni` is the yen, but `new` in `yeni Zelanda doları`."""
    return any(item.term.mark and word.before & item.term.mark.codes for item in behind)


def _narrowed_before(
    items: list[_Item], head: int, codes: frozenset[str], *, unit: bool
) -> tuple[frozenset[str], int, bool]:
    """The currencies that the words before the unit leave, the first of them, and whether one rules all out."""
    first, doubtful = head, False
    while first > 0:
        qualifier = items[first - 1].term.before
        if not qualifier:
            break
        if not codes & qualifier and _names_one_country(qualifier, items[first - 1].term):
            codes, doubtful = codes | qualifier, unit
        codes, first = codes & qualifier or codes, first - 1
    return codes, first, doubtful


def _names_one_country(codes: frozenset[str], word: Term) -> bool:
    return len(codes) == 1 and not word.role and not word.uses


def _extended(items: list[_Item], head: int, phrase: Phrase) -> tuple[Phrase, int]:
    """The phrase with the qualifiers and further marks behind its head."""
    last = head
    for place in range(head + 1, len(items)):
        mark, narrower = items[place].term.mark, phrase.codes & items[place].term.after
        if narrower:
            phrase = phrase._replace(codes=narrower, weak=phrase.weak and narrower == phrase.codes)
        elif mark and (not mark.weak or phrase.codes & mark.codes):
            phrase = _with_mark(phrase, mark)
        else:
            if phrase.unit and _names_one_country(items[place].term.after, items[place].term):
                phrase = phrase._replace(doubtful=True)
            break
        last = place
        phrase = phrase._replace(end=items[place].end)
    return phrase, last


def _with_mark(phrase: Phrase, mark: Mark) -> Phrase:
    codes = phrase.codes & mark.codes
    return phrase._replace(codes=codes or phrase.codes, conflict=phrase.conflict or not codes)


def combined(first: Phrase | None, second: Phrase | None) -> Phrase | None:
    """The currency that a mark before and a mark behind a number name together."""
    if first is None or second is None:
        return first or second
    codes = first.codes & second.codes
    if not codes and first.weak != second.weak:
        return second if first.weak else first
    if not codes and first.unit and len(first.codes) > 1 and not first.preferred and not second.unit:
        # A sign or code settles it beside a word that is a name too: `Hotel Krone 500 EUR`.
        return second
    narrower = first if len(first.codes) <= len(second.codes) else second
    return narrower._replace(
        codes=codes or narrower.codes,
        conflict=first.conflict or second.conflict or not (codes or not first.codes or not second.codes),
        weak=first.weak and second.weak,
        power=first.power + second.power,
    )
