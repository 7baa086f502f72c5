"""Which places a message names: told by where a name stands, for nobody can list them.

A name is what has capitals. After `in`, `à` or `für` it is a place; elsewhere it is one where no other name stands
after such a word; and a word that begins a sentence has its capital from there, so it is one only where no verb
follows: `Oslo tomorrow`. What follows a comma is where the place lies, unless more of them are listed.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from babel import Locale

from backoffice.llm.scripted.roles.weather_words import AFTER_A_PLACE, NO_PLACES, TOPIC, words

_LETTER = r"[^\W\d_]"
_TOKEN = re.compile(
    rf"(?:{_LETTER}\.){{2,}}|(?:St|Ste|Mt|Ft)\.(?= {_LETTER})|{_LETTER}+(?:[-'’]{_LETTER}+)*|\d+|\n|[^\w\s]"
)
_PREPOSITIONS = words(
    "in for at near around to from of à a au aux en dans pour para por em no na di da per von nach für bei auf på för "
    "till i w we v ve voor te в во на"
)
_ARTICLES = words("the la le les el los las il den der dem det")
_BEFORE_A_TIME = words("am im on this next last every diese diesen nächste nächsten zum")
_INSIDE_A_NAME = words("am an der upon de do da del di la le les sur of")
_AND = words("and or und oder et ou y o e och i & / vs versus")
_SENTENCE_ENDS = frozenset(".!?:;…¿¡\n")
_GERMAN = re.compile(r"\b(?:ist|wird|das|ich|es|heute|morgen|einen?)\b")
"""A language that gives every noun a capital: there, a name without a preposition follows one of these."""
_GERMAN_SUBJECT = words("ist wird und oder als")
_CONTRACTED = re.compile(r"['’](?:s|m|re|ll|ve|d|t)$", re.IGNORECASE)
_ELIDED = re.compile(r"(?:[CDJLMNST]|Qu)['’](?=[^\W\d_A-Z])")
"""`C'est`, `Qu'il`: a small word and the next, neither of them a name."""
_ELIDED_BEFORE_NAME = re.compile(r"[dl]['’](?=[^\W\d_])")
_IN_SMALL_LETTERS = re.compile(
    rf"\b(?:(?:in|near|à|en|em|på|w)|(?:weather|forecast|temperature)\s+(?:for|at))\s+({_LETTER}{{3,}})"
)
_BEFORE_TOPIC = re.compile(
    "(?!今天|明天|今日|明日|오늘|내일)([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2,}?)"
    "(?:の|的|의)?\\s?(?:今天|明天|今日|明日|오늘|내일)?(?:の|的)?\\s?(?:天气|天氣|天気|날씨)"
)
"""For scripts that have no capitals."""


@dataclass(frozen=True, slots=True)
class _Name:
    first: int
    """The position of its first token, as `last` is of its last."""
    last: int
    text: str
    is_after_preposition: bool


def places_in(message: str) -> list[str]:
    """Each once, in the order of the message."""
    message = unicodedata.normalize("NFC", message)
    names = _Message(message).names()
    chosen = [name for group in names for name in _places(group)]
    if not chosen:
        chosen = [match[1] for match in _BEFORE_TOPIC.finditer(message)]
    if not chosen:
        chosen = [match[1].title() for match in _IN_SMALL_LETTERS.finditer(message) if match[1] not in NO_PLACES]
    return list(dict.fromkeys(chosen))


class _Message:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = [*_TOKEN.finditer(text)]
        self._words = [token[0].lower() for token in self._tokens]
        self._is_german = _GERMAN.search(text) is not None

    def names(self) -> list[list[tuple[str, _Name]]]:
        """Names in groups, each with what stands before it in its group: nothing, a comma or `and`."""
        groups: list[list[tuple[str, _Name]]] = []
        for name in self._runs():
            joint = self._joint(groups[-1][-1][1].last, name.first) if groups else ""
            if joint:
                groups[-1].append((joint, name))
            else:
                groups.append([("", name)])
        certain = [group for group in groups if group[0][1].is_after_preposition]
        return certain or [group for group in groups if self._may_be_place(group)]

    def _runs(self) -> Iterator[_Name]:
        position = 0
        while position < len(self._tokens):
            if not self._is_name(position):
                position += 1
                continue
            last = self._last_of_name(position)
            yield self._name(position, last)
            position = last + 1

    def _is_name(self, position: int) -> bool:
        word = self._tokens[position][0]
        bare = _ELIDED_BEFORE_NAME.sub("", word)
        if len(bare) < 2 or not bare[0].isupper() or _ELIDED.match(word):
            return False
        base = _CONTRACTED.sub("", bare)
        return base.lower() not in NO_PLACES and TOPIC.fullmatch(base) is None

    def _last_of_name(self, position: int) -> int:
        last = position
        while True:
            following = last + 1
            while following - last <= 2 and self._word(following) in _INSIDE_A_NAME:
                following += 1
            if not (following < len(self._tokens) and self._is_spaced(last, following) and self._is_name(following)):
                return last
            last = following

    def _is_spaced(self, first: int, last: int) -> bool:
        """Whether nothing but single spaces is between these tokens and those between them."""
        gaps = zip(self._tokens[first:last], self._tokens[first + 1 : last + 1], strict=True)
        return all(self._text[one.end() : other.start()] == " " for one, other in gaps)

    def _name(self, first: int, last: int) -> _Name:
        text = self._text[self._tokens[first].start() : self._tokens[last].end()]
        bare = _ELIDED_BEFORE_NAME.sub("", text, count=1) if text[0].islower() else text
        before = first - 1 if self._word(first - 1) not in _ARTICLES else first - 2
        is_certain = bare != text or self._word(before) in _PREPOSITIONS
        return _Name(first, last, _CONTRACTED.sub("", bare), is_certain)

    def _word(self, position: int) -> str:
        """In small letters; "" where the message has begun or ended."""
        return self._words[position] if 0 <= position < len(self._words) else ""

    def _joint(self, last: int, first: int) -> str:
        between = self._words[last + 1 : first]
        if between == [","]:
            return ","
        is_and = between and between[-1] in _AND and between[:-1] in ([], [","])
        return "and" if is_and else ""

    def _may_be_place(self, group: Sequence[tuple[str, _Name]]) -> bool:
        before, after = self._word(group[0][1].first - 1), self._word(group[-1][1].last + 1)
        if not before or before in _SENTENCE_ENDS:
            return not after or not after.isalpha() or AFTER_A_PLACE.fullmatch(after) is not None
        if self._is_german and before.isalpha():
            return before in _GERMAN_SUBJECT
        return before not in _BEFORE_A_TIME


def _places(group: Sequence[tuple[str, _Name]]) -> Iterator[str]:
    """`Springfield, Illinois and Paris, Texas` are two places; `Lisbon, Oslo and Rome` are three."""
    parts: list[list[str]] = []
    for joint, name in group:
        if joint == ",":
            parts[-1].append(name.text)
        else:
            parts.append([name.text])
    for part in parts:
        is_pair = len(part) == 2 and (len(parts) == 1 or len(parts[-1]) == 2)
        if is_pair or (len(part) > 1 and _is_country(part[-1])):
            yield ", ".join(part)
        else:
            yield from part


def _is_country(name: str) -> bool:
    return name.lower() in _countries()


@cache
def _countries() -> frozenset[str]:
    territories = Locale("en").territories
    return frozenset(name.lower() for code, name in territories.items() if code.isalpha()) | {"us", "usa", "uk"}
