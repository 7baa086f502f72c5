"""Finds what a note is about: its kind, its number, from whom, or how it begins.

A sentence of the note that gives orders to its reader is passed over, as a good model would.
"""

import re
from dataclasses import dataclass

from backoffice.llm.scripted.roles.money import clauses

_KINDS = {
    "credit_note": r"credit (?:note|memo)|gutschrift|\bavoir\b|kredit(?:nota|faktura)|korekta|nota de crédito|ক্রেডিট",
    "reminder": r"reminder|overdue|mahnung|zahlungserinnerung|\brappel\b|relance|påminnelse|przypomnienie|wezwanie|তাগাদা",
    "refund": r"refund|erstattung|remboursement|återbetalning|\bzwrot|reembolso|ফেরত",
    "receipt": r"receipt|quittung|\breçu\b|kvitto|paragon|\brecibo|রসিদ",
    "quote": r"\bquot(?:e|ation)\b|angebot|\bdevis\b|\boffert\b|\boferta\b|presupuesto",
    "expenses": r"expense|spesen|reisekosten|notes? de frais|utlägg|delegacj|nota de gastos",
    "invoice": r"invoice|\bbill\b|rechnung|facture|faktur|factura|চালান|ইনভয়েস|বিল",
    "payment": r"payment|\bpaid\b|zahlung|überweisung|paiement|virement|betalning|płatność|przelew|পরিশোধ",
    "delivery": r"delivery note|lieferschein|bon de livraison|följesedel|dowód dostawy|albarán",
}
_KIND_PATTERNS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _KINDS.items())
_DOCUMENTS = (
    r"invoice|bill|credit note|rechnung|gutschrift|facture|avoir|(?:kredit)?faktur[ay]|korekta|factura|voucher|"
    r"চালান|ভাউচার|ইনভয়েস|বিল"
)
_NUMBER = re.compile(
    rf"(?<!\w)(?:{_DOCUMENTS})(?: VAT)?(?:\s(?:no|nr|num|number|nummer|numéro|numer|n[°º]|নং)\.?)?\s*[:#№]?\s*"
    r"(?P<number>(?=[\w/-]*\d)[^\W_][\w/-]{1,24}[^\W_])(?![\w,.]*\d)",
    re.IGNORECASE,
)
_NAME = r"[^\W\d_](?:[\w&'’-]|\.(?=\w))*\.?"
_CAPITAL = r"(?=[^\W\d_a-zßà-ÿ])"
_LEGAL_FORM = (
    r"(?:GmbH|AG|KG|SE|UG|AB|AS|Oy|Ltd|Limited|LLC|LLP|Inc|Corp|PLC|BV|B\.V\.|"
    r"SARL|SAS|SA|S\.A\.|S\.L\.|[Ss]p\. z o\.o\.|লিমিটেড)(?!\w)"
)
_NO_FIRM = (
    r"(?!(?:From|For|To|Von|De|Från|Od|Rechnung|Invoice|Facture|Faktura|Gutschrift|Reminder|Mahnung|"
    r"Supplier|Vendor|Vermieter|Lieferant|Leverantör|Dostawca)\b)"
)
_FIRM_WORD = rf"(?<!\w){_CAPITAL}{_NO_FIRM}{_NAME}\s"
_FIRM = re.compile(rf"(?P<firm>(?:{_FIRM_WORD}(?:(?:&|och|und|et|i)\s)?){{1,4}}{_LEGAL_FORM})")
_MONTH = (
    r"(?!(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember)"
    r"(?:\b|uary|ch|il|ust|ember|ober))"
)
_FROM = re.compile(
    r"(?<!\w)(?:from|by|supplier|vendor|von|vom|lieferant|chez|från|leverantör|od|dostawca)[: ]\s*"
    rf"(?P<name>{_CAPITAL}{_MONTH}{_NAME}(?:\s(?:&\s)?{_CAPITAL}{_NAME}){{0,3}})"
)
_SENTENCE_END = re.compile(r"(?<=\S[^\s.][.!?।])\s+(?=[^\W\d_a-z])|[\n\r;]+")
_ORDERS = (
    r"ignore|disregard|forget|override|instructions?|system prompt|you (?:are|must|will)|act as|pretend|assistant",
    r"(?:reply|respond|answer) (?:with|only)|say|write|output|print|repeat",
    r"ignorier\w*|vergiss|anweisung\w*|antworte\w*|schreib\w*",
    r"ignorez|oubliez|réponds|répondez|écri(?:s|vez)",
    r"ignorera|glöm|svara|skriv|zignoruj|zapomnij|odpowiedz|napisz",
    r"উপেক্ষা|নির্দেশ",
)
_ORDER = re.compile(rf"(?<!\w)(?:{'|'.join(_ORDERS)})(?!\w)|[<>{{}}\[\]`]", re.IGNORECASE)
_MOST_WORDS = 10


@dataclass(frozen=True, slots=True)
class Subject:
    """Every number in it stands in the note; no amount does."""

    kind: str
    number: str
    party: str
    words: str
    """How the note begins, where no party is named."""


def subject_of(note: str) -> Subject:
    safe = [part.strip() for part in _SENTENCE_END.split(note) if part.strip() and not _ORDER.search(part)]
    text = " ".join(safe)
    numbered = _NUMBER.search(text)
    kind = _kind(text)
    party = "" if kind == "note" else _party(text)
    words = "" if party else _first_words(safe)
    number = numbered["number"] if numbered is not None and numbered["number"] not in words.split() else ""
    return Subject(kind, number, party, words)


def _kind(text: str) -> str:
    return next((kind for kind, pattern in _KIND_PATTERNS if pattern.search(text)), "note")


def _party(text: str) -> str:
    match = _FIRM.search(text)
    if match is not None:
        return " ".join(match["firm"].split())
    named = _FROM.search(text)
    return named["name"].rstrip(".,-") if named is not None else ""


def _first_words(sentences: list[str]) -> str:
    """Of the first clause that has two words; a document's number in front of it is left out."""
    phrases = [phrase for sentence in sentences for phrase in map(_words, clauses(_unnumbered(sentence))) if phrase]
    return next((phrase for phrase in phrases if " " in phrase), phrases[0] if phrases else "")


def _unnumbered(sentence: str) -> str:
    match = _NUMBER.match(sentence)
    return sentence if match is None else sentence[match.end() :]


def _words(clause: str) -> str:
    words = [word for word in clause.replace('"', "").split() if word == "&" or any(map(str.isalnum, word))]
    return " ".join(words[:_MOST_WORDS]).strip(" .,:!?-–—")
