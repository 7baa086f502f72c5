"""The scripted model finds a note's money amounts as they stand there, and takes nothing else for one."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backoffice.llm.scripted.roles.money import clauses, find_amounts


@pytest.mark.parametrize(
    "amount",
    [
        "1 200,50 EUR",
        "1\u202f200,50\u00a0€",
        "$1,200.50",
        "US$ 40",
        "EUR 1200",
        "EUR 1.200,-",
        "CHF 1'200.–",
        "₹1,20,000",
        "Rs. 1,20,000.50",
        "1.234,5 €",
        "৳ ১,২০০",
        "১,২০,০০০ টাকা",
        "1 200,50 zł",
        "500 kr",
        "500:-",
        "99,90 Euro",
        "£5",
        "-120,00 EUR",
        "−$50",
        "EUR -12.00",
        "5 Mio. EUR",
        "EUR 5 Mio.",
        "$1,200.50 USD",
        "¥12000",
    ],
)
def test_an_amount_is_found_as_it_is_written(amount: str) -> None:
    assert find_amounts(f"Supplier note, please pay {amount} by Friday") == [amount]
    assert find_amounts(amount) == [amount]


@pytest.mark.parametrize(
    ("note", "amounts"),
    [
        ("Beträge: 1.234,50 EUR, 1234.50 EUR, 5 EUR, 6 EUR.", ["1.234,50 EUR", "1234.50 EUR", "5 EUR", "6 EUR"]),
        ("USD 300 EUR 500", ["USD 300", "EUR 500"]),
        ("500 EUR 300 USD", ["500 EUR", "300 USD"]),
        ("Net EUR 75.00, VAT 19% EUR 14.25", ["EUR 75.00", "EUR 14.25"]),
        ("IBAN DE89 3704 0044 0532 0130 00 EUR 55.00", ["EUR 55.00"]),
        ("Rechnung 2024 500 EUR", ["500 EUR"]),
        ("৳ ১,২০০ টাকা", ["৳ ১,২০০ টাকা"]),
    ],
)
def test_amounts_are_found_in_the_order_of_the_note(note: str, amounts: list[str]) -> None:
    assert find_amounts(note) == amounts


@pytest.mark.parametrize(("note", "amount"), [("Total 450.00 net", "450.00"), ("Summe: 1.200,00", "1.200,00")])
def test_a_number_without_a_currency_is_an_amount_after_a_word_that_says_so(note: str, amount: str) -> None:
    assert find_amounts(note) == [amount]


@pytest.mark.parametrize(
    "note",
    [
        "",
        "due 12.03.2024, sent 2024-03-12, received 12/03/2024",
        "Invoice INV-2024-0117, customer no. 4711",
        "IBAN DE89 3704 0044 0532 0130 00",
        "19 % VAT, discount 2,5%",
        "3 boxes of 12 pens",
        "total: 3 items",
        "Summe: 19 %",
        "ALL 5 invoices, TOP 10",
        "30 krona-free words, 7 eurobonds",
        "12.03.2024 EUR",
    ],
)
def test_other_numbers_are_no_amounts(note: str) -> None:
    assert find_amounts(note) == []


def test_an_amount_that_stands_twice_is_asked_for_once() -> None:
    assert find_amounts("5 EUR, then again 5 EUR and 6 EUR") == ["5 EUR", "6 EUR"]


def test_a_note_falls_into_clauses_between_amounts_dates_and_marks() -> None:
    note = "Rent (two rooms) 5 EUR due 12.03.2024, please: IBAN DE89 3704 0044 0532 0130 00 Re FV/97/01/2024"
    parts = [clause.strip() for clause in clauses(note) if clause.strip()]
    assert parts == ["Rent", "two rooms", "due", "please", "IBAN", "Re FV/97/01/2024"]


@given(st.text(alphabet="019 .,'’-–:€$%/EURkrDE\n", max_size=200))
def test_whatever_is_found_stands_in_the_note(note: str) -> None:
    for amount in find_amounts(note):
        assert amount in note
        assert any(character.isdigit() for character in amount)


@pytest.mark.parametrize("piece", ["1.1,", "1 ", "9", "A ", "Aa ", "DE89 ", "- ", "EUR ", "1 200 ", "total "])
def test_a_hostile_note_takes_no_longer_than_its_length(piece: str) -> None:
    began = time.process_time()
    find_amounts(piece * (4_000 // len(piece)))
    assert time.process_time() - began < 0.5
