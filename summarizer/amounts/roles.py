"""What the words around a number make of it besides an amount: a reference, an end of a range, a factor.

Like `habits.py` a typed table with a reason on every line, of what no maintained source lists. Words are matched
without case and accents, and without the dot of an abbreviation.
"""

from summarizer.amounts.habits import Role
from summarizer.amounts.text import fold


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


REFERENCES = (
    Role("reference", "pos position anzahl quantity quantité cantidad quantità quantidade qty", "lines of a table"),
    Role("reference", "aantal antal ilość adet miktar количество кол-во", "lines of a table"),
    Role("reference", "№ nº n.º br. č. čís číslo broj αρ αριθμός lfd", "number, in more languages"),
    Role("reference", "rechn rg lasku számla faktúra račun рахунок фактура накладная договор заказ", "papers"),
    Role("reference", "devis angebot offerte quote quotation receipt beleg quittung auftrag auftragsnummer", "papers"),
    Role(
        "reference", "lieferschein kundennr kunden-nr kd-nr dossier avtal umowa smlouva zamówienie objednávka", "papers"
    ),
    Role("reference", "siren siret abn acn tfn kvk cvr orgnr org.nr y-tunnus ičo dič nip regon pesel krs", "taxes"),
    Role("reference", "инн кпп огрн бик едрпоу ein ssn cpf cnpj nif cif nie p.iva piva rfc rut cuit", "taxes"),
    Role("reference", "gstin vkn tckn eori steuernr steuernummer st.-nr rib bban", "taxes and banks"),
    Role("reference", "handy cell gsm tlf telephone téléphone teléfono telefono telefone puhelin", "telephones"),
    Role("reference", "тел телефон τηλ τηλέφωνο 電話 전화 plz zip postcode isbn ean gtin upc imei", "goods, places"),
    Role("reference", "chambre habitación camera kamer værelse rum pokój номер", "rooms"),
    Role("reference", "card karte visa mastercard", "payment cards"),
)

RELATIONS = (
    Role("range", "… ‥ → ⟶ ⇒ up ila ile arası upto through thru jusque jusqu fino hingga sampai", "two ends"),
    Role("range", "max maximum maximal maximaal máximo massimo maks maksimum макс", "`min. 10 max. 20`"),
    Role("range", "zu t/m s/d sd asti saakka kuni līdz až până ate tới đến", "Latin script, alone or in `bis zu`"),
    Role("range", "έως ως μέχρι по إلى الى حتى تا עד से থেকে", "other alphabets"),
    Role("range", "到 至 から まで 에서 부터 ถึง", "scripts that write without spaces"),
    Role("or", "or oder ou o eller lub nebo alebo vagy sau veya или або 或 または 또는 hoặc atau", "either"),
    Role("or", "bzw resp tai vai", "either, shortened or Baltic"),
    Role("times", "mal fois times veces vezes volte keer maal gange ganger gånger kertaa", "a calculation, spoken"),
    Role("times", "razy krát krat kez раза раз пъти ori φορές 곱하기 掛ける lần kali", "a calculation, spoken"),
    Role("times", "⋅ ∗ ⁎ ✖ ╳", "further signs of multiplication"),
)

# Before exactly one number, which has no groups: what follows it is another number.
BEFORE_ONE_NUMBER = _words(
    "no nr n° nº n.º # № number nummer numero номер 号 번호 pos position qty menge anzahl quantity quantite cantidad"
    " quantita quantidade aantal antal ilosc adet miktar количество кол-во page seite room zimmer cislo broj lfd"
)
# Before numbers that are written in groups of any size, of which the text does not say where they end.
BEFORE_LONG_NUMBERS = _words(
    "iban bic account konto kto tel phone telefon fax mobile uid ust-id vat-id siren siret abn acn tfn kvk cvr orgnr"
    " org.nr y-tunnus ico dic nip regon pesel krs инн кпп огрн бик едрпоу ein ssn cpf cnpj nif cif nie p.iva piva rfc"
    " rut cuit gstin vkn tckn eori steuernr steuernummer st.-nr rib bban handy cell gsm tlf telephone telefono telefone"
    " puhelin тел телефон τηλ τηλεφωνο 電話 전화 isbn ean gtin upc imei card karte visa mastercard"
)
# Ends of words that are made with the word for number: `Belegnummer`, `Auftragsnr.`
_ENDINGS = ("nr", "nummer", "numer", "number")
# English writes the day behind these months: `March 5 200.00` may be a day and an amount.
MONTHS_BEFORE_DAYS = _words("january february march april may june july august september october november december")
# In small letters a word for `each`, before a price: Polish `po 1 200,00 zł`. In capitals it is a purchase order.
BEFORE_PRICES = frozenset({"po"})

# The characters of an IBAN, by country: the registry of ISO 13616, which no package of ours carries.
IBAN_LENGTHS = (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24"
    " FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28"
    " LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25"
    " QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
)


def ends_like_number(text: str) -> bool:
    """Whether the word is one for a number of something, so that the number behind it is a reference."""
    return fold(text.rstrip(".")).endswith(_ENDINGS)
