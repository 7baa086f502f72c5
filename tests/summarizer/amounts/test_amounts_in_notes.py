"""In a note the number with a currency is the amount; dates, references, quantities and rates are none."""

import pytest

from tests.summarizer.amounts.reading import amount_of, error_of


@pytest.mark.parametrize(
    "note",
    [
        "Rechnung 88123: 3.456,70 EUR",
        "Invoice 88123 EUR 3,456.70",
        "14.05.2023 3.456,70 EUR",
        "2023-05-14 EUR 3456.70",
        "14/05/2023: €3,456.70 incl. 19% VAT",
        "19 % von netto, brutto 3.456,70 €",
        "3 Stück, zusammen 3.456,70 EUR",
        "5 items at EUR 3456.70",
        "at 10:30 paid 3456,70 EUR in room 12",
        "IBAN DE89 3704 0044 0532 0130 00 EUR 3456.70",
        "call +49 30 1234567 about EUR 3,456.70",
        "PO-2023-0815 over 3.456,70 EUR",
        "A4 paper, 500 sheets, 3.456,70 EUR",
        "12 March 2023: 3456.70 EUR",
        "v2.1 licence 3456.70 EUR per year",
        "3456.70 EUR/Monat",
    ],
)
def test_the_number_with_a_currency_wins(note: str) -> None:
    assert amount_of(note) == ("3456.70", "EUR")


@pytest.mark.parametrize(
    "note",
    [
        "Invoice 88123",
        "Order #88123",
        "14.05.2023",
        "at 10:30",
        "INV88123",
        "60 kg",
        "60 km",
        "60 pcs",
        "March 14",
        "60 people came",
        "room 12",
        "100 m",
    ],
)
def test_a_number_that_is_something_else_is_no_amount(note: str) -> None:
    assert error_of(note) == "no_amount"


@pytest.mark.parametrize(
    ("note", "amount"),
    [
        ("gratis!", "0.00"),
        ("Price 60", "60.00"),
        ("about 60", "60.00"),
        ("Summe: 60", "60.00"),
        ("60.25 inclusive", "60.25"),
        ('"60.25" *', "60.25"),
    ],
)
def test_a_number_that_can_only_be_an_amount_is_one_without_a_currency(note: str, amount: str) -> None:
    assert amount_of(note) == (amount, None)
