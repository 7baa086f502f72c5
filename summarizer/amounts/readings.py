"""Reads everything that belongs to one number of a text: sign, currency, magnitude, and what makes it no amount."""

import re
from dataclasses import dataclass

from summarizer.amounts.dates import date_places, is_preposition
from summarizer.amounts.figures import DOUBT, MALFORMED, Figure, figure
from summarizer.amounts.habits import LONG_SCALE_LANGUAGES
from summarizer.amounts.lexer import BARE_DECIMAL, NUMBER, SIGN, WORD, Token
from summarizer.amounts.phrases import Phrase, combined, phrase_after, phrase_before, phrase_pair
from summarizer.amounts.roles import ends_like_number
from summarizer.amounts.tables import MinorUnit, Use
from summarizer.amounts.unspaced import is_unspaced
from summarizer.amounts.vocabulary import Term, is_measure, is_named_magnitude, term

_YEAR = r"(?:19|20)\d\d"
_DATE = re.compile(
    rf"\d{{1,2}}(?:\.\d{{1,2}}\.|/\d{{1,2}}/|-\d{{1,2}}-)(?:{_YEAR}|\d\d)"
    rf"|{_YEAR}(?:\.\d{{1,2}}\.|/\d{{1,2}}/|-\d{{1,2}}-)\d{{1,2}}"
)
_SEVERAL_NUMBERS = re.compile(r"\d[-:/eE+]+\d")
_MINUS, _SIGNS = "-", frozenset("-+")
_OPENING = frozenset("(=:[|\"'*,;~/")
_ROLES_BEFORE = frozenset({"reference", "amount", "between", "credit", "debit"})
_BETWEEN_NUMBERS = frozenset({"and", "or", "range", "times"})
_PERCENT_BEFORE = frozenset("%‰")
_RATES = frozenset({"percent", "fraction"})
_ROLES_BEHIND = _RATES | {"credit", "debit", "crore_or_credit"}
# A single letter is trusted as a magnitude without any currency only where nothing else is written so.
_LETTERS_WITHOUT_CURRENCY = frozenset("kKMB")
_LONGEST_LETTERS = 3
_LONGEST_PREFIX = 4


@dataclass(slots=True)
class Reading:
    """One number of the text; `first` up to `end` are the tokens that belong to it.

    `role` says what else it is (`date`, `reference`, `percent`, …), `problem` is the error code of an amount that
    cannot be trusted, `glued` whether it touches letters that are no currency, `compound` whether its figure has the
    minor units of a second number in it.
    """

    place: int
    first: int
    end: int
    figure: Figure
    before: Phrase | None = None
    after: Phrase | None = None
    magnitudes: tuple[tuple[Use, ...], ...] = ()
    ambiguous_magnitude: bool = False
    minor: MinorUnit | None = None
    negative: bool = False
    bracket: int = -1
    role: str = ""
    problem: str = ""
    glued: bool = False
    compound: bool = False

    @property
    def mark(self) -> Phrase | None:
        """The currency that stands before and behind the number."""
        return combined(self.before, self.after)


