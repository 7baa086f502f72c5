"""Thousands, millions and more in letters and words, and amounts in two units."""

import pytest

from tests.summarizer.amounts.reading import amount_of, error_of, flags_of

IN_EUROS = {
    "3000.00": ["3k EUR", "€3k", "3 Tsd. EUR", "3 mil €", "3 тыс. €", "€ elfu 3"],
    "3000000.00": [
        "3 Mio. EUR",
        "3 mln €",
        "€3m",
        "3 million euros",
        "3 millions d'euros",
        "3 milhões de euros",
        "3 mil. EUR",
        "3 MEUR",
        "3 EUR million",
    ],
    "3000000000.00": ["3 Mrd. EUR", "€3bn", "3 milliards d'euros", "3 mil millones de euros"],
    "350000.00": ["€3.5 lakh"],
    "20000000.00": ["2 crore EUR"],
    "3000000000000.00": ["€ 3 lakh crore"],
    "30000.00": ["EUR 3万", "3만 유로"],
    "300000000.00": ["3億ユーロ"],
    "325000000.00": ["3억 2천 5백만 유로"],
    "1000000000000.00": ["1万億ユーロ"],
}


@pytest.mark.parametrize(("text", "amount"), [(text, amount) for amount, texts in IN_EUROS.items() for text in texts])
def test_a_magnitude_multiplies_the_number(text: str, amount: str) -> None:
    assert amount_of(text) == (amount, "EUR")


@pytest.mark.parametrize(
    ("text", "amount"),
    [("€4M", "4000000.00"), ("€4B", "4000000000.00"), ("€4 billion", "4000000000.00"), ("€4T", "4000000000000.00")],
)
def test_a_magnitude_that_means_more_elsewhere_is_flagged(text: str, amount: str) -> None:
    assert amount_of(text)[0] == amount
    assert "ambiguous_magnitude" in flags_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "4 Billionen Euro",
        "4 Billion Euro",
        "4,5 billion EUR",
        "4 billions d'euros",
        "un fonds de 4 billion EUR",
        "4 billones de euros",
    ],
)
def test_a_billion_of_the_long_scale_is_refused(text: str) -> None:
    assert error_of(text) == "ambiguous_magnitude"


@pytest.mark.parametrize("text", ["Rp 4 M", "4 B TRY", "€4.50x", "4 Cr", "₹4 CR"])
def test_letters_that_may_mean_another_power_are_refused(text: str) -> None:
    assert error_of(text) == "ambiguous_magnitude"


def test_cr_beside_rupees_is_a_crore() -> None:
    assert amount_of("₹4 Cr") == ("40000000.00", "INR")


@pytest.mark.parametrize(
    ("text", "amount"), [("12.345 milhões de euros", "12345000000.00"), ("€ 12,345 Millionen", "12345000.00")]
)
def test_the_language_of_the_magnitude_settles_the_separator(text: str, amount: str) -> None:
    assert amount_of(text)[0] == amount


def test_a_magnitude_of_many_languages_does_not() -> None:
    assert error_of("12.345 M EUR") == "ambiguous_separator"


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("6 GBP 1 pence", ("6.01", "GBP")),
        ("6 euro en 50 cent", ("6.50", "EUR")),
        ("6 Euro und 5 Cent", ("6.05", "EUR")),
        ("6 zł 20 gr", ("6.20", "PLN")),
        ("6 руб. 20 коп.", ("6.20", "RUB")),
        ("6元5角", ("6.50", "CNY")),
        ("6 JOD 250 fils", ("6.250", "JOD")),
        ("6 dollars 75", ("6.75", "USD")),
        ("6€ 75", ("6.75", "EUR")),
        ("to kroner og 75 øre", ("2.75", None)),
        ("75 cents", ("0.75", None)),
        ("75 pence", ("0.75", "GBP")),
    ],
)
def test_units_and_minor_units_make_one_amount(text: str, amount: tuple[str, str | None]) -> None:
    assert amount_of(text) == amount


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("6 EUR 5 pence", "currency_conflict"),
        ("6 euro 500 cent", "multiple_amounts"),
        ("sechzehn dollar 75 cents", "multiple_amounts"),
        ("sixteen dollars 75", "multiple_amounts"),
        ("Gate 12 EUR 80", "multiple_amounts"),
        ("6 EUR 5", "multiple_amounts"),
    ],
)
def test_units_that_do_not_fit_together_are_refused(text: str, code: str) -> None:
    assert error_of(text) == code
