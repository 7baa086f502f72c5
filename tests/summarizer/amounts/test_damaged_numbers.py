"""Pieces that may be one number which a space or an unknown sign cut in two are an error, and none of them is read."""

import pytest

from tests.summarizer.amounts.reading import amount_of, error_of


@pytest.mark.parametrize(
    "text",
    [
        "7. 345 EUR",
        "7, 345.60 EUR",
        "EUR 7,345. 60",
        "7 3456 EUR",
        "7.3 45,60 EUR",
        "73.4 5 EUR",
        "EUR 73.4 5",
        "7.345, 60 EUR",
        "7.345 60 EUR",
        "7.345 678 EUR",
        "700 000 0,00 EUR",
        "7345 600,00 EUR",
        "0. 73 EUR",
        "0 .73 EUR",
        "7 ,50 EUR",
        "$7 00",
        "€7 0",
        "EUR 7 3 4",
        "EUR 7 345 67",
    ],
)
def test_pieces_of_one_number_with_a_space_between_are_malformed(text: str) -> None:
    assert error_of(text) == "malformed_number"


@pytest.mark.parametrize("text", ["EUR 734, 2 Personen", "EUR 734, 12 kg", "EUR 734, 12 pcs", "Belegnummer 8 734 EUR"])
def test_a_count_behind_an_amount_and_a_comma_is_no_piece_of_it(text: str) -> None:
    assert amount_of(text) == ("734.00", "EUR")


@pytest.mark.parametrize("sign", ["_", ";", '"', "•", "‚", "。", "|", "^", "#", "\\", "!", "¸", "_'"])
def test_a_sign_glued_between_digits_that_no_number_has_is_malformed(sign: str) -> None:
    for text in (f"EUR 7{sign}345.60", f"7{sign}345.60 EUR", f"EUR 7{sign}345", f"EUR 73{sign}50"):
        assert error_of(text) == "malformed_number", text


@pytest.mark.parametrize("text", ["7.3O5 EUR", "7.345,S0 EUR", "EUR 7l5", "7.3OO,50 EUR", "EUR 7.345,O0"])
def test_a_letter_between_digits_that_looks_like_one_makes_the_number_malformed(text: str) -> None:
    assert error_of(text) == "malformed_number"


@pytest.mark.parametrize("sign", "`´’‘‛ʼʹ′")
def test_signs_that_are_read_as_an_apostrophe_group_digits(sign: str) -> None:
    assert amount_of(f"CHF 7{sign}345.60") == ("7345.60", "CHF")


@pytest.mark.parametrize(
    "text",
    [
        "20310714 7.345,60 EUR",
        "4006381333931 7.345,60 EUR",
        "8123 7.345,60 EUR",
        "Rechnung 8123, 7.345,60 EUR",
        "Zimmer 12, 7.345,60 EUR",
        "8123;7.345,60 EUR",
        "14.07.2031 7.345,60 EUR",
        "Belegnr. 8123 7.345,60 EUR",
        "EUR 7.345,60, 3 Personen",
        "8 %, 7.345,60 EUR",
    ],
)
def test_numbers_that_cannot_be_one_are_read_apart(text: str) -> None:
    assert amount_of(text) == ("7345.60", "EUR")


@pytest.mark.parametrize(
    "text", ["AED.7300", "Aed.7300", "Ksh.7300", "RM.73", "Rp.7300", "rs.730", "RS.730", "Kr.73", "kr.7.345,60", "L.73"]
)
def test_a_dot_behind_a_currency_is_the_currencys(text: str) -> None:
    digits = text.partition(".")[2].replace(".", "").replace(",", ".")
    assert amount_of(text)[0].startswith(digits)


@pytest.mark.parametrize("text", ["EUR.45", "usd.45", "ca.45 EUR", "Total.45 EUR", "l.200,50 EUR"])
def test_a_dot_that_may_be_the_words_or_the_numbers_is_in_doubt(text: str) -> None:
    assert error_of(text) == "ambiguous_separator"


@pytest.mark.parametrize("text", [".45 EUR", "EUR .45", "$.45", "€.45", "US$.45"])
def test_a_decimal_without_a_whole_part_stands_alone_or_behind_a_sign(text: str) -> None:
    assert amount_of(text)[0] == "0.45"
