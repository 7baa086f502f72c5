"""Minor units by ISO 4217, half up and away from zero, whatever the program around does to decimals."""

import decimal
import sys

import pytest

from summarizer.amounts import normalize_amount
from tests.summarizer.amounts.reading import amount_of, error_of, flags_of

DECIMALS = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    2: "EUR USD MGA MRU DEM",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}


@pytest.mark.parametrize(
    ("code", "exponent"), [(code, exponent) for exponent, codes in DECIMALS.items() for code in codes.split()]
)
def test_each_currency_has_the_decimals_of_iso_4217(code: str, exponent: int) -> None:
    result = normalize_amount(f"{code} 17")
    assert (result["exponent"], result["amount_minor"]) == (exponent, 17 * 10**exponent)
    assert result["amount"] == ("17." + "0" * exponent).rstrip(".")


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("0.005 EUR", "0.01"),
        ("-0.005 EUR", "-0.01"),
        ("2.3449 EUR", "2.34"),
        ("1,099.995 USD", "1100.00"),
        ("JPY 10.5", "11"),
    ],
)
def test_half_a_minor_unit_is_rounded_away_from_zero_and_flagged(text: str, amount: str) -> None:
    assert amount_of(text)[0] == amount
    assert "rounded" in flags_of(text)


def test_decimals_that_are_zero_are_not_rounded() -> None:
    assert flags_of("12.3000 EUR") == []


def test_there_is_no_negative_zero() -> None:
    result = normalize_amount("-0.001 EUR")
    assert (result["amount_minor"], result["amount"]) == (0, "0.00")


@pytest.mark.parametrize(
    ("text", "amount"), [("KWD 5.678", "5.678"), ("5.678 OMR", "5.678"), ("1.005,678 TND", "1005.678")]
)
def test_a_dot_before_three_digits_is_a_decimal_in_a_three_decimal_currency(text: str, amount: str) -> None:
    assert amount_of(text)[0] == amount
    assert "ambiguous_separator" not in flags_of(text)


@pytest.mark.parametrize("text", ["KWD 5,678", "5,678 JOD", "5.678 dinar"])
def test_a_comma_there_or_a_currency_that_may_have_three_decimals_is_an_error(text: str) -> None:
    assert error_of(text) == "ambiguous_separator"
    assert [c.split()[0] for c in normalize_amount(text)["candidates"]] == ["5678.000", "5.678"]


def test_no_decimal_context_changes_an_amount() -> None:
    before = normalize_amount("98765432109876543210.125 EUR")
    with decimal.localcontext(decimal.Context(prec=2, rounding=decimal.ROUND_DOWN, traps=[decimal.Inexact])):
        assert normalize_amount("98765432109876543210.125 EUR") == before
    assert before["amount"] == "98765432109876543210.13"


def test_no_limit_on_integer_strings_changes_an_amount() -> None:
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        assert error_of("9" * 700 + " EUR") == "too_long"
        assert amount_of("9" * 30 + " EUR")[0] == "9" * 30 + ".00"
    finally:
        sys.set_int_max_str_digits(limit)
