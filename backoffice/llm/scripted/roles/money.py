"""Finds the money amounts in a note, as a model would: where they stand, not what they are worth.

Numbers beside which no currency stands are amounts only after a word such as "total". Dates, invoice numbers, IBANs,
percentages and quantities are none.
"""

import re
from collections.abc import Iterator

_CODES = (
    "EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|UAH|RUB|ISK|INR|BDT|PKR|LKR|NPR|JPY|CNY|KRW|HKD|SGD|TWD|THB|IDR|MYR|"
    "PHP|VND|AUD|NZD|CAD|MXN|BRL|ARS|CLP|COP|ZAR|EGP|MAD|NGN|KES|ILS|SAR|AED|QAR|KWD|BHD|OMR|JOD|eur|usd|gbp|chf"
)
_SYMBOLS = r"(?:US|A|C|R|NZ|HK|S)?\$|[€£¥₹৳₩₽₺₴₪₫฿₱₦]"
_WORDS = (
    r"[Ee]uros?|[Dd]ollars?|[Pp]ounds?|Pfund|[Ff]ranken|[Ff]rancs?|[Rr]upees?|[Tt]aka|টাকা|রুপি|kronor|kroner|kr|zł|złotych|"
    r"złote|Kč|Ft|Lei|lei|Fr|SFr|Rs|Tk"
)
_LETTER_BEFORE = r"(?<![^\W\d_])"
_LETTER_AFTER = r"(?![^\W\d_])"
_CURRENCY = rf"(?:{_SYMBOLS}|{_LETTER_BEFORE}(?:{_CODES}|{_WORDS}){_LETTER_AFTER})"
_SPACE = r"[ \u00a0\u202f\u2009]"
_GROUPED = rf"\d{{1,3}}(?:(?:{_SPACE}\d{{3}})+|(?:[.,'’]\d{{2,3}})+)(?!\d)(?:[.,]\d{{1,4}})?"
_NUMBER = rf"(?:{_GROUPED}|\d+(?:[.,]\d{{1,4}})?)(?![.,'’]?\d)(?:[.,:][-–—]+)?"
_SCALE_WORDS = r"Mio\.?|Mrd\.?|Tsd\.?|mln|mld|tys\.?|[Mm]illion(?:s|en|er)?|[Bb]illions?|lakh|crore|লাখ|কোটি|k|[Mm]|bn"
_SCALE = rf"(?:\s?(?:{_SCALE_WORDS}){_LETTER_AFTER})?"
_SIGN = r"(?:(?<![\w)])[-−–]\s?)?"
_START = r"(?<![\w])(?<!\d[.,/:'’-])"
_FREE_NUMBER = rf"{_SIGN}{_START}{_NUMBER}{_SCALE}"
_AMOUNT = re.compile(
    rf"{_SIGN}{_CURRENCY}\.?{_SPACE}?{_SIGN}{_NUMBER}{_SCALE}(?:{_SPACE}?{_CURRENCY}(?!{_SPACE}?\d))?"
    rf"|{_FREE_NUMBER}{_SPACE}?{_CURRENCY}"
    rf"|{_FREE_NUMBER}(?<=:[-–])"
    r"|(?i:\b(?:total|amount|sum|balance|betrag|summe|gesamt|montant|solde|belopp|summa|kwota|suma|razem|মোট)\b)"
    rf"[:=\s]{{0,4}}(?P<bare>{_SIGN}{_START}(?:{_GROUPED}|\d+[.,]\d\d)(?![.,'’]?\d))(?!{_SPACE}?(?:%|{_CURRENCY}))"
)
_NO_AMOUNTS = re.compile(
    r"\b[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){2,7}(?:\s?[A-Z0-9]{1,3}\b)?"
    r"|(?<![\w/-])\d{4}-\d{2}-\d{2}\b"
    r"|(?<![\w/.-])\d{1,2}[./]\s?\d{1,2}[./]\s?\d{2,4}\b"
)

_MARKS = re.compile(r"[,:;()](?!\w)|[()]|\s[-–—]\s")


def find_amounts(note: str) -> list[str]:
    """The amounts as they stand in the note, in its order, each spelling once."""
    masked = _NO_AMOUNTS.sub(lambda match: "\n" * len(match[0]), note)
    found = (match["bare"] or match[0] for match in _AMOUNT.finditer(masked))
    return list(dict.fromkeys(raw.strip() for raw in found))


def clauses(text: str) -> Iterator[str]:
    """What stands between the amounts, dates, IBANs and marks of the text."""
    for part in _NO_AMOUNTS.sub("\n", text).split("\n"):
        for clause in _AMOUNT.sub("\n", part).split("\n"):
            yield from _MARKS.split(clause)