class Reader:
    """Reads the numbers of one prepared text from left to right."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.count = len(tokens)
        self.floor = 0
        self.content = sum(token.kind != SIGN for token in tokens)
        self.dated = date_places(text, tokens)

    def readings(self) -> list[Reading]:
        """The numbers in the order of the text. What stands between two of them may be read for both."""
        found: list[Reading] = []
        for place, token in enumerate(self.tokens):
            if token.kind in (NUMBER, BARE_DECIMAL):
                found.append(self._reading(place, token.text))
                self.floor = place + 1
        return found

    def _reading(self, place: int, text: str) -> Reading:
        role = self._role_of_figures(place, text)
        if role:
            return Reading(place, place, place + 1, MALFORMED, role=role)
        read = MALFORMED if text[0] == DOUBT else figure(text)
        found = Reading(place, place, place + 1, read, problem=_problem_of_figures(text, read))
        if place > self.floor:
            self._read_before(found)
        if place + 1 < self.count:
            self._read_after(found)
        if read.sign and found.before is None and found.after is None:
            found.before = phrase_before(read.sign, [Token(SIGN, read.sign, 0, 1)], 0)
        return found

    def _role_of_figures(self, place: int, text: str) -> str:
        """What the number is by its own digits and the words at its side: a part of a date, a rate, several numbers."""
        if place in self.dated and not self._has_currency_before(place):
            return "date"
        previous = self.tokens[place - 1].text if place > self.floor else ""
        if previous in _PERCENT_BEFORE and not (place > 1 and self.tokens[place - 2].kind == NUMBER):
            return "percent"
        return "" if text.isdecimal() or text[0] == DOUBT else _compound_role(text)

    def _has_currency_before(self, place: int) -> bool:
        """Whether a currency announces the day of a date as an amount: `EUR 12 May`, but not `5 EUR 12 May`."""
        if place == self.floor or is_preposition(self.tokens[place - 1]):
            return False
        phrase = phrase_before(self.text, self.tokens, place - 1)
        return phrase is not None and not phrase.weak and (phrase.first > self.floor or not self.floor)

    # Before the number: a bracket, a sign, a currency, a sign; or a word that says what the number is.

    def _read_before(self, found: Reading) -> None:
        place = self._read_sign(found, found.place - 1)
        if place >= self.floor:
            place = self._read_currency_before(found, place)
        if place >= self.floor and self.tokens[place].text == "(":
            found.bracket = place
            place -= 1
            if found.before is None and place >= self.floor:
                place = self._read_currency_before(found, place)
        if place >= self.floor:
            self._read_role_before(found, place)

    def _read_sign(self, found: Reading, place: int) -> int:
        """Takes a sign that stands before the reading; the token at which to read on, below the floor at a dash."""
        sign = self.tokens[place]
        if sign.text not in _SIGNS:
            return place
        verdict = self._sign_verdict(place, self.tokens[found.first].start)
        if verdict == "sign":
            found.negative ^= sign.text == _MINUS
            found.first = place
            return place - 1
        if verdict == "doubt":
            found.problem = found.problem or "ambiguous_sign"
            found.glued = True
        return -1

    def _sign_verdict(self, place: int, right: int) -> str:
        """Whether `-` is a sign, a dash between two things, or in doubt because it is glued to a word and a number."""
        sign = self.tokens[place]
        touches = sign.end == right
        if place == 0:
            return "sign"
        previous = self.tokens[place - 1]
        if place == self.floor or previous.kind == NUMBER:
            return "dash"
        if self.floor and not touches:
            return "dash"
        if previous.text in _OPENING or phrase_before(self.text, self.tokens, place - 1):
            return "sign"
        if previous.kind == WORD and previous.end == sign.start and touches:
            return "doubt"
        return "sign" if touches else "dash"

    def _read_currency_before(self, found: Reading, place: int) -> int:
        start = place - 1 if self.tokens[place].text in (":", "=") and place > self.floor else place
        phrase = phrase_before(self.text, self.tokens, start) or self._read_magnitude_before(found, start)
        if phrase is None or phrase.first < self.floor or start in self.dated:
            return place
        phrase = self._with_unknown_prefix(phrase)
        if phrase_pair(self.text, self.tokens, phrase.first - 1):
            phrase = phrase._replace(conflict=True)
        found.before, found.first = phrase, phrase.first
        return self._read_sign(found, phrase.first - 1) if phrase.first > self.floor else -1

    def _read_magnitude_before(self, found: Reading, place: int) -> Phrase | None:
        """`€ elfu 3`, `KES M7.5`: some languages put the magnitude first."""
        word = term(self.tokens[place].text)
        phrase = phrase_before(self.text, self.tokens, place - 1) if word.uses and place > self.floor else None
        if phrase:
            _add_magnitude(found, word)
        return phrase

    def _with_unknown_prefix(self, phrase: Phrase) -> Phrase:
        """`Z$` is a dollar, but whose is not known; the letters are taken up so that a sign before them is seen."""
        prefix = self.tokens[phrase.first - 1] if phrase.first > self.floor else None
        if prefix is None or prefix.kind != WORD or prefix.end != self.tokens[phrase.first].start:
            return phrase
        if len(prefix.text) > _LONGEST_PREFIX or is_unspaced(prefix.text):
            return phrase
        return phrase._replace(first=phrase.first - 1, preferred="")

    def _read_role_before(self, found: Reading, place: int) -> None:
        token = self.tokens[place]
        if found.before is None and token.kind == WORD and token.end == self.tokens[found.first].start:
            found.glued = found.glued or not is_unspaced(token.text)
        if token.text in (":", ".", _MINUS) and place > self.floor:
            token = self.tokens[place - 1]
        role = "reference" if token.text == "°" or ends_like_number(token.text) else term(token.text).role
        if role in _ROLES_BEFORE:
            found.role = role

    # Behind the number: magnitudes, currency, magnitudes again, a minor unit, a sign, a word that says what it is.

    def _read_after(self, found: Reading) -> None:
        self._read_sign_behind(found)
        found.end = self._read_magnitudes(found, found.end)
        self._read_currency_after(found)
        if found.after and found.end < self.count:
            found.end = self._read_magnitudes(found, found.end)
        elif found.end < self.count:
            self._read_minor(found)
        if found.end < self.count and found.end > found.place + 1:
            self._read_sign_behind(found)
        if found.end < self.count and found.bracket >= 0:
            self._read_closing_bracket(found)
        if found.end < self.count:
            self._read_role_behind(found)

    def _read_magnitudes(self, found: Reading, place: int) -> int:
        while place < self.count:
            word, end = term(self.tokens[place].text), place + 1
            if word.starts_magnitude and end < self.count:
                both = term(self.text[self.tokens[place].start : self.tokens[end].end])
                word, end = (both, end + 1) if both.uses else (word, end)
            between = word.role in _BETWEEN_NUMBERS and end < self.count and self.tokens[end].kind == NUMBER
            if not word.uses or between or not self._is_magnitude(found, word, place, end):
                break
            _add_magnitude(found, word)
            if word.role == "billion" and self._is_long_scale(found, place):
                found.problem = found.problem or "ambiguous_magnitude"
            place = end
        return place

    def _is_long_scale(self, found: Reading, place: int) -> bool:
        """Whether a `billion` is in a text of a language in which it is a million millions."""
        following = self.tokens[place + 1] if place + 1 < self.count else None
        if following and (term(following.text).role == "of" or following.text[:2] == "d'"):
            return True
        german = self.tokens[place].text == "Billion" and following is not None and following.text.istitle()
        words = {token.text.lower() for token in self.tokens if token.kind == WORD}
        return german or found.figure.decimal == "," or not words.isdisjoint(LONG_SCALE_LANGUAGES)

    def _is_magnitude(self, found: Reading, word: Term, place: int, end: int) -> bool:
        """A letter may be a magnitude, a currency or a unit of measure: beside a currency it is a magnitude."""
        token = self.tokens[place]
        touches = token.start == self.tokens[place - 1].end
        if (word.mark and not word.mark.weak) or word.role in ("credit", "crore_or_credit"):
            return False
        letters = token.text.rstrip(".")
        if word.starts_symbol and self._is_symbol(place):
            if touches and is_named_magnitude(letters) and phrase_after(self.text, self.tokens, end):
                found.problem = found.problem or "ambiguous_magnitude"
            return False
        if touches and self.tokens[place - 1].kind == WORD and not is_unspaced(letters):
            return False
        if len(letters) > _LONGEST_LETTERS or (len(letters) == 1 and is_unspaced(letters)):
            return True
        currency = found.before or found.after or phrase_after(self.text, self.tokens, end)
        if not is_named_magnitude(letters) and (found.magnitudes or not (touches or self._closes(end, letters))):
            return False
        if currency and word.mark and word.mark.unit and currency.codes & word.mark.codes:
            return False
        if currency or not (word.mark or word.minor or _is_letter(letters) or is_measure(letters)):
            return True
        return letters in _LETTERS_WITHOUT_CURRENCY and (touches or (letters == "M" and self.content == 2))

    def _is_symbol(self, place: int) -> bool:
        """Whether the letters and the sign glued to them are a symbol: `1 J$`, but not `1 M€`."""
        phrase = phrase_after(self.text, self.tokens, place)
        return phrase is not None and phrase.end > place + 1 and self.tokens[place + 1].start == self.tokens[place].end

    def _closes(self, place: int, letters: str) -> bool:
        """Whether no word follows but a currency's code or symbol: in running text two letters are a word by chance."""
        if place + 1 < self.count and self.tokens[place].text == "-" and self.tokens[place + 1].kind == WORD:
            return self.tokens[place].start != self.tokens[place - 1].end
        if place >= self.count or self.tokens[place].kind != WORD:
            return True
        phrase = phrase_after(self.text, self.tokens, place)
        return phrase is not None and (len(letters) == _LONGEST_LETTERS or not phrase.unit)

    def _read_currency_after(self, found: Reading) -> None:
        place = found.end
        if place >= self.count or (place + 1 in self.dated and is_preposition(self.tokens[place])):
            return
        phrase = phrase_after(self.text, self.tokens, place)
        if phrase and phrase.weak and self.floor and term(self.tokens[place].text).minor:
            return
        if phrase is None and place + 1 < self.count and self._joins(found, place):
            phrase = phrase_after(self.text, self.tokens, place + 1)
        if phrase and not (found.before and phrase.weak):
            conflict = phrase.conflict or phrase_pair(self.text, self.tokens, phrase.end)
            found.after, found.end = phrase._replace(conflict=conflict), phrase.end

    def _joins(self, found: Reading, place: int) -> bool:
        """`2 Mio. de euros`, and the comma of `86, lei` where no number follows that the currency could belong to."""
        token = self.tokens[place]
        if token.text in (",", ".") and found.before is None and token.start == self.tokens[place - 1].end:
            return place + 2 >= self.count or self.tokens[place + 2].kind not in (NUMBER, BARE_DECIMAL)
        return term(token.text).role == "of"

    def _read_minor(self, found: Reading) -> None:
        place = found.end
        word = term(self.tokens[place].text)
        if word.role == "of" and place + 1 < self.count:
            place += 1
            word = term(self.tokens[place].text)
        if word.minor and not found.magnitudes:
            found.minor, found.end = word.minor, place + 1

    def _read_sign_behind(self, found: Reading) -> None:
        """`5.95-` is negative, `50-Euro-Schein` is not, and `50-EUR` may be either."""
        token = self.tokens[found.end]
        if token.text not in _SIGNS or token.start != self.tokens[found.end - 1].end:
            return
        if not self._goes_on(found.end):
            found.negative ^= token.text == _MINUS
            found.end += 1
        elif found.end == found.place + 1:
            self._read_hyphen(found)

    def _read_hyphen(self, found: Reading) -> None:
        phrase = phrase_after(self.text, self.tokens, found.end + 1)
        if phrase is None or not phrase.unit:
            found.problem = found.problem or "ambiguous_sign"
            found.glued = phrase is None
        if phrase:
            found.end += 1

    def _read_closing_bracket(self, found: Reading) -> None:
        """Brackets are a minus where they enclose the whole text, and in doubt within other words."""
        if self.tokens[found.end].text == ")":
            found.end, found.first = found.end + 1, min(found.first, found.bracket)
            if found.negative or (found.bracket > 0 and self.tokens[found.bracket - 1].text in _SIGNS):
                found.problem = found.problem or "ambiguous_sign"
            found.negative = True
            if self.content > sum(token.kind != SIGN for token in self.tokens[found.first : found.end]):
                found.problem = found.problem or "ambiguous_sign"

    def _goes_on(self, place: int) -> bool:
        following = self.tokens[place + 1] if place + 1 < self.count else None
        return following is not None and following.start == self.tokens[place].end and following.kind != SIGN

    def _read_role_behind(self, found: Reading) -> None:
        token = self.tokens[found.end]
        role = term(token.text).role
        if role in _ROLES_BEHIND:
            found.role = role if role in _RATES else found.role or role
            found.end += 1
        elif token.kind == WORD and found.end == found.place + 1 and token.start == self.tokens[found.place].end:
            _read_unknown_unit(found, token)


