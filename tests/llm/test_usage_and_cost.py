"""Tokens and money: what a provider did not say stays unknown, and is never taken for nothing."""

from decimal import Decimal
from typing import Any

import pytest
from django.test import override_settings

from backoffice.llm.client import price_of
from backoffice.llm.usage import NOTHING, UNKNOWN, Price, Usage, cost, total, usage_from

PRICE = Price(input=Decimal("0.15"), cached=Decimal("0.075"), output=Decimal("0.60"))


def test_the_counts_are_read_from_the_wire() -> None:
    wire = {"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 2}}
    assert usage_from(wire) == Usage(9, 4, 2)


@pytest.mark.parametrize("count", [None, "9", 9.0, True, -1, [9], {}, 2**31])
def test_a_count_that_is_none_is_unknown(count: Any) -> None:
    wire = {"prompt_tokens": count, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": count}}
    assert usage_from(wire) == Usage(None, 4, None)


@pytest.mark.parametrize("details", [None, 3, [], "x"])
def test_details_of_any_shape_are_read_past(details: Any) -> None:
    assert usage_from({"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": details}) == Usage(9, 4)


def test_zero_tokens_are_known() -> None:
    assert usage_from({"prompt_tokens": 0, "completion_tokens": 0}).known
    assert not usage_from({"prompt_tokens": 0}).known


def test_a_sum_adds_what_is_known() -> None:
    assert total([Usage(9, 4, 2), Usage(1, 1, 0)]) == Usage(10, 5, 2)
    assert total([Usage(9, 4, 2), Usage(1, 1)]) == Usage(10, 5, None)
    assert total([]) == NOTHING


@pytest.mark.parametrize("unknown", [UNKNOWN, Usage(input_tokens=3), Usage(output_tokens=3)])
def test_a_sum_with_one_unknown_part_is_unknown(unknown: Usage) -> None:
    assert total([Usage(9, 4), unknown]) == UNKNOWN


@pytest.mark.parametrize(
    ("usage", "dollars"),
    [
        (Usage(1_000_000, 0), "0.15"),
        (Usage(0, 1_000_000), "0.60"),
        (Usage(1_000_000, 0, 1_000_000), "0.075"),
        (Usage(1_000_000, 1_000_000, 400_000), "0.72"),
        (Usage(10, 0, 999), "0.00000075"),
        (NOTHING, "0"),
    ],
)
def test_cost_is_the_list_price_of_fresh_cached_and_output_tokens(usage: Usage, dollars: str) -> None:
    assert cost(usage, PRICE) == Decimal(dollars)


@pytest.mark.parametrize("usage", [UNKNOWN, Usage(input_tokens=3), Usage(output_tokens=3)])
def test_unknown_tokens_have_an_unknown_cost(usage: Usage) -> None:
    assert cost(usage, PRICE) is None


def test_a_model_without_a_price_has_an_unknown_cost() -> None:
    assert cost(Usage(1, 1), price_of("no-such-model")) is None


@override_settings(LLM_PRICES={"m": {"input": "0.15", "cached": 0.075, "output": "0.60"}})
def test_prices_are_settings_read_as_decimals() -> None:
    assert price_of("m") == PRICE
