"""What must hold for every amount and every input, tried on many."""

from decimal import Decimal
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from summarizer.amounts import ERROR_CODES, normalize_amount
from summarizer.amounts.habits import MAIN_LANGUAGES
from summarizer.amounts.normalizing import _read
from summarizer.amounts.tables import EXPONENTS
from summarizer.amounts.text import canonical
from summarizer.amounts.values import Uncertain, amount, frame
from tests.summarizer.amounts.locales import GROUPED_LOCALES, Written, amounts, amounts_in, is_grouped_once

# One replaced the other in 2025 under the same name.
_SAME_NAME = {"ANG", "XCG"}
FLAGS = {
    "ambiguous_currency", "ambiguous_magnitude", "ambiguous_separator", "credit", "currency_assumed", "debit",
    "no_currency", "rounded",
}  # fmt: skip


def value_of(result: dict[str, Any]) -> Decimal:
    return Decimal(result["amount"])


@settings(max_examples=400)
@given(amounts)
def test_an_amount_that_babel_writes_comes_back_or_is_refused_but_never_becomes_another(amount: Written) -> None:
    result = normalize_amount(amount.text)
    if "error" not in result:
        assert value_of(result) == amount.value or "rounded" in result["flags"], (amount, result)


@settings(max_examples=400)
@given(amounts)
def test_a_currency_that_babel_writes_comes_back_or_is_flagged(amount: Written) -> None:
    result = normalize_amount(amount.text)
    known = not amount.named or amount.locale.partition("_")[0] in MAIN_LANGUAGES
    if "error" not in result and known and {result["currency"], amount.code} not in ({amount.code}, _SAME_NAME):
        flagged = {"currency_assumed", "ambiguous_currency", "no_currency"} & set(result["flags"])
        assert flagged, (amount, result)


@settings(max_examples=400)
@given(amounts_in(GROUPED_LOCALES))
def test_only_three_decimals_behind_a_comma_are_in_doubt_where_a_symbol_is_written(amount: Written) -> None:
    if EXPONENTS[amount.code] != 3 and not amount.named and not is_grouped_once(amount.text):
        assert "error" not in normalize_amount(amount.text), amount


@settings(max_examples=500)
@given(st.text(max_size=200))
@example("\ud800 EUR")
@example("(" * 4000)
@example("'" * 4000)
@example("1" * 4000)
@example("万" * 4000)
@example("1万" * 2000)
@example("²½ EUR")
def test_no_text_raises(text: str) -> None:
    result = normalize_amount(text)
    if "error" in result:
        assert result["error"] in ERROR_CODES
    else:
        assert set(result["flags"]) <= FLAGS
        assert int(result["amount"].replace(".", "")) == result["amount_minor"]


_PIECES = [
    "1",
    "23",
    "456",
    ".",
    ",",
    " ",
    "'",
    "-",
    "(",
    ")",
    "/",
    "EUR",
    "$",
    "£",
    "kr",
    "k",
    "Mio",
    "M",
    "cent",
    "%",
]
_PIECES += [
    "and",
    "x",
    "to",
    "of",
    "de",
    "万",
    "元",
    "달러",
    "د.إ",
    "Cr",
    "US",
    "٫",
    "½",
    "#",
    "no",
    ":",
    "\u200f",
    "é",
]


@settings(max_examples=600)
@given(st.lists(st.sampled_from(_PIECES), max_size=12))
def test_no_mixture_of_the_pieces_of_amounts_raises(pieces: list[str]) -> None:
    result = normalize_amount("".join(pieces))
    assert "error" in result or isinstance(result["amount_minor"], int)


@settings(max_examples=600)
@given(st.lists(st.sampled_from(_PIECES), max_size=12))
@example(["1", "EUR", "and", "23", "cent"])
@example(["4", "억", "1", "천", "EUR"])
def test_what_is_remembered_of_a_shape_is_what_reading_the_text_itself_gives(pieces: list[str]) -> None:
    text = canonical("".join(pieces))
    try:
        found, _ = _read(text)
        read = amount(frame(found), found.figure).result()
    except Uncertain as uncertain:
        read = {"error": uncertain.code, "candidates": uncertain.candidates}
    remembered = normalize_amount(text)
    remembered.pop("message", None)
    assert remembered == read


class Hostile(str):
    def __len__(self) -> int:
        raise ValueError

    def __str__(self) -> str:
        raise ValueError


class Masked:
    @property
    def __class__(self) -> type:
        raise ValueError


@given(st.none() | st.booleans() | st.integers() | st.floats() | st.binary() | st.lists(st.text()) | st.builds(object))
@example(Masked())
def test_nothing_but_text_is_an_amount(thing: object) -> None:
    assert normalize_amount(thing)["error"] == "not_text"


def test_a_subclass_of_text_is_read_as_the_text_it_is() -> None:
    assert normalize_amount(Hostile("6 EUR"))["amount"] == "6.00"


@settings(max_examples=400)
@given(amounts, st.randoms(use_true_random=False))
def test_other_digits_of_the_same_shape_are_read_alike(amount: Written, random: Any) -> None:
    """What stands around a number is remembered by the shape of the text, so the digits must not matter to it."""
    digits = str.maketrans({digit: random.choice("123456789") for digit in "123456789"})
    one, other = normalize_amount(amount.text), normalize_amount(amount.text.translate(digits))
    assert one.get("error") == other.get("error")
    if "error" not in one:
        assert {k: one[k] for k in ("currency", "exponent")} == {k: other[k] for k in ("currency", "exponent")}
        assert set(one["flags"]) - {"rounded"} == set(other["flags"]) - {"rounded"}
