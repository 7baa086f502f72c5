"""Codes, signs and words of currencies, before and behind the number."""

import pytest

from summarizer.amounts import normalize_amount
from tests.summarizer.amounts.reading import amount_of, flags_of

CERTAIN = {
    "EUR": [
        "EUR 9",
        "9EUR",
        "eur 9",
        "€9",
        "9 €",
        "9 Euro",
        "9 euros",
        "9 евро",
        "9 ευρώ",
        "9 يورو",
        "9ユーロ",
        "9유로",
        "12 TEUR",
        "9 (EUR)",
        "Amount (EUR): 9",
        "EUR: 9",
        "9, EUR",
    ],
    "USD": [
        "US$9",
        "US $ 9",
        "9 $US",
        "USD 9",
        "9 US dollars",
        "9 dollars américains",
        "9 amerikanische Dollar",
        "9美元",
        "9 미국 달러",
    ],
    "AUD": ["A$ 9"],
    "CAD": ["CA$9", "9 kanadischen Dollar"],
    "HKD": ["HK$9", "9 dólares de Hong Kong"],
    "NZD": ["NZ$9", "9 New Zealand dollars"],
    "BRL": ["R$ 9"],
    "PEN": ["S/ 9", "S/. 9"],
    "CHF": ["CHF 9", "9 Schweizer Franken", "9 Swiss francs"],
    "PLN": ["9 zł", "9 złotych"],
    "CZK": ["9 Kč", "9 Kc\u030c", "9 korun"],
    "HUF": ["9 Ft", "9 forint"],
    "RON": ["9 lei"],
    "SEK": ["9 kronor"],
    "DKK": ["9 danske kroner"],
    "RUB": ["9 руб.", "9 рублей"],
    "UAH": ["9 грн", "9 ₴"],
    "TRY": ["₺9", "9 TL"],
    "INR": ["₹9", "9 Indian rupees"],
    "BDT": ["9 taka", "৯ টাকা", "৳9"],
    "PKR": ["9 Pakistani rupees"],
    "THB": ["9 baht", "฿9"],
    "KRW": ["₩9", "9원"],
    "JPY": ["9円", "9 yen"],
    "CNY": ["9元", "RMB 9"],
    "KWD": ["9 Kuwaiti dinars"],
    "AED": ["9 د.إ"],
    "SAR": ["9 ر.س"],
    "ILS": ["9 ₪", "9 שקלים"],
    "TZS": ["9 TSh"],
    "KES": ["KSh 9"],
    "NGN": ["₦9"],
    "GHS": ["GH₵ 9"],
    "ZAR": ["R 9", "9 rand"],
    "TTD": ["9 Trinidad and Tobago dollars"],
    "CVE": ["1$20\u00a0\u200b"],
    "DEM": ["9 DEM"],
}


@pytest.mark.parametrize(("text", "code"), [(text, code) for code, texts in CERTAIN.items() for text in texts])
def test_a_currency_that_its_sign_code_or_word_names_is_certain(text: str, code: str) -> None:
    assert amount_of(text)[1] == code
    assert "currency_assumed" not in flags_of(text)


@pytest.mark.parametrize(
    ("text", "code"),
    [("$7", "USD"), ("7 dollars", "USD"), ("£7", "GBP"), ("¥7", "JPY"), ("C$7", "CAD"), ("F\u202fCFA 7", "XOF")],
)
def test_a_sign_of_several_countries_takes_the_usual_one_and_says_so(text: str, code: str) -> None:
    assert amount_of(text)[1] == code
    assert flags_of(text) == ["currency_assumed"]


def test_a_yen_sign_before_cents_is_the_yuan() -> None:
    assert amount_of("¥7.25") == ("7.25", "CNY")


@pytest.mark.parametrize(
    ("text", "some"),
    [
        ("7 kr", {"DKK", "NOK", "SEK"}),
        ("7 kroner", {"DKK", "NOK"}),
        ("Rs 7", {"INR", "PKR", "LKR"}),
        ("Fr. 7", {"CHF", "XOF"}),
        ("7 francs", {"CHF", "XAF"}),
        ("7 dinar", {"KWD", "RSD"}),
        ("7 pesos", {"MXN", "ARS"}),
        ("﷼ 7", {"IRR", "SAR"}),
        ("7 L", {"HNL", "MDL"}),
    ],
)
def test_a_shared_sign_names_no_currency_but_lists_the_candidates(text: str, some: set[str]) -> None:
    result = normalize_amount(text)
    assert (result["currency"], result["exponent"], result["flags"]) == (None, 2, ["ambiguous_currency"])
    assert some <= set(result["candidates"])


@pytest.mark.parametrize("text", ["7", "7.00", "7 BTC", "7 تومان"])
def test_without_a_currency_of_iso_4217_there_is_none(text: str) -> None:
    result = normalize_amount(text)
    assert (result["currency"], result["flags"]) == (None, ["no_currency"])
    assert "candidates" not in result


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("$7 CAD", "CAD"),
        ("CAD $7", "CAD"),
        ("7 $ NZD", "NZD"),
        ("£7 EGP", "EGP"),
        ("kr 7 NOK", "NOK"),
        ("Rs. 7 LKR", "LKR"),
    ],
)
def test_a_code_settles_what_a_sign_leaves_open(text: str, code: str) -> None:
    result = normalize_amount(text)
    assert (result["currency"], result["flags"]) == (code, [])


@pytest.mark.parametrize("text", ["ALL 7 items", "TOP 7 hotels", "Bob called 7 people", "We won 7 times", "12 March"])
def test_everyday_words_that_are_also_currencies_are_not_taken_for_them(text: str) -> None:
    assert normalize_amount(text)["error"] == "no_amount"


@pytest.mark.parametrize("text", ["7 pes", "7 Esp", "7 GBp", "7 XY"])
def test_an_unknown_unit_is_no_currency(text: str) -> None:
    assert amount_of(text) == ("7.00", None)


@pytest.mark.parametrize(
    ("text", "code"), [("7 i-Euro", "EUR"), ("7 Yeni Zelanda doları", "NZD"), ("7 punt na hÉigipte", "EGP")]
)
def test_names_are_read_through_prefixes_and_joining_words(text: str, code: str) -> None:
    assert amount_of(text)[1] == code
