"""Rules that no schema can express: whether the citations of an answer are true, and every number in it is theirs."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from backoffice.evidencedesk.corpus import NO_DOCUMENT, Document
from backoffice.evidencedesk.retrieval import words
from backoffice.evidencedesk.sentences import readable, sentences
from backoffice.llm.numerals import numbers_in
from backoffice.llm.results import Problem

_BRACKETS = re.compile(r"\[([^\[\]]{1,300})\]|\(([^()\[\]]{1,300})\)|【([^【】]{1,300})】")
_PARTS = re.compile(r"[,;\s]+")
_FILLERS = str.maketrans("", "", "\u115f\u1160\u3164\uffa0")
"""Letters without a shape."""
_ID_WORD = re.compile(r"id:|,|;", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Citation:
    id: str
    title: str
    passage: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an answer may rest on: the documents that were shown to the model, among all there are."""

    shown: Sequence[Document]
    corpus: Mapping[str, Document]

    def cited(self, cited_ids: Sequence[str]) -> list[Document]:
        """The shown documents among the cited ones, each once, in the order of the citations."""
        by_id = {document.id: document for document in self.shown}
        return [by_id[id_] for id_ in dict.fromkeys(cited_ids) if id_ in by_id]

    def problems(self, answer: str, cited_ids: Sequence[str]) -> tuple[Problem, ...]:
        """Empty where the answer says something, every cited id exists, is current and was shown, and every number
        stands in the cited text."""
        found = [
            Problem(("cited_ids", place), problem)
            for place, id_ in enumerate(cited_ids)
            if (problem := self._problem_of(id_))
        ]
        found += [
            Problem(("answer",), f"{' '.join(number.split())} does not stand in the cited text")
            for number in self._loose(answer, cited_ids)
        ]
        if not any(map(str.isalnum, answer.translate(_FILLERS))):
            found.append(Problem(("answer",), "it says nothing"))
        return tuple(found)

    def _problem_of(self, id_: str) -> str | None:
        document = self.corpus.get(id_)
        if document is None:
            return "there is no document with this id"
        if not document.citable:
            return f"the document is {document.status}"
        return None if document in self.shown else "the document was not shown to the model"

    def _loose(self, answer: str, cited_ids: Sequence[str]) -> Iterator[str]:
        """The numbers, as written, that the cited text does not hold. An id that cites is a name, whatever digits it
        has; in the sentence it says something: `payable net-30`.

        One client shows the answer as it is, another as Markdown: what either reader sees must be backed.
        """
        answer = _without_citations(answer, cited_ids)
        backed = numbers_in("\n\n".join(readable(f"{d.title}\n\n{d.text}") for d in self.cited(cited_ids)))
        said = {**numbers_in(readable(answer)), **numbers_in(answer)}
        return (written for value, written in said.items() if value not in backed)

    def citations(self, answer: str, cited_ids: Sequence[str]) -> tuple[Citation, ...]:
        return tuple(Citation(d.id, d.title, passage(d, answer)) for d in self.cited(cited_ids))


def passage(document: Document, answer: str) -> str:
    """The sentence of the document that backs the answer: it shares most of its numbers, then most of its words."""
    numbers, said = numbers_in(readable(answer)).keys(), set(words(answer))

    def backing(sentence: str) -> tuple[int, float]:
        own = set(words(sentence))
        return len(numbers & numbers_in(sentence).keys()), 2 * len(own & said) / ((len(own) + len(said)) or 1)

    return max(sentences(document.text), key=backing, default=document.title)


@dataclass(frozen=True, slots=True)
class Prose:
    """An answer in prose, and what it cites in brackets."""

    text: str
    """Without the brackets that cite."""
    cited_ids: tuple[str, ...]
    abstains: bool
    """It says itself that no document answers."""


def read_prose(text: str, corpus: Mapping[str, Document]) -> Prose:
    """Ids are read in any kind of brackets; in square ones, which are kept for ids, an unknown word cites too."""
    cited: list[str] = []

    def taken(match: re.Match[str]) -> str:
        square = match[1] or match[3]
        parts = _bracketed(match)
        ids = [part for part in parts if square or part in corpus]
        if len(ids) < len(parts) or not ids:
            return match[0]
        cited.extend(ids)
        return " "

    left = _BRACKETS.sub(taken, text)
    ids = tuple(dict.fromkeys(id_ for id_ in cited if id_ != NO_DOCUMENT))
    return Prose(left, ids, abstains=NO_DOCUMENT in cited and not ids)


def _without_citations(answer: str, cited_ids: Sequence[str]) -> str:
    """An answer in prose has lost its citations before; a structured one should have none, but is not refused for a
    bracket that holds nothing else."""

    def left(match: re.Match[str]) -> str:
        parts = _bracketed(match)
        return " " if parts and all(part in cited_ids for part in parts) else match[0]

    return _BRACKETS.sub(left, answer)


def _bracketed(match: re.Match[str]) -> list[str]:
    """What may be ids inside of brackets."""
    inside = _ID_WORD.sub(" ", match[1] or match[2] or match[3])
    return [part for part in _PARTS.split(inside) if part]
