"""What stands beside an amount and is none: references, counts, account and telephone numbers, rates and dates."""

from datetime import date

import pytest
from babel import Locale
from babel.dates import format_date

from summarizer.amounts import normalize_amount
from tests.summarizer.amounts.reading import amount_of, candidates_of, error_of

LANGUAGES = [
    "ar", "bg", "ca", "cs", "da", "de", "el", "en", "en_GB", "es", "et", "fi", "fr", "gl", "hr", "hu", "id", "is", "it",
    "ja", "ko", "lt", "lv", "mk", "nb", "nl", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr", "sv", "sw", "th", "tr",
    "uk", "vi", "zh",
]  # fmt: skip
DATES = [date(1998, 1, 7), date(2021, 5, 30), date(2033, 9, 14), date(2027, 12, 3)]


@pytest.mark.parametrize(
    "text",
    [
        "Pos. 4 386,00 EUR",
        "Position: 4 386,00 EUR",
        "Qty 4 386,00 EUR",
        "Anzahl 4 386,00 EUR",
        "Rechnung Nr. 4 386,00 EUR",
        "№ 4 386,00 EUR",
        "N° 4 386,00 EUR",
        "#4 386.00 EUR",
        "Seite 4 386,00 EUR",
        "%8 386,00 EUR",
        "Faktura 2031 386,00 EUR",
    ],
)
def test_a_number_that_the_word_before_names_is_no_group_of_the_amount(text: str) -> None:
    assert amount_of(text) == ("386.00", "EUR")


@pytest.mark.parametrize(
    "text",
    [
        "Rechnung 83 450,00 EUR",
        "order 83 450.00 EUR",
        "Nr. 3 119 450,00 EUR",
        "March 8 450.00 EUR",
        "12 May 31 450.00 EUR",
        "12. Mai 31 450,00 EUR",
        "Tel. 089 321 450,00 EUR",
        "+47 22 33 44 55 450,00 EUR",
        "07 21 32 43 54 450,00 EUR",
        "21 32 43 54 450,00 EUR",
        "SIREN 552 081 317 450,00 EUR",
        "ABN 53 004 085 616 450.00 AUD",
        "B7 450 EUR",
        "ZZ82 0040 1111 7 450,00 EUR",
    ],
)
def test_where_the_number_before_may_end_in_two_places_it_is_more_than_one_amount(text: str) -> None:
    assert error_of(text) == "multiple_amounts"


@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        ("Rechnung 83 450,00 EUR", ["450.00 EUR", "83450.00 EUR"]),
        ("EUR.45", ["45.00 EUR", "0.45 EUR"]),
        ("order 83 450 KWD", ["450.000 KWD", "83450.000 KWD"]),
    ],
)
def test_the_candidates_are_the_part_and_the_whole(text: str, candidates: list[str]) -> None:
    assert candidates_of(text) == candidates


@pytest.mark.parametrize("text", ["Total 83 450,00 EUR", "+83 450,00 EUR", "za 83 450,00 EUR", "po 83 450,00 EUR"])
def test_groups_behind_any_other_word_are_one_number(text: str) -> None:
    assert amount_of(text) == ("83450.00", "EUR")


@pytest.mark.parametrize(
    "iban",
    [
        "AT48 3200 0000 1234 5864", "BE71 0961 2345 6769", "CH56 0483 5012 3456 7800 9", "DE75 5121 0800 1245 1261 99",
        "DK95 2000 0123 4567 89", "ES79 2100 0813 6101 2345 6789", "FR76 3000 6000 0112 3456 7890 189",
        "GB33 BUKB 2020 1555 5555 55", "IT60 X054 2811 1010 0000 0123 456", "NL02 ABNA 0123 4567 89",
        "NO83 3000 1234 567", "PL10 1050 0099 7603 1234 5678 9123", "SE72 8000 0810 3400 0978 3242",
        "TR32 0010 0099 9990 1234 5678 90",
    ],
)  # fmt: skip
def test_the_end_of_an_iban_is_no_group_of_the_amount(iban: str) -> None:
    for written in (iban, iban.replace(" ", "")):
        assert amount_of(f"{written} 1 450,00 EUR") == ("1450.00", "EUR")
        assert amount_of(f"IBAN {written}: EUR 450.00") == ("450.00", "EUR")
    assert error_of(iban) == "no_amount"


