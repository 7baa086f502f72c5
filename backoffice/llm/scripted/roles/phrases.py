"""The words of a summary, in the languages that the notes are written in."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from backoffice.llm.scripted.roles.subject import Subject


@dataclass(frozen=True, slots=True)
class Language:
    """`kinds` has a noun for each kind that a note can be of; the others are pieces of the sentence."""

    hints: re.Pattern[str]
    kinds: dict[str, str]
    by: str
    worth: str
    conjunction: str
    no_amount: str
    one_unclear: str
    several_unclear: str
    no_currency: str
    stop: str = "."

    def knows(self, note: str) -> int:
        """How many of the language's own words stand in the note."""
        return len(self.hints.findall(note))


_KINDS = ("credit_note", "reminder", "refund", "receipt", "quote", "expenses", "invoice", "payment", "delivery", "note")


def _kinds(nouns: str) -> dict[str, str]:
    return dict(zip(_KINDS, nouns.split("|"), strict=True))


def _words(hints: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(hints.split(' '))})(?!\w)", re.IGNORECASE)


_ENGLISH = Language(
    hints=_words("the from for and invoice please of due our is was with to no by on asks not came credit"),
    kinds=_kinds("Credit note|Reminder|Refund|Receipt|Quote|Expense report|Invoice|Payment|Delivery note|Note"),
    by="from",
    worth="for",
    conjunction="and",
    no_amount="with no amount stated",
    one_unclear="one amount is unclear",
    several_unclear="several amounts are unclear",
    no_currency="currency not stated",
)
_GERMAN = Language(
    hints=_words(
        "der die das und von vom für über bitte fällig ist war mit zu noch den an am aus bei "
        "wegen ohne rechnung gutschrift mahnung zahlung miete wartung zuzüglich"
    ),
    kinds=_kinds("Gutschrift|Mahnung|Erstattung|Quittung|Angebot|Spesenabrechnung|Rechnung|Zahlung|Lieferung|Notiz"),
    by="von",
    worth="über",
    conjunction="und",
    no_amount="ohne Angabe eines Betrags",
    one_unclear="ein Betrag ist unklar",
    several_unclear="mehrere Beträge sind unklar",
    no_currency="ohne Währung",
)
_FRENCH = Language(
    hints=_words(
        "le les la du et pour montant au à facture avoir échéance rappel est "
        "reçu merci par dont sur d'audit jusqu'au en"
    ),
    kinds=_kinds("Avoir|Rappel|Remboursement|Reçu|Devis|Note de frais|Facture|Paiement|Livraison|Note"),
    by="de",
    worth="d'un montant de",
    conjunction="et de",
    no_amount="sans montant indiqué",
    one_unclear="un montant n'est pas clair",
    several_unclear="plusieurs montants ne sont pas clairs",
    no_currency="devise non précisée",
)
_SWEDISH = Language(
    hints=_words(
        "och från för på att är av den med faktura kreditfaktura moms "
        "exkl inkl förfaller betalning påminnelse kronor leverantör"
    ),
    kinds=_kinds("Kreditfaktura|Påminnelse|Återbetalning|Kvitto|Offert|Utlägg|Faktura|Betalning|Leverans|Notering"),
    by="från",
    worth="på",
    conjunction="och",
    no_amount="utan angivet belopp",
    one_unclear="ett belopp är oklart",
    several_unclear="flera belopp är oklara",
    no_currency="utan valuta",
)
_POLISH = Language(
    hints=_words(
        "od na do za i nr oraz jest dnia faktura faktury kwota kwotę brutto netto termin płatności zł prosimy korekta"
    ),
    kinds=_kinds("Korekta|Wezwanie|Zwrot|Paragon|Oferta|Delegacja|Faktura|Płatność|Dostawa|Notatka"),
    by="od",
    worth="na kwotę",
    conjunction="oraz",
    no_amount="bez podanej kwoty",
    one_unclear="jedna kwota jest niejasna",
    several_unclear="kilka kwot jest niejasnych",
    no_currency="bez waluty",
)
_SPANISH = Language(
    hints=_words("el los la de del con y al por para factura nota importe vencimiento pago gracias recibo tique viaje"),
    kinds=_kinds(
        "Nota de crédito|Recordatorio|Reembolso|Recibo|Presupuesto|Nota de gastos|Factura|Pago|Albarán|Nota",
    ),
    by="de",
    worth="por",
    conjunction="y",
    no_amount="sin importe indicado",
    one_unclear="un importe no está claro",
    several_unclear="varios importes no están claros",
    no_currency="moneda no indicada",
)
_BENGALI = Language(
    hints=re.compile(r"[\u0980-\u09ff]+"),
    kinds=_kinds("ক্রেডিট নোট|তাগাদা|ফেরত|রসিদ|দরপত্র|খরচের হিসাব|চালান|পরিশোধ|ডেলিভারি|নোট"),
    by="প্রেরক",
    worth="পরিমাণ",
    conjunction="এবং",
    no_amount="কোনো পরিমাণ উল্লেখ নেই",
    one_unclear="একটি পরিমাণ অস্পষ্ট",
    several_unclear="কয়েকটি পরিমাণ অস্পষ্ট",
    no_currency="মুদ্রা উল্লেখ নেই",
    stop="।",
)
_LANGUAGES = (_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _SWEDISH, _POLISH, _BENGALI)


def language_of(note: str) -> Language:
    """The one with the most words of its own in the note; English where none has any."""
    return max(_LANGUAGES, key=lambda language: language.knows(note))


def named(subject: Subject, language: Language) -> str:
    """A noun phrase such as `Invoice RE-17 from Müller GmbH`; a mere note is named by its own first words."""
    noun = language.kinds[subject.kind]
    if _is_named_by_words(subject) or subject.words.casefold().startswith(noun.casefold()):
        return subject.words
    if subject.number:
        noun += f" {subject.number}"
    if subject.party:
        return f"{noun} {language.by} {subject.party}"
    return f"{noun} ({subject.words})" if subject.words else noun


def worth(subject: Subject, language: Language) -> str:
    """What leads from the noun phrase to the amounts."""
    return ":" if _is_named_by_words(subject) else f" {language.worth}"


def _is_named_by_words(subject: Subject) -> bool:
    return subject.kind == "note" and bool(subject.words) and not subject.number


def listed(amounts: Sequence[str], language: Language) -> str:
    if len(amounts) == 1:
        return amounts[0]
    return f"{', '.join(amounts[:-1])} {language.conjunction} {amounts[-1]}"
