"""The most that rows can cost before any of them was asked: a bound that is never too low, not a guess.

A byte-pair token is never shorter than a byte, so bytes bound tokens, whatever the script and the model's vocabulary.
The bound is several times what a row usually costs; that is what makes it one.
"""

import json
from collections.abc import Iterable
from decimal import Decimal
from typing import TypeVar

from backoffice.llm.client import price_of
from backoffice.llm.usage import MILLION
from summarizer.prompts import SYSTEM_PROMPT
from summarizer.rows import MAX_TOKENS, TOOLS

T = TypeVar("T")

CALLS = 2
FRAME_TOKENS = 100
"""What the chat format puts around the messages of one call; in truth a dozen."""
TOKENS_OF_A_CALL = 10
"""At the least: a name, an id and arguments."""
TOKENS_OF_A_RESULT = 400
"""At the most: an error with its candidates."""

_OURS = SYSTEM_PROMPT + json.dumps([tool.declaration for tool in TOOLS])
_SENT_WITH_EVERY_CALL = len(_OURS.encode()) + FRAME_TOKENS
_RESULTS = MAX_TOKENS // TOKENS_OF_A_CALL * TOKENS_OF_A_RESULT


def known(total: T, rows: int, rows_of_unknown: int) -> T | None:
    """A sum over rows that ended, as far as it is known: None where it is known of none of them."""
    return None if rows and rows == rows_of_unknown else total


def most_of_rows(rows: int, size: int) -> tuple[int, int]:
    """The most tokens, in and out, of so many rows whose notes have `size` bytes (UTF-8) in all: two calls each, the
    second with the answer and the results of the first."""
    sent = CALLS * (rows * _SENT_WITH_EVERY_CALL + size)
    return sent + rows * (MAX_TOKENS + _RESULTS), rows * CALLS * MAX_TOKENS


def most_cost(texts: Iterable[str], model: str) -> Decimal | None:
    """USD; None where nobody entered the model's price."""
    sizes = [len(text.encode()) for text in texts]
    return most_cost_of_rows(len(sizes), sum(sizes), model)


def most_cost_of_rows(rows: int, size: int, model: str) -> Decimal | None:
    """As `most_cost`, of notes that are not at hand: `size` is their bytes (UTF-8) in all."""
    price = price_of(model)
    if price is None:
        return None
    sent, received = most_of_rows(rows, size)
    return (sent * price.input + received * price.output) / MILLION
