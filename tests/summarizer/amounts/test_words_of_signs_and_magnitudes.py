"""Words and letters that turn an amount into another one: minus, cents, magnitudes, compound signs, look-alikes."""

import pytest

from summarizer.amounts import normalize_amount
from tests.summarizer.amounts.reading import amount_of, candidates_of, error_of, flags_of


@pytest.mark.parametrize("text", ["₿ 7", "₿7", "7 ₿", "BTC 7", "¤ 7", "₿ 7 50"])
def test_a_sign_without_a_code_never_raises(text: str) -> None:
    result = normalize_amount(text)
    assert "error" in result or result["currency"] is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("7N$", "NAD"),
        ("7J$", "JMD"),
        ("7E£", "EGP"),
        ("7G$", "GYD"),
        ("7L$", "LRD"),
        ("7B/.", "PAB"),
        ("TT$7", "TTD"),
        ("7 TT$", "TTD"),
        ("AR$ 7", "ARS"),
        ("RD$7", "DOP"),
        ("COL$ 7", "COP"),
        ("Bds$7", "BBD"),
    ],
)
def test_letters_and_a_sign_are_one_symbol_before_and_behind_the_number(text: str, code: str) -> None:
    assert amount_of(text) == ("7.00", code)
    assert flags_of(text) == []


@pytest.mark.parametrize("text", ["7B$", "7T$", "7T€", "M$ 7"])
def test_letters_that_may_be_a_magnitude_or_part_of_the_sign_are_refused(text: str) -> None:
    assert error_of(text) == "ambiguous_magnitude"


@pytest.mark.parametrize("text", ["7Z$", "7X£", "Z$7", "Q£7"])
def test_an_unknown_letter_at_a_sign_is_never_a_magnitude(text: str) -> None:
    result = normalize_amount(text)
    assert "error" in result or (result["amount"] == "7.00" and result["currency"] is None)


@pytest.mark.parametrize(
    ("text", "code"),
    [("HKD$ 7", "HKD"), ("7 HKD$", "HKD"), ("CAD$7", "CAD"), ("DOP$ 7", "DOP"), ("BRL$ 7", "BRL"), ("EUR€ 7", "EUR")],
)
def test_a_code_and_the_sign_of_the_same_currency_do_not_conflict(text: str, code: str) -> None:
    assert amount_of(text) == ("7.00", code)


@pytest.mark.parametrize(
    ("text", "code"),
    [("7 US-Dollar", "USD"), ("7 HK-Dollar", "HKD"), ("7 NZ-Dollar", "NZD"), ("7 CA-Dollar", "CAD")],
)
def test_a_country_in_short_before_a_unit_names_it(text: str, code: str) -> None:
    assert (amount_of(text)[1], flags_of(text)) == (code, [])


def test_an_unknown_country_in_short_before_a_unit_leaves_it_open() -> None:
    assert (amount_of("7 C-Dollar")[1], flags_of("7 C-Dollar")) == (None, ["ambiguous_currency"])


@pytest.mark.parametrize(
    "text",
    [
        "minus 7.25 EUR",
        "moins 7,25 EUR",
        "menos 7,25 €",
        "meno 7,25 €",
        "минус 7,25 руб.",
        "EUR minus 7.25",
        "less 7.25 EUR",
        "negative €7.25",
        "Saldo: minus EUR 7,25",
        "7,25 EUR minus",
    ],
)
def test_a_word_for_minus_is_never_lost(text: str) -> None:
    assert error_of(text) == "ambiguous_sign"


@pytest.mark.parametrize("text", ["less than 7.25 EUR", "moins de 7,25 EUR"])
def test_a_comparison_is_no_minus(text: str) -> None:
    assert amount_of(text) == ("7.25", "EUR")


