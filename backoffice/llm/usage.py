"""Tokens and what they cost. What is unknown stays unknown: a sum with one unknown part is unknown, never less."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

MILLION = Decimal(1_000_000)
MOST_TOKENS = 2**31 - 1
TOO_DEAR = Decimal(1_000_000)
"""A provider that claims more tokens than these, or what would cost more USD, talks nonsense: it is unknown."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or more calls; None where the provider did not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    """The part of the input that the provider had cached; counted in `input_tokens` too."""

    @property
    def known(self) -> bool:
        return self.input_tokens is not None and self.output_tokens is not None


UNKNOWN = Usage()
NOTHING = Usage(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Price:
    """USD per million tokens."""

    input: Decimal
    cached: Decimal
    output: Decimal


def usage_from(wire: Mapping[str, Any]) -> Usage:
    """Read a chat-completions `usage` object. A count that is missing or no count is unknown, and breaks nothing:
    the answer does not rest on it."""
    details = wire.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, Mapping) else None
    return Usage(_count(wire.get("prompt_tokens")), _count(wire.get("completion_tokens")), _count(cached))


def _count(value: object) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS:
        return value
    return None


def total(usages: Iterable[Usage]) -> Usage:
    """The sum over calls; a count is unknown as soon as one call's is."""
    parts = list(usages)
    if not all(part.known for part in parts):
        return UNKNOWN
    return Usage(
        _sum(part.input_tokens for part in parts),
        _sum(part.output_tokens for part in parts),
        _sum(part.cached_tokens for part in parts),
    )


def _sum(counts: Iterable[int | None]) -> int | None:
    known = list(counts)
    summed = sum(count or 0 for count in known)
    return None if None in known or summed > MOST_TOKENS else summed


def cost(usage: Usage, price: Price | None) -> Decimal | None:
    """USD, unrounded; None where the tokens or the model's price are unknown."""
    if price is None or usage.input_tokens is None or usage.output_tokens is None:
        return None
    cached = min(usage.cached_tokens or 0, usage.input_tokens)
    fresh = usage.input_tokens - cached
    spent = (fresh * price.input + cached * price.cached + usage.output_tokens * price.output) / MILLION
    return spent if spent < TOO_DEAR else None
