"""What is not certain is an error with a code, words the model can act on, and candidates where there are some."""

import pytest

from summarizer.amounts import ERROR_CODES, normalize_amount
from tests.summarizer.amounts.reading import amount_of, candidates_of, error_of


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("8 EUR and 9 EUR", "multiple_amounts"),
        ("net 8.00, gross 9.52", "multiple_amounts"),
        ("8 EUR (9 USD)", "multiple_amounts"),
        ("8 EUR, 8 EUR", "multiple_amounts"),
        ("80-90 EUR", "range"),
        ("80 - 90 EUR", "range"),
        ("80 EUR – 90 EUR", "range"),
        ("$80 to $90", "range"),
        ("80 bis 90 Euro", "range"),
        ("between 80 and 90 EUR", "range"),
        ("2 x 80 EUR", "calculation"),
        ("2×80 EUR", "calculation"),
        ("80 EUR * 2", "calculation"),
        ("3 @ 80 EUR", "calculation"),
        ("80 EUR + 9 EUR", "calculation"),
        ("19 %", "percentage"),
        ("19 % VAT", "percentage"),
        ("19 Prozent", "percentage"),
        ("1.234.56", "malformed_number"),
        ("1,23,4567", "malformed_number"),
        ("1..5 EUR", "malformed_number"),
        ("1,2,3 EUR", "malformed_number"),
        ("1,234.567,89 EUR", "malformed_number"),
        ("1.234'567 EUR", "malformed_number"),
        ("12 34,56 EUR", "malformed_number"),
        ("1 234 5678 EUR", "malformed_number"),
        ("007 EUR", "malformed_number"),
        ("1e3 EUR", "malformed_number"),
        ("6€5$70", "malformed_number"),
        ("6.5$123", "malformed_number"),
        ("012,345 EUR", "malformed_number"),
        ("8 EUR USD", "currency_conflict"),
        ("$8 EUR", "currency_conflict"),
        ("EUR/USD 1.08", "currency_conflict"),
        ("1/2 EUR", "fraction"),
        ("2½ EUR", "fraction"),
        ("Taxi-8 EUR", "ambiguous_sign"),
        ("8-EUR", "ambiguous_sign"),
        ("deposit (8 EUR) paid", "ambiguous_sign"),
        ("-(8 EUR)", "ambiguous_sign"),
        ("", "no_amount"),
        ("   ", "no_amount"),
        ("-", "no_amount"),
        ("NaN", "no_amount"),
        ("Infinity EUR", "no_amount"),
        ("EUR", "no_amount"),
        ("free delivery", "no_amount"),
        ("9" * 40 + " EUR", "too_long"),
        ("8 EUR" + " " * 4000, "too_long"),
        (None, "not_text"),
        (b"8 EUR", "not_text"),
        (8.5, "not_text"),
        (["8 EUR"], "not_text"),
    ],
)
def test_an_uncertain_amount_is_refused_with_its_reason(text: object, code: str) -> None:
    assert error_of(text) == code


@pytest.mark.parametrize(
    "between",
    [
        "to", "up to", "bis", "bis zu", "à", "a", "fino a", "hasta", "até", "tot", "til", "till", "do", "až", "до",
        "έως", "ila", "ile", "hingga", "đến", "إلى", "עד", "से", "থেকে", "至", "到", "から", "에서", "ถึง", "…", "...",
        "~", "–", "->", "→", "max.",
    ],
)  # fmt: skip
def test_two_ends_in_any_language_are_a_range(between: str) -> None:
    assert error_of(f"80 {between} 90 EUR") == "range"
    assert error_of(f"EUR 80 {between} 90") == "range"


@pytest.mark.parametrize(
    "text", ["80…90 EUR", "80到90元", "80에서 90원", "80から90円", "da 80 a 90 euro", "80...90 EUR"]
)
def test_two_ends_without_spaces_or_with_a_word_before_are_a_range(text: str) -> None:
    assert error_of(text) == "range"


@pytest.mark.parametrize(
    "times",
    ["x", "×", "⋅", "mal", "times", "fois", "veces", "vezes", "volte", "keer", "gånger", "раза по"],
)
def test_a_multiplication_in_any_language_is_a_calculation(times: str) -> None:
    assert error_of(f"3 {times} 80 EUR") == "calculation"
    assert error_of(f"EUR 80 {times} 3") == "calculation"


@pytest.mark.parametrize("text", ["3 pcs x 80 EUR", "3 Stück × 80 EUR"])
def test_a_count_times_a_price_is_a_calculation(text: str) -> None:
    assert error_of(text) == "calculation"


@pytest.mark.parametrize("text", ["80 or 90 EUR", "80 oder 90 EUR", "80 ou 90 EUR", "80 или 90 EUR", "80 and 90 EUR"])
def test_one_of_two_numbers_is_more_than_one_amount(text: str) -> None:
    assert error_of(text) == "multiple_amounts"


@pytest.mark.parametrize("text", ["3 nights and 80 EUR", "room 3 and 80 EUR", "3 times: 80 EUR", "max. 80 EUR"])
def test_a_word_that_joins_no_two_amounts_is_passed_over(text: str) -> None:
    assert amount_of(text) == ("80.00", "EUR")


@pytest.mark.parametrize("text", ["8 EUR and 9 EUR", "80-90 EUR", "", None])
def test_an_error_has_a_code_a_message_and_candidates(text: object) -> None:
    result = normalize_amount(text)
    assert set(result) == {"error", "message", "candidates"}
    assert result["error"] in ERROR_CODES
    assert result["message"].endswith(".")


def test_the_candidates_are_the_amounts_that_were_found() -> None:
    assert candidates_of("8 EUR and 9.50 USD") == ["8.00 EUR", "9.50 USD"]


@pytest.mark.parametrize(
    ("text", "flag"), [("64.00 CR", "credit"), ("CR 64.00", "credit"), ("64.00 DR", "debit"), ("EUR 64 DR", "debit")]
)
def test_credit_and_debit_give_the_magnitude_and_a_flag(text: str, flag: str) -> None:
    assert amount_of(text)[0] == "64.00"
    assert flag in normalize_amount(text)["flags"]
