"""Numbers in any script and notation are one value; a number inside a longer one is none."""

import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backoffice.llm.numerals import Written, numbers_in, written_in

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
        ("½ 2¼ m² Ⅳ", ["0.5", "2.25", "2", "4"]),
        ("一般", []),
        ("９", ["9"]),
        ("１，２５０．５ and 1’250.5", ["1250.5"]),
        ("5 million, 5 Mio. EUR and 5,000,000", ["5000000"]),
        ("1.5 lakh and 1,50,000 and ১.৫ লাখ", ["150000"]),
        ("3k and 3 thousand", ["3000"]),
        ("2 crore", ["20000000"]),
        ("5 millionaires, 5 km and 5 Kilo", ["5"]),
        (".30 EUR, $.60 and (,5)", ["0.3", "0.6", "0.5"]),
        ("No.30, x,30 and 7...30", ["30", "7"]),
        ("30e3, 3E4 and 300000e-1", ["30000"]),
        ("1e\u22122 and 7e3x", ["0.01", "7", "3"]),
        ("1e99999", ["1", "99999"]),
        ("3\u200b0, 3\u00ad0, 3\u03320 and 3\ufeff0", ["30"]),
        ("30_30 and 30\u200a30", ["3030"]),
        ("1,\u200b250", ["1250"]),
        ("12\n500 and 12\r\n500", ["12500"]),
        ("2½ % and 30½", ["2.5", "30.5"]),
        ("2·5", ["2.5"]),
    ],
)
def test_each_notation_is_read(text: str, values: list[str]) -> None:
    assert _values(text) == values


def test_every_number_stands_where_it_is_written_as_often_as_it_is() -> None:
    text = "14711: 4711 is ½ of 4711"
    places = [(text[number.start : number.end], number.value) for number in written_in(text)]
    assert places == [("14711", 14711), ("4711", 4711), ("½", Decimal("0.5")), ("4711", 4711)]
    assert list(written_in("x 5 million")) == [Written(Decimal(5_000_000), 2, 11)]


def test_a_value_remembers_how_it_was_written_first() -> None:
    assert numbers_in("১,২৫০ and 1250") == {Decimal(1250): "১,২৫০"}


@pytest.mark.parametrize(
    "gap",
    [
        " ",
        "  ",
        "\n",
        " \r\n",
        "\n> ",
        "-",
        " - ",
        "\u2011",
        "–",
        "\u00a0",
        "\u200b",
        " **",
        "** ",
        "* _",
        " (",
        ") ",
        "+ ",
        " €",
    ],
)
def test_whatever_stands_between_a_number_and_its_magnitude_does_not_part_them(gap: str) -> None:
    assert _values(f"30{gap}million") == ["30000000"]


@pytest.mark.parametrize("gap", [". ", ", ", "; ", ": ", "/", " % ", "\n\n", "\n- ", "\n2. ", "\n| ", "\n# ", " of "])
def test_a_magnitude_that_begins_something_else_is_not_the_number_s(gap: str) -> None:
    assert "30" in _values(f"30{gap}million")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("30M EUR, 30m€, 30 Mio. EUR, 30 Mill. EUR, 30 MEUR, 30 mn, Mio. EUR 30, €m 30, EURm 30", ["30000000"]),
        ("30 EUR million, EUR million 30, 30 MUSD, USD30M and USD (million) 30", ["30000000"]),
        ("30k, 30 K, 30 T€, 30 T EUR, 30 TEUR, TEUR 30, T€30, k€ 30, 30 Teuro, 30 Tsd. Euro, 30kUSD", ["30000"]),
        ("30 Cr, 30 crores, ৩০ কোটি and ৩০ কোটির", ["300000000"]),
        ("30 L, 30 lakhs and ३० लाख", ["3000000"]),
        ("30 bn, 30B, 30 Mrd. €, 30 Milliarden and 30 Md€", ["30000000000"]),
        ("30万, 30万円 and 30만원", ["300000"]),
        ("30億, 30億円 and 30亿", ["3000000000"]),
        ("30 тысяч, 30 тыс., 30 हज़ार, 30 हजार, 30 mille, 30 mila, 30 tusen and ৩০ হাজারের", ["30000"]),
        ("30 millones, 30 миллионов, 30 milhões, 30 miljoen and 30 ล้านบาท", ["30000000"]),
        ("30 trillion and 30 Billionen", ["30000000000000"]),
        ("30 Dutzend and 30 dozen", ["360"]),
        ("30 ｍｉｌｌｉｏｎ and 30 mil\u200blion", ["30000000"]),
        ("5 hundred thousand", ["500000"]),
        ("½ million", ["500000"]),
        ("5 million EUR 30 days", ["5000000", "30"]),
        ("30 EUR a day, 31 EUR per L, EUR 32, a sum of EUR 33 and 34 EUR", ["30", "31", "32", "33", "34"]),
        ("§ 4 (k), 5 [b] and 401(k)", ["4", "5", "401"]),
        ("30 Tage, 30 TAGE, 30 MAD and 30 শতাংশ", ["30"]),
        ("k 30 and million 31", ["30", "31"]),
    ],
)
def test_a_magnitude_counts_behind_a_number_and_beside_a_currency_before_it(text: str, values: list[str]) -> None:
    assert _values(text) == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("5 to 10 million", ["5000000", "10000000"]),
        ("5–10 Mio. EUR", ["5000000", "10000000"]),
        ("€5-€10 million", ["5000000", "10000000"]),
        ("৫ থেকে ১০ লাখ", ["500000", "1000000"]),
        ("30, 40 or 50 million", ["30000000", "40000000", "50000000"]),
        ("500 to 1 million", ["500", "1000000"]),
        ("5 days or 10 million", ["5", "10000000"]),
        ("In 2, 5 million", ["2", "5000000"]),
    ],
)
def test_the_magnitude_of_a_range_is_that_of_both_its_ends(text: str, values: list[str]) -> None:
    assert _values(text) == values


@pytest.mark.parametrize("word", ["T", "t", "mil"])
def test_a_magnitude_of_two_meanings_equals_nothing_but_itself(word: str) -> None:
    (value,) = numbers_in(f"30 {word}")
    assert list(numbers_in(f"30{word}.")) == [value]
    others = ["", "k", "m", "b", "l", "cr", "thousand", "million", "trillion"]
    assert value not in {each for other in others for each in numbers_in(f"30 {other}")}


def test_a_number_is_told_as_it_stands_in_the_text_with_its_magnitude() -> None:
    text = "1’250.5, 30 **million** and TEUR 7"
    assert list(numbers_in(text).values()) == ["1’250.5", "30 **million", "7"]
    assert all(written in text for written in numbers_in(text).values())


@pytest.mark.parametrize("zero", ZEROS)
@given(number=st.integers(min_value=0, max_value=10**12))
def test_digits_of_every_script_are_the_same_number(zero: str, number: int) -> None:
    written = "".join(chr(ord(zero) + int(digit)) for digit in str(number))
    assert list(numbers_in(f"x {written} y")) == [Decimal(number)]


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


@pytest.mark.parametrize(
    "piece",
    ["½", "1½", "1\u200b", "30 million ", "30 million to ", "€ ", "k€", "1,", "1\n", "x 30 EUR ", "1e5", "_", "T "],
)
def test_time_is_linear_in_the_text(piece: str) -> None:
    started = time.process_time()
    numbers_in("30 " + piece * (40_000 // len(piece)))
    assert time.process_time() - started < 10
