"""Digits, groups, decimals and signs: the same amount however it is written."""

import pytest

from tests.summarizer.amounts.reading import amount_of, flags_of


@pytest.mark.parametrize(
    "text",
    [
        "7654.30 EUR",
        "7654,30 EUR",
        "7,654.30 EUR",
        "7.654,30 EUR",
        "7 654,30 EUR",
        "7\u00a0654.30 EUR",
        "7\u202f654,30 EUR",
        "7\u2009654,30 EUR",
        "7'654.30 EUR",
        "7’654,30 EUR",
        "7654.3 EUR",
        "７６５４．３０ EUR",
        "৭,৬৫৪.৩০ EUR",
        "७,६५४.३० EUR",
        "٧٬٦٥٤٫٣٠ EUR",
        "۷٬۶۵۴٫۳۰ EUR",
        "\u200f7,654.30\u200e EUR",
        "7&nbsp;654,30 EUR",
        "7654€30",
    ],
)
def test_groups_decimals_and_digits_of_any_script_are_read(text: str) -> None:
    assert amount_of(text) == ("7654.30", "EUR")


@pytest.mark.parametrize("text", ["45,67,890.25 INR", "45.67.890,25 INR", "45 67 890.25 INR", "45'67'890.25 INR"])
def test_indian_groups_are_read_with_every_separator(text: str) -> None:
    assert amount_of(text) == ("4567890.25", "INR")


@pytest.mark.parametrize("text", ["86,- EUR", "86.- EUR", "86.– EUR", "86,-- EUR", "86,— EUR", "EUR 86/-", "86. - EUR"])
def test_a_dash_for_the_minor_units_is_no_minus(text: str) -> None:
    assert amount_of(text) == ("86.00", "EUR")


@pytest.mark.parametrize(
    "text",
    [
        "-42 EUR",
        "−42 EUR",
        "–42 EUR",
        "- 42 EUR",
        "42- EUR",
        "42,00− EUR",
        "42 EUR-",
        "EUR -42",
        "EUR-42",
        "-EUR 42",
        "-€42",
        "(42 EUR)",
        "(€42)",
        "EUR (42)",
        "Refund -42 EUR",
    ],
)
def test_a_minus_before_or_after_and_brackets_are_negative(text: str) -> None:
    assert amount_of(text) == ("-42.00", "EUR")


@pytest.mark.parametrize("text", ["+42 EUR", "42+ EUR", "Taxi - 42 EUR", "42-Euro-Schein", "total: 42 EUR"])
def test_a_plus_a_dash_between_words_and_a_hyphen_are_positive(text: str) -> None:
    assert amount_of(text) == ("42.00", "EUR")


@pytest.mark.parametrize(
    ("text", "amount"), [("0.75 EUR", "0.75"), (".75 EUR", "0.75"), ("$.75", "0.75"), ("0,125 KWD", "0.125")]
)
def test_a_zero_or_nothing_before_the_separator_makes_it_a_decimal(text: str, amount: str) -> None:
    assert amount_of(text)[0] == amount


@pytest.mark.parametrize(
    ("text", "amount"), [("4.321 EUR", "4321.00"), ("4,321 USD", "4321.00"), ("Rp 4.321", "4321.00")]
)
def test_one_separator_and_three_digits_are_thousands_and_flagged(text: str, amount: str) -> None:
    assert amount_of(text)[0] == amount
    assert "ambiguous_separator" in flags_of(text)


@pytest.mark.parametrize("text", ["4,321.00 EUR", "4.321.000 EUR", "4 321 EUR", "4’321 CHF", "4321 EUR"])
def test_other_groups_are_certain(text: str) -> None:
    assert flags_of(text) == []


@pytest.mark.parametrize(("text", "amount"), [("Ft.45", "45.00"), ("Rs.45", "45.00"), ("Ft.45 Mrd", "45000000000.00")])
def test_a_dot_between_a_currency_and_digits_is_the_currencys(text: str, amount: str) -> None:
    assert amount_of(text)[0] == amount


def test_before_a_glued_magnitude_it_is_a_decimal_point() -> None:
    assert amount_of("Ft.75k")[0] == "750.00"


def test_a_space_behind_the_decimal_point_is_overlooked_at_the_end_of_the_text() -> None:
    assert amount_of("$86. 50")[0] == "86.50"
    assert amount_of("item 3. 50 EUR")[0] == "50.00"