@pytest.mark.parametrize(
    "text", ["MWST 7,00", "7,7% MWST: 7.00", "MUST 7.00", "MALL 7.00", "KRON 7.00", "TZAR 7.00", "TTRY 7.00"]
)
def test_a_word_in_capitals_is_no_magnitude_of_a_code(text: str) -> None:
    assert amount_of(text) == ("7.00", None)


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("7 MEUR", ("7000000.00", "EUR")),
        ("7 TCHF", ("7000.00", "CHF")),
        ("7 kZAR", ("7000.00", "ZAR")),
        ("7 USDm", ("7000000.00", "USD")),
        ("7EURk", ("7000.00", "EUR")),
        ("7 GBPbn", ("7000000000.00", "GBP")),
        ("7 MFt", ("7000000.00", "HUF")),
        ("7 mkr", ("7000000.00", None)),
        ("7 tkr", ("7000.00", None)),
        ("7 t.kr.", ("7000.00", None)),
        ("7 Mds €", ("7000000000.00", "EUR")),
        ("7 Mia CHF", ("7000000000.00", "CHF")),
    ],
)
def test_a_magnitude_in_one_word_with_its_currency_counts(text: str, amount: tuple[str, str | None]) -> None:
    assert amount_of(text) == amount


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("Mio. € 7", "7000000.00"),
        ("Mio EUR 7", "7000000.00"),
        ("Tsd. EUR 7", "7000.00"),
        ("Umsatz in Mrd. €: 7", "7000000000.00"),
        ("k€ 7", "7000.00"),
        ("T€ 7", "7000.00"),
        ("M€ 7", "7000000.00"),
    ],
)
def test_a_magnitude_before_the_sign_before_the_number_counts(text: str, amount: str) -> None:
    assert amount_of(text) == (amount, "EUR")


@pytest.mark.parametrize("text", ["Größe M EUR 7", "M EUR 7"])
def test_a_single_letter_apart_from_the_sign_is_in_doubt(text: str) -> None:
    assert error_of(text) == "ambiguous_magnitude"


def test_a_letter_that_names_a_thing_is_no_magnitude() -> None:
    assert amount_of("Plan B EUR 7") == ("7.00", "EUR")


@pytest.mark.parametrize(
    ("text", "amount"),
    [("$7tn", "7000000000000.00"), ("$7mm", "7000000.00"), ("$7 bil", "7000000000.00"), ("7 M", "7000000.00")],
)
def test_a_shortened_magnitude_is_flagged(text: str, amount: str) -> None:
    assert amount_of(text)[0] == amount
    assert "ambiguous_magnitude" in flags_of(text)


@pytest.mark.parametrize("text", ["$7t", "$7tr", "$1.5 mil", "US$ 7 mil"])
def test_a_magnitude_of_another_language_than_the_currencys_is_refused(text: str) -> None:
    assert error_of(text) == "ambiguous_magnitude"


@pytest.mark.parametrize(
    ("text", "amount"), [("7 mil pesos", "7000.00"), ("R$ 7 mil", "7000.00"), ("7 tr đ", "7000000")]
)
def test_it_counts_where_its_language_is_at_home(text: str, amount: str) -> None:
    assert amount_of(text)[0] == amount


@pytest.mark.parametrize("text", ["7 Billion EUR wurden bezahlt", "7 billion kroner er betalt"])
def test_a_billion_beside_words_of_a_long_scale_language_is_refused(text: str) -> None:
    assert error_of(text) == "ambiguous_magnitude"


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("20 euro cents", ("0.20", "EUR")),
        ("20 Euro-Cent", ("0.20", "EUR")),
        ("20 Eurocent", ("0.20", "EUR")),
        ("3 USD cents", ("0.03", "USD")),
        ("3 € cent", ("0.03", "EUR")),
        ("20 US cents", ("0.20", "USD")),
        ("50 cents USD", ("0.50", "USD")),
        ("50 sen MYR", ("0.50", "MYR")),
        ("150 GBX", ("1.50", "GBP")),
        ("7元5角5分", ("7.55", "CNY")),
        ("7 грн 20 коп", ("7.20", "UAH")),
        ("7 руб. 20 коп.", ("7.20", "RUB")),
    ],
)
def test_cents_are_hundredths_wherever_their_currency_is_named(text: str, amount: tuple[str, str]) -> None:
    assert amount_of(text) == amount


def test_cents_of_another_currency_conflict() -> None:
    assert error_of("50 pence EUR") == "currency_conflict"


@pytest.mark.parametrize(
    "text",
    ["7 °C", "7 шт.", "7 個", "7 件", "7 år", "7 Min.", "7分钟", "7 ore", "7 gr", "7 λεπτά", "7 p.", "7 kun"],
)
def test_a_unit_of_measure_or_time_or_a_counter_is_no_amount(text: str) -> None:
    assert error_of(text) == "no_amount"


@pytest.mark.parametrize(
    ("text", "code"), [("7 с", "KGS"), ("7 ლ", "GEL"), ("7 q", "GTQ"), ("7 D", "GMD"), ("7 км", "BAM")]
)
def test_a_letter_that_is_a_unit_of_measure_too_names_no_currency(text: str, code: str) -> None:
    assert (amount_of(text)[1], flags_of(text), candidates_of(text)) == (None, ["ambiguous_currency"], [code])


@pytest.mark.parametrize(
    ("text", "amount"), [("50p", ("0.50", "GBP")), ("7,50 G", ("7.50", "HTG")), ("5 KM", ("5.00", "BAM"))]
)
def test_it_names_one_where_it_is_written_like_money(text: str, amount: tuple[str, str]) -> None:
    assert amount_of(text) == amount


