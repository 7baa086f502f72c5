"""The check of a summary: every number in it must be in the note or be an amount that the tool gave."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summarizer.amounts import normalize_amount
from summarizer.numbers import unsupported_numbers
from tests.summarizer.amounts.locales import GROUPED_LOCALES, Written, amounts_in


def result_of(amount: str) -> dict[str, Any]:
    return {"amount_minor": 654320, "currency": "EUR", "exponent": 2, "amount": amount, "flags": []}


@pytest.mark.parametrize(
    "written",
    [
        "6543.20", "6543.2", "6543,20", "6,543.20", "6.543,20", "6 543,20", "6\u00a0543,20", "6\u202f543.20",
        "6'543.20", "6’543.20", "-6543.20", "−6.543,20", "৬,৫৪৩.২০", "６５４３．２０", "٦٬٥٤٣٫٢٠", "EUR6,543.20",
        "6543.200",
    ],
)  # fmt: skip
def test_an_amount_of_the_tool_backs_every_way_to_write_it(written: str) -> None:
    assert unsupported_numbers(f"The sum of {written} was paid.", "a note", [result_of("6543.20")]) == []


@pytest.mark.parametrize("written", ["654320", "6543", "6543.21", "543.20", "65.4320", "65432", "6,543,20"])
def test_it_backs_no_other_number(written: str) -> None:
    assert unsupported_numbers(f"The sum of {written} was paid.", "a note", [result_of("6543.20")]) != []


@pytest.mark.parametrize("written", ["6543", "6,543", "6.543", "6 543", "6543.00", "6,543.00"])
def test_minor_units_of_zero_may_be_left_out(written: str) -> None:
    assert unsupported_numbers(f"paid {written}", "", [result_of("6543.00")]) == []


@pytest.mark.parametrize(
    "written", ["12,50,000.00", "1,250,000", "12.5 lakh", "1.25 million", "1,25 Mio.", "125万", "1.25M", "1250k"]
)
def test_indian_groups_and_magnitudes_are_ways_to_write_an_amount(written: str) -> None:
    assert unsupported_numbers(f"paid {written} in all", "", [result_of("1250000.00")]) == []


@pytest.mark.parametrize(
    ("summary", "unsupported"),
    [
        ("12.5 million was paid", ["12.5"]),
        ("12.5 lakh was paid", []),
        ("1,250,000 was paid", []),
        ("12.5 was paid", []),
    ],
)
def test_a_magnitude_belongs_to_its_number(summary: str, unsupported: list[str]) -> None:
    assert unsupported_numbers(summary, "received 12.5 lakh", []) == unsupported


@pytest.mark.parametrize(
    ("summary", "note"),
    [
        ("on 12 March 2024", "12.03.2024"),
        ("2024-03-12", "12/03/2024"),
        ("invoice 4711", "INV-4711: paid"),
        ("invoice 001", "RE-2024-001"),
        ("at 10:30", "10:30"),
        ("19% of it", "19 % VAT"),
        ("3 pieces", "3 Stück"),
        ("1,234 sheets", "1.234 sheets"),
        ("5 t of sand", "5 tonnes of sand"),
        ("refund of 42", "refund of -42"),
        ("১২ pieces", "12 pieces"),
        ("A4 paper", "A4 paper"),
        ("5 and 200", "5 and 200"),
        ("0.5 litres", ".5 litres"),
        ("no number", "at all"),
        ("", ""),
    ],
)
def test_a_number_of_the_note_backs_itself_in_any_notation(summary: str, note: str) -> None:
    assert unsupported_numbers(summary, note, []) == []


@pytest.mark.parametrize(
    ("summary", "note", "unsupported"),
    [
        ("30 pieces", "130 pieces", ["30"]),
        ("30 pieces", "301 pieces", ["30"]),
        ("200 EUR", "1.200,50 EUR", ["200"]),
        ("200 EUR", "5 200,00 EUR", ["200"]),
        ("2025", "12.03.2024", ["2025"]),
        ("13.03.2024", "12.03.2024", ["13.03.2024"]),
        ("paid 1, 2 and 3", "paid 1", ["2", "3"]),
        ("7 and 7 and 7", "none", ["7"]),
        ("0.45", "45", ["0.45"]),
        ("1.5", "15", ["1.5"]),
    ],
)
def test_a_number_that_is_nowhere_is_returned_as_written(summary: str, note: str, unsupported: list[str]) -> None:
    assert unsupported_numbers(summary, note, []) == unsupported


@pytest.mark.parametrize(
    ("summary", "note"),
    [
        ("43.70 EUR", "invoice 43: 70 EUR"),
        ("43,70", "43 EUR, 70 kg"),
        ("5 700 EUR", "item 5, 700 EUR"),
        ("7,04 EUR", "7.04.2031"),
        ("7.04 EUR", "7.04.2031"),
        ("EUR 7.04", "7.04.2031"),
    ],
)
def test_two_numbers_of_the_note_do_not_back_one_made_of_both(summary: str, note: str) -> None:
    assert unsupported_numbers(summary, note, []) != []


@pytest.mark.parametrize(
    ("summary", "note"),
    [
        ("due 07.04.", "2031-04-07"),
        ("7.4.2031", "07.04.31"),
        ("at 14.30", "14:30"),
        ("on 7 April 2031", "7.4.31"),
        ("DE75512108001245126199", "DE75 5121 0800 1245 1261 99"),
        ("DE75 5121 0800 1245 1261 99", "DE75512108001245126199"),
        ("+4930321450", "+49 30 321450"),
        ("030/321450", "030 321 450"),
        ("45 लाख", "45 लाख"),
        ("7`345", "7345"),
    ],
)
def test_dates_and_long_numbers_are_backed_in_any_grouping(summary: str, note: str) -> None:
    assert unsupported_numbers(summary, note, []) == []


@pytest.mark.parametrize("written", ["43k EUR", "43 k EUR", "43M EUR", "EUR 43B", "43 mil EUR", "43 MEUR", "43百"])
def test_a_number_does_not_back_itself_with_a_magnitude(written: str) -> None:
    assert unsupported_numbers(f"paid {written}", "paid 43 EUR", [result_of("43.00")]) != []


@pytest.mark.parametrize(
    ("note", "amount", "wrong"),
    [
        ("7,5 Mio. EUR", "7500000.00", ["7.5 EUR", "7,50", "7.5 Mrd. EUR", "75 Mio. EUR"]),
        ("7k EUR", "7000.00", ["7 EUR", "700000 EUR", "7 Mio. EUR"]),
        ("$7M", "7000000.00", ["$7", "7000 USD", "7,000,000,000 USD"]),
        ("7万円", "70000", ["7円", "700000円"]),
    ],
)
def test_a_magnitude_of_the_note_belongs_to_its_number(note: str, amount: str, wrong: list[str]) -> None:
    assert unsupported_numbers(f"It was {note}.", note, [result_of(amount)]) == []
    for written in wrong:
        assert unsupported_numbers(f"It was {written}.", note, [result_of(amount)]) != [], written


@pytest.mark.parametrize(
    ("note", "amount", "wrong"),
    [
        ("KWD 7.345", "7.345", "7345 KWD"),
        ("7.345 EUR", "7345.00", "7.35 EUR"),
        ("7.500 EUR", "7500.00", "7.50 EUR"),
        ("7,500 USD", "7500.00", "7.5 USD"),
    ],
)
def test_what_the_tool_made_of_a_number_is_what_the_number_means(note: str, amount: str, wrong: str) -> None:
    assert unsupported_numbers(note, note, [result_of(amount)]) == []
    assert unsupported_numbers(wrong, note, [result_of(amount)]) != []


@pytest.mark.parametrize("written", ["1.25 MEUR", "1250 TEUR", "12.5 लाख", "১২.৫ লাখ", "125 万"])
def test_a_magnitude_in_the_currencys_word_or_with_vowel_signs_is_read(written: str) -> None:
    assert unsupported_numbers(f"paid {written}", "", [result_of("1250000.00")]) == []


@pytest.mark.parametrize(
    "result",
    [
        {"error": "multiple_amounts", "message": "More than 60.", "candidates": ["60.00 EUR"]},
        {"error": "x", "amount": "60.00"},
        {"amount": 60},
        {"amount": "sixty"},
        {"amount": None},
        {"amount_minor": 60},
        {"flags": ["60"]},
        {},
    ],
)
def test_an_error_and_anything_but_an_amount_back_nothing(result: Mapping[str, Any]) -> None:
    assert unsupported_numbers("paid 60", "a note", [result]) == ["60"]


def test_each_result_backs_its_amount() -> None:
    assert unsupported_numbers("60 and 70.50", "", [result_of("60.00"), result_of("70.50")]) == []


@settings(max_examples=400)
@given(amounts_in(GROUPED_LOCALES))
def test_an_amount_the_tool_gave_is_backed_as_babel_writes_it_in_any_locale(amount: Written) -> None:
    result = normalize_amount(f"{amount.code} {amount.value:f}")
    year_in_the_name = amount.named and "(" in amount.text
    if "error" not in result and not year_in_the_name:
        assert unsupported_numbers(f"It was {amount.text}.", "a note", [result]) == [], (amount, result)


@settings(max_examples=300)
@given(st.text(max_size=80), st.text(max_size=80), st.lists(st.dictionaries(st.text(max_size=8), st.text(max_size=8))))
def test_what_is_returned_stands_in_the_summary_and_no_text_raises(
    summary: str, note: str, results: list[dict[str, str]]
) -> None:
    assert all(number in summary for number in unsupported_numbers(summary, note, results))


@given(st.text(max_size=120))
def test_a_text_backs_all_its_own_numbers(text: str) -> None:
    assert unsupported_numbers(text, text, []) == []