@pytest.mark.parametrize("text", ["%8", "% 8", "٪٨", "VAT %8", "-%8"])
def test_a_rate_with_its_sign_before_is_a_rate(text: str) -> None:
    assert error_of(text) == "percentage"


def test_a_percent_sign_between_two_numbers_belongs_to_the_first() -> None:
    assert amount_of("8 % 450,00 EUR") == ("450.00", "EUR")
    assert amount_of("KDV %8 dahil 450,00 TL") == ("450.00", "TRY")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("day", DATES)
def test_a_date_of_any_main_language_is_no_amount(language: str, day: date) -> None:
    for width in ("full", "long", "medium", "short"):
        written = format_date(day, width, locale=Locale.parse(language))
        assert "error" in normalize_amount(written), written


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("day", DATES)
def test_beside_a_date_of_any_main_language_the_amount_is_read(language: str, day: date) -> None:
    written = format_date(day, "long", locale=Locale.parse(language))
    for note in (f"{written}: 386.45 EUR", f"{written} 386.45 EUR", f"EUR 386.45 ({written})"):
        assert amount_of(note) == ("386.45", "EUR"), note


@pytest.mark.parametrize(
    "text",
    [
        "7. Juli", "7 de julio", "den 7. juli", "7-Jul-2031", "7/Jul/31", "July 7th, 2031", "1er juillet",
        "2031. júl. 7.", "7. 7. 2031", "7 липня 2031 р.", "2031年7月7日", "2031년 7월 7일", "07JUL2031",
    ],
)  # fmt: skip
def test_a_day_and_a_month_are_no_amount(text: str) -> None:
    assert error_of(text) == "no_amount"
    assert amount_of(f"{text} 386,45 EUR") == ("386.45", "EUR")


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("Miete Juli 1450 EUR", "1450.00"),
        ("Miete Juli 50 EUR", "50.00"),
        ("EUR 50 Juli", "50.00"),
        ("7 July 1450 EUR", "1450.00"),
        ("rent for July 2031: EUR 50", "50.00"),
        ("50 EUR 7 July", "50.00"),
        ("of 7 July 2031: EUR 12 500,00", "12500.00"),
    ],
)
def test_a_number_with_a_currency_beside_a_month_is_an_amount(text: str, amount: str) -> None:
    assert amount_of(text) == (amount, "EUR")


def test_a_code_that_is_a_month_in_some_language_announces_no_year() -> None:
    assert amount_of("of 7 July 2031: SEK 12 500,00") == ("12500.00", "SEK")


@pytest.mark.parametrize(("text", "currency"), [("50 zar", "ZAR"), ("50 lipa", "HRK")])
def test_a_currency_that_is_a_month_in_some_language_stays_a_currency(text: str, currency: str) -> None:
    assert amount_of(text)[1] == currency


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("Facture : 3 450,00 EUR", "3450.00"),
        ("Rechnung: 63 450,00 EUR", "63450.00"),
        ("Facture 3 450,00 EUR", "3450.00"),
        ("Devis 30 000 EUR", "30000.00"),
        ("Montant de la facture 3 450,00 EUR", "3450.00"),
    ],
)
def test_a_paper_that_is_no_number_of_one_announces_the_amount_on_it(text: str, amount: str) -> None:
    assert amount_of(text) == (amount, "EUR")


@pytest.mark.parametrize("text", ["Rechnung 63 450,00 EUR", "Faktura 63 450 EUR"])
def test_a_number_that_may_be_that_of_the_paper_is_in_doubt(text: str) -> None:
    assert error_of(text) == "multiple_amounts"


@pytest.mark.parametrize("text", ["Qty 3 x 40 EUR", "Pos. 3 × 40,00 EUR", "Menge: 3 * 40 EUR", "No. 3 x 40 EUR"])
def test_a_quantity_times_a_price_is_a_calculation(text: str) -> None:
    assert error_of(text) == "calculation"