@pytest.mark.parametrize(
    "text", ["7 de março de 2025", "tirsdag den 7. marts 2025", "für den 7. März", "din 7 martie", "7 de març 2025"]
)
def test_the_name_of_a_month_and_the_words_before_it_are_no_currency(text: str) -> None:
    assert error_of(text) == "no_amount"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Suma: 1 200,50 zł", "PLN"),
        ("Suma 700 lei", "RON"),
        ("Сума 1 200,50 грн", "UAH"),
        ("nowe 7,50 zł", "PLN"),
        ("nous payons 7,50 €", "EUR"),
        ("yeni 7,50 TL", "TRY"),
        ("Nepal 700 EUR", "EUR"),
        ("Hotel Krone 700 EUR", "EUR"),
        ("Herr Frank 7,50 EUR", "EUR"),
    ],
)
def test_an_everyday_word_before_the_number_yields_to_the_currency_behind_it(text: str, code: str) -> None:
    assert amount_of(text)[1] == code


@pytest.mark.parametrize(
    "text", ["Suma 7,50", "Brazil 7.50", "nuovo 7,50", "νέο 7,50", "Nepal 7.50", "так 7,50", "с 7,50"]
)
def test_an_everyday_word_or_a_country_alone_is_no_certain_currency(text: str) -> None:
    assert amount_of(text)[1] is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("7 novo sol", "PEN"),
        ("7 nuevos soles", "PEN"),
        ("7 белорусских руб.", "BYN"),
        ("7 جنيه استرليني", "GBP"),
        ("7 دولار امريكي", "USD"),
        ("7 Dola yase Amelika", "USD"),
        ("7 wons sud-coréens", "KRW"),
        ("NT$700 元", "TWD"),
    ],
)
def test_a_longer_name_is_read_to_its_end(text: str, code: str) -> None:
    assert (amount_of(text)[1], flags_of(text)) == (code, [])


@pytest.mark.parametrize(
    "text",
    [
        "7 Македонийн динар",
        "7 Rupiah Népal",
        "7 Lev mba Bulgaria",
        "7 euro suisses",
        "7 franc CFA d’Africa",
        "FCFA 7",
        "7 FCFA",
        "Rs. 700/=",
    ],
)
def test_a_name_that_the_unit_does_not_settle_is_left_open(text: str) -> None:
    assert (amount_of(text)[1], flags_of(text)) == (None, ["ambiguous_currency"])


@pytest.mark.parametrize(("text", "code"), [("ANG 7", "ANG"), ("7 CNH", None), ("Tk 700/-", "BDT"), ("Tk. 7", "BDT")])
def test_codes_are_those_that_iso_4217_has_or_had(text: str, code: str | None) -> None:
    assert amount_of(text)[1] == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Invoice total 7 BAM", "BAM"),
        ("Paid 7 AMD today", "AMD"),
        ("Total: R7.50", "ZAR"),
        ("MOP 7.50 (incl. VAT)", "MOP"),
    ],
)
def test_a_code_that_is_also_a_word_counts_where_the_text_is_not_all_capitals(text: str, code: str) -> None:
    assert amount_of(text)[1] == code


@pytest.mark.parametrize("text", ["WORLD CUP 7 TICKETS", "BUY 7 TOP HOTELS", "R7 is the release"])
def test_it_does_not_count_in_headings(text: str) -> None:
    assert error_of(text) == "no_amount"


@pytest.mark.parametrize("text", ["7 động", "7 đó", "7 bạn"])
def test_other_accents_make_another_word(text: str) -> None:
    assert normalize_amount(text).get("currency") is None
    assert normalize_amount(text).get("amount", "7.00") == "7.00"


@pytest.mark.parametrize(("text", "code"), [("700 đồng", "VND"), ("7 đô", "USD"), ("7 bảng Anh", "GBP")])
def test_the_right_ones_make_the_unit(text: str, code: str) -> None:
    assert amount_of(text)[1] == code


@pytest.mark.parametrize("text", ["o 7 dop na kus", "har nio 7 personer"])
def test_a_rare_code_in_small_letters_is_a_word_among_words(text: str) -> None:
    assert error_of(text) == "no_amount"


@pytest.mark.parametrize("text", ["Due EUR 70", "DUE EUR 70", "To EUR 70", "Elf EUR 70"])
def test_a_word_before_a_sign_and_digits_is_no_number_of_another_language(text: str) -> None:
    assert amount_of(text) == ("70.00", "EUR")
