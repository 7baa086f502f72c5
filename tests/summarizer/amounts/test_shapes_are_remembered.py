"""The memory of shapes makes reading faster and changes nothing."""

import pytest

from summarizer.amounts import normalize_amount
from summarizer.amounts.normalizing import _framed

TEXTS = [
    "6.543,21 EUR", "7.654,32 EUR", "$6.54", "12.03.2024", "12.03.2124", "2024-03-12 6 EUR", "6 dollars 75", "007 EUR",
    "807 EUR", "10 EUR", "7 654", "0 654", "to kroner 75 øre", "7억 3천 20만 달러", "6 GBP 1p", "KWD 5,678",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_read_again_or_first_gives_the_same(text: str) -> None:
    warm = [normalize_amount(other) for other in TEXTS][TEXTS.index(text)]
    _framed.cache_clear()
    assert normalize_amount(text) == warm == normalize_amount(text)


def test_a_result_that_a_caller_changes_does_not_change_the_next_one() -> None:
    first = normalize_amount("6 kr")
    first["flags"].append("broken")
    first["candidates"].clear()
    assert normalize_amount("6 kr")["flags"] == ["ambiguous_currency"]
    assert normalize_amount("6 kr")["candidates"]


def test_the_memory_forgets_the_oldest_shapes_and_reads_them_anew() -> None:
    _framed.cache_clear()
    for number in range(SHAPES):
        assert normalize_amount(f"{shape(number)} 5 EUR")["amount"] == "5.00"
    remembered = _framed.cache_info()
    assert 0 < remembered.currsize < SHAPES
    assert normalize_amount(f"{shape(0)} 5 EUR")["amount"] == "5.00"
    assert _framed.cache_info().misses == remembered.misses + 1


SHAPES = 5_000
"""More than are remembered."""


def shape(number: int) -> str:
    """Another word for every number: digits alone make no other shape."""
    return "".join("xyz"[number // 3**place % 3] for place in range(8))