def _problem_of_figures(text: str, read: Figure) -> str:
    if text[0] == DOUBT:
        return "multiple_amounts" if " " in text else "ambiguous_separator"
    return read.problem or ("malformed_number" if _is_padded(text) else "")


def _is_padded(text: str) -> bool:
    """Whether a whole number begins with zeros, as parts of references do and amounts don't."""
    return text[0] == "0" and len(text) > 1 and text.isdecimal()


def _is_letter(text: str) -> bool:
    return len(text) == 1 and text.isascii()


def _add_magnitude(found: Reading, word: Term) -> None:
    found.magnitudes += (word.uses,)
    found.ambiguous_magnitude |= word.ambiguous
    if word.role == "long_scale":
        found.problem = found.problem or "ambiguous_magnitude"


def _read_unknown_unit(found: Reading, token: Token) -> None:
    """Letters that touch the number and mean nothing known may be a magnitude: `€2.50x`."""
    if found.before is None:
        found.glued = found.glued or not is_unspaced(token.text)
    elif len(token.text) <= _LONGEST_LETTERS:
        found.problem = found.problem or "ambiguous_magnitude"


def _compound_role(text: str) -> str:
    """What several numbers in one token are: a date, a time, a range, a fraction, a reference; empty for one number."""
    if _DATE.fullmatch(text):
        return "date"
    if not _SEVERAL_NUMBERS.search(text):
        return ""
    if "e" in text or "E" in text:
        return "scientific"
    if ":" in text:
        return "time"
    parts = re.split("[-/]", text)
    if len(parts) != 2 or parts[0][0] == "0" or any(figure(part).problem for part in parts):
        return "reference"
    return "range" if "-" in text else "fraction"
