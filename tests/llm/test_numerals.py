"""Numbers in any script and notation are one value; a number inside a longer one is none."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backoffice.llm.numerals import numbers_in

ZEROS = "0٠۰०০੦૦୦௦೦๐０𝟎"


def _values(text: str) -> list[str]:
    return [str(value.normalize()) if value != value.to_integral() else str(int(value)) for value in numbers_in(text)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", []),
        ("no number", []),
        ("30", ["30"]),
        ("130", ["130"]),
        ("-30 and +30%", ["30"]),
        ("30.00 = 30,0", ["30"]),
        ("1,250.00 1.250,00 1 250 1\u00a0250 1\u202f250,0 1'250 1’250 1,250 1.250", ["1250"]),
        ("1,234,567.5 1.234.567,5 1 234 567,5", ["1234567.5"]),
        ("12,50,000 and 1,00,00,000", ["1250000", "10000000"]),
        ("0.125 0,125", ["0.125"]),
        ("1234,567", ["1234.567"]),
        ("3.5 and 12.30", ["3.5", "12.3"]),
        ("২৫০ ৩০", ["250", "30"]),
        ("١٬٢٥٠٫٥", ["1250.5"]),
        ("01.03.2026", ["1", "3", "2026"]),
        ("2026-03-01T12:30", ["2026", "3", "1", "12", "30"]),
        ("version 3.5.1", ["3", "5", "1"]),
        ("1,2,3", ["1", "2", "3"]),
        ("10, 20, 30.", ["10", "20", "30"]),
        ("2026 100", ["2026", "100"]),
        ("1 25", ["1", "25"]),
        ("5 30-day periods", ["5", "30"]),
        ("1,25,00", ["1", "25", "0"]),
        ("1.250.00", ["1", "250", "0"]),
        ("1,250,50", ["1", "250", "50"]),
        ("1٫250", ["1.25"]),
        ("5'3", ["5", "3"]),
        ("RE-2024-17 §4a", ["2024", "17", "4"]),
        ("½ 2¼ m² Ⅳ", ["2", "0.5", "0.25", "4"]),
        ("一般", []),
        ("９", ["9"]),
        ("１，２５０．５ and 1’250.5", ["1250.5"]),
        ("5 million, 5 Mio. EUR and 5,000,000", ["5000000"]),
        ("1.5 lakh and 1,50,000 and ১.৫ লাখ", ["150000"]),
        ("3k and 3 thousand", ["3000"]),
        ("2 crore", ["20000000"]),
        ("5 millionaires, 5 km and 5 Kilo", ["5"]),
    ],
)
def test_each_notation_is_read(text: str, values: list[str]) -> None:
    assert _values(text) == values


def test_a_value_remembers_how_it_was_written_first() -> None:
    assert numbers_in("১,২৫০ and 1250") == {Decimal(1250): "১,২৫০"}


@pytest.mark.parametrize("zero", ZEROS)
@given(number=st.integers(min_value=0, max_value=10**12))
def test_digits_of_every_script_are_the_same_number(zero: str, number: int) -> None:
    written = "".join(chr(ord(zero) + int(digit)) for digit in str(number))
    assert list(numbers_in(f"a {written} b")) == [Decimal(number)]


@given(st.integers(min_value=0, max_value=10**15), st.integers(min_value=0, max_value=99))
def test_grouping_and_decimal_notation_do_not_matter(whole: int, cents: int) -> None:
    english = f"{whole:,}.{cents:02}"
    german = english.translate(str.maketrans(",.", ".,"))
    french = english.translate(str.maketrans(",.", "\u202f,"))
    expected = [Decimal(f"{whole}.{cents:02}")]
    assert list(numbers_in(english)) == list(numbers_in(german)) == list(numbers_in(french)) == expected


@given(st.text(alphabet="0123456789.,' \u00a0a০½", max_size=40))
def test_any_text_is_read(text: str) -> None:
    assert all(value >= 0 for value in numbers_in(text))


def test_a_number_of_any_length_is_read() -> None:
    assert len(numbers_in("9" * 20_000 + ",000 " + "1." * 20_000)) == 2
