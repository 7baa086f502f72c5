"""The part of the evidence desk: it answers a question with the sentence, among the documents it was shown, that shares
most of the question's words, cites that document, and says so where none answers.

`[[answer: FAULT]]` in a question makes it answer badly, so that checks can be seen to catch it: `wrong-number`,
`unknown-id` (of no document), `superseded-id`, `prose` (where JSON is asked for) and `wrong-id` (of another document).
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from backoffice.llm.scripted.chat_request import ChatRequest, text_of
from backoffice.llm.scripted.faults import without_markers
from backoffice.llm.scripted.replies import Reply, text_reply

UNKNOWN_ID = "policy-of-another-house"
ENOUGH = 0.5
"""The share of a question's weight that a sentence must hold to answer it."""
SURE = 0.75
STEM = 5

_FENCED = re.compile(
    r"^=== (question|document) ([0-9a-f]{16}) ===\n(.*?)\n=== end of \1 \2 ===$", re.DOTALL | re.MULTILINE
)
_DOCUMENT = re.compile(r"id: ([^\n]*)\nstatus: ([^\n]*)\ntitle: ([^\n]*)\n\n(.*)", re.DOTALL)
_FAULT = re.compile(r"\[\[answer:\s*([a-z-]+)\s*\]\]")
_SENTENCE_END = re.compile(r"(?<=[.!?।])\s+|\n+")
_AROUND_WORDS = " .,:;!?।\"'’()[]-–"
_NUMBER = re.compile(r"\d+")
_SMALL = """
    a after an and any are as at be before by can do does for from get given go goes have how i if in is it its many may
    me much must my need not of on one or our out should that the their them there they this to up us was we what when
    where which who why will with within you your
    ab am auf aus bei bis da das dem den der des die ein eine einem einen einer es für gibt gilt hat ich im in innerhalb
    ist man mit muss nach sich sie sind so um und uns viele vieler von vor wann war was welche welchem welcher wer
    werden wie wieviel wir wird wo zu zum zur über
    আছে আমরা আমাদের আমি এবং ও কত কবে করতে করা কি কী কীভাবে কে কোথায় কোন জন্য থেকে পর পরে পর্যন্ত মধ্যে হবে হয়
"""
_SMALL_WORDS = frozenset(_SMALL.split())
_CANNOT = (
    (re.compile(r"[\u0980-\u09ff]"), "নথিগুলোতে এই প্রশ্নের উত্তর নেই।"),
    (
        re.compile(r"\b(?:der|die|das|wie|wann|wer|was|welche[rs]?|ist|gibt|wird|werden)\b", re.IGNORECASE),
        "Die Dokumente beantworten diese Frage nicht.",
    ),
)
CANNOT = "The documents do not answer this question."


@dataclass(frozen=True, slots=True)
class _Document:
    id: str
    status: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class _Answer:
    text: str
    cited_ids: tuple[str, ...] = ()
    confidence: str = "high"

    def as_json(self) -> str:
        status = "answered" if self.cited_ids else "abstained"
        fields = {"answer": self.text, "cited_ids": self.cited_ids, "confidence": self.confidence, "status": status}
        return json.dumps(fields, ensure_ascii=False)

    def as_prose(self) -> str:
        return " ".join([self.text, *(f"[{id_}]" for id_ in self.cited_ids or ("none",))])


def plays(request: ChatRequest) -> bool:
    return any(_FENCED.search(text) for text in _user_texts(request))


def reply(request: ChatRequest) -> Reply:
    asked = next(text for text in _user_texts(request) if _FENCED.search(text))
    question, documents = _parted(asked)
    faults = _FAULT.findall(question)
    answer = _answer(_FAULT.sub(" ", without_markers(question)), documents)
    for fault in faults:
        answer = _worsened(answer, fault, documents)
    structured = request.response_format is not None and "prose" not in faults
    return text_reply(answer.as_json() if structured else answer.as_prose())


def _user_texts(request: ChatRequest) -> Iterable[str]:
    return (text_of(message) for message in request.messages if message["role"] == "user")


def _parted(text: str) -> tuple[str, list[_Document]]:
    found = [(match[1], match[3]) for match in _FENCED.finditer(text)]
    question = "\n".join(content for kind, content in found if kind == "question")
    described = (_DOCUMENT.fullmatch(content) for kind, content in found if kind == "document")
    return question, [_Document(*match.groups()) for match in described if match is not None]


def _answer(question: str, documents: Sequence[_Document]) -> _Answer:
    units = [(d, sentence) for d in documents for sentence in _SENTENCE_END.split(d.text) if sentence.strip()]
    held = [_stems(f"{document.title} {sentence}") for document, sentence in units]
    spread = Counter(stem for stems in held for stem in stems)
    weights = {stem: math.log(1 + (len(units) + 1) / (spread[stem] + 0.5)) for stem in _stems(question)}
    everything = sum(weights.values()) or 1.0
    shares = [
        (sum(weights[stem] for stem in stems & weights.keys()) / everything, document, sentence)
        for stems, (document, sentence) in zip(held, units, strict=True)
        if document.status == "current"
    ]
    share, document, sentence = max(shares, key=lambda each: each[0], default=(0.0, None, ""))
    if document is None or share < ENOUGH:
        return _Answer(_cannot(question), confidence="low")
    return _Answer(sentence.strip(), (document.id,), "high" if share >= SURE else "medium")


def _stems(text: str) -> set[str]:
    """The beginnings of the words that carry meaning."""
    words = (word.strip(_AROUND_WORDS) for word in re.split(r"[\s/]+", text.casefold()))
    return {word[:STEM] for word in words if word and word not in _SMALL_WORDS}


def _cannot(question: str) -> str:
    return next((sentence for pattern, sentence in _CANNOT if pattern.search(question)), CANNOT)


def _worsened(answer: _Answer, fault: str, documents: Sequence[_Document]) -> _Answer:
    match fault:
        case "wrong-number":
            return replace(answer, text=_misquoted(answer.text))
        case "unknown-id":
            return replace(answer, cited_ids=(UNKNOWN_ID,))
        case "superseded-id":
            return replace(answer, cited_ids=tuple(d.id for d in documents if d.status == "superseded"))
        case "wrong-id":
            return replace(answer, cited_ids=tuple(d.id for d in documents if d.id not in answer.cited_ids)[:1])
    return answer


def _misquoted(text: str) -> str:
    """The first number, or one where there is none, that no document of a back office holds."""
    wrong = "8" * 7
    return _NUMBER.sub(wrong, text, count=1) if _NUMBER.search(text) else f"{text} {wrong}"
