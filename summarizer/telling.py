"""What the reports of the nightly job and of a rehearsal tell alike: sums as certain as they are, and strangers' words
on one line."""

from decimal import Decimal
from typing import Any, Protocol

from summarizer.importing.notes import printable


class Sums(Protocol):
    """What rows took that ended, as far as it is known; None where it is known of none of them."""

    rows_of_unknown_tokens: int
    rows_of_unknown_cost: int

    @property
    def known_input_tokens(self) -> int | None: ...
    @property
    def known_output_tokens(self) -> int | None: ...
    @property
    def known_cost(self) -> Decimal | None: ...


def spent(sums: Sums) -> str:
    """Tokens and cost, as the beginning of a sentence. A row of unknown tokens is one of unknown cost too."""
    if sums.known_input_tokens is None:
        return "Tokens and cost are unknown"
    least = "At least " if sums.rows_of_unknown_tokens else ""
    tokens = f"{least}{sums.known_input_tokens:,} tokens in, {sums.known_output_tokens:,} out"
    if sums.known_cost is None:
        return f"{tokens}, of unknown cost"
    if sums.rows_of_unknown_cost:
        return f"{tokens}, at least {sums.known_cost:.6f} USD ({sums.rows_of_unknown_cost} rows of unknown cost)"
    return f"{tokens}, {sums.known_cost:.6f} USD"


def sums_as_json(sums: Sums) -> dict[str, Any]:
    """Unknown is null, never 0; USD as a string, exactly."""
    return {
        "input_tokens": sums.known_input_tokens,
        "output_tokens": sums.known_output_tokens,
        "cost": in_full(sums.known_cost),
    }


def in_full(amount: Decimal | None) -> str | None:
    """USD for programs: exactly, and never as `0E-8`."""
    return None if amount is None else f"{amount:f}"


def on_one_line(text: str) -> str:
    """A stranger's text, fit for a line of a terminal."""
    return printable(" ".join(text.split()))
