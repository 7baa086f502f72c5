"""Which documents a question is answered from: the best by BM25 over Unicode words, as many as fit.

So a corpus of thousands fits the context of a model, and its cost does not grow with the corpus.
"""

import asyncio
import logging
import time
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import bm25s
from django.conf import settings

from backoffice.evidencedesk.corpus import SHOWN, Corpus, Document, is_folder, load_corpus

logger = logging.getLogger(__name__)
logging.getLogger("bm25s").setLevel(logging.WARNING)  # the library sets DEBUG when it is imported

MOST_DOCUMENTS = 6
MOST_SUPERSEDED = 2
"""Of those. A policy may have more versions than there are places, and only the current one can be cited."""
MOST_CHARACTERS = 40_000
"""Of all shown documents together; one of the longest alone always fits."""
STEM = 5
"""Characters of a word that stand for its inflected forms, whatever the language."""
LOOK_AGAIN_SECONDS = 5.0
"""How old the knowledge may be that the files of the corpus have not changed."""


class _WordCharacters(dict[int, str]):
    """What `str.translate` makes of each character: itself inside a word, a space between words.

    Combining marks belong to their word (Bengali vowels are such), joiners fall out, and the signs of Chinese and
    Japanese, which write no spaces, stand alone.
    """

    def __missing__(self, code: int) -> str:
        character = chr(code)
        category = unicodedata.category(character)
        if category == "Lo" and unicodedata.east_asian_width(character) == "W":
            made = f" {character} "
        elif category[0] in "LNM":
            made = character
        else:
            made = "" if category == "Cf" else " "
        self[code] = made
        return made


_WORD_CHARACTERS = _WordCharacters()


def words(text: str) -> list[str]:
    """Case-folded words in compatibility form (Unicode NFKC), so that equal-looking text is equal."""
    return unicodedata.normalize("NFKC", text).casefold().translate(_WORD_CHARACTERS).split()


def terms(text: str) -> list[str]:
    """What is indexed of a text: its words, and the beginnings of the long ones, marked as such."""
    found = words(text)
    return [*found, *(f"{word[:STEM]}-" for word in found if len(word) > STEM)]


class Index:
    """A corpus made ready for questions."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        indexed = [(d, terms(f"{d.title}\n{d.text}")) for d in corpus.documents.values() if d.status in SHOWN]
        self._documents = [document for document, found in indexed if found]
        self._bm25 = bm25s.BM25()
        if self._documents:
            self._bm25.index([found for _, found in indexed if found], show_progress=False)

    def best(self, question: str) -> list[Document]:
        """The documents that hold a word of the question, best first, within the bounds."""
        asked = terms(question)
        if not asked or not self._documents:
            return []
        scores = self._bm25.get_scores(asked)
        places = takewhile(lambda place: scores[place] > 0, (-scores).argsort(kind="stable"))
        return _fitting(_best_of(self._documents[place] for place in places))


def _best_of(ranked: Iterable[Document]) -> list[Document]:
    chosen: list[Document] = []
    superseded = 0
    for document in ranked:
        if len(chosen) == MOST_DOCUMENTS:
            break
        if document.citable or superseded < MOST_SUPERSEDED:
            superseded += not document.citable
            chosen.append(document)
    return chosen


def _fitting(documents: Sequence[Document]) -> list[Document]:
    """In their order, the ones that there is room for; the citable ones have the first claim to it."""
    room = MOST_CHARACTERS
    taken: set[str] = set()
    for document in sorted(documents, key=lambda each: not each.citable):
        if len(document.text) <= room:
            room -= len(document.text)
            taken.add(document.id)
    return [document for document in documents if document.id in taken]


@dataclass(slots=True)
class _Shelf:
    """An index and the state of the files it was made from."""

    index: Index
    state: tuple[object, ...]
    looked_at: float


_shelves: dict[Path, _Shelf] = {}


async def current_index() -> Index:
    """The index of the corpus in force. Files are read in a thread, and again only when they have changed."""
    folder = Path(settings.EVIDENCE_CORPUS)
    shelf = _shelves.get(folder)
    if shelf is None or time.monotonic() - shelf.looked_at > LOOK_AGAIN_SECONDS:
        shelf = _shelves[folder] = await asyncio.to_thread(_looked_up, folder, shelf)
    return shelf.index


def _looked_up(folder: Path, shelf: _Shelf | None) -> _Shelf:
    state = _state(folder)
    if shelf is not None and shelf.state == state:
        return _Shelf(shelf.index, state, time.monotonic())
    corpus = load_corpus(folder)
    for fault in corpus.faults:
        logger.error("the corpus: %s", fault)
    return _Shelf(Index(corpus), state, time.monotonic())


def _state(folder: Path) -> tuple[object, ...]:
    """Changes whenever a file is added, removed or written."""
    return tuple((path, *_stamp(path)) for path in sorted(folder.rglob("*.md"))) if is_folder(folder) else ()


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        stat = path.stat()
    except OSError:  # taken away meanwhile
        return ()
    return stat.st_mtime_ns, stat.st_size
