"""The most that rows can cost before any of them was asked: a bound that is never too low, not a guess."""

import json
from collections.abc import Iterable
from decimal import Decimal

from backoffice.llm.client import price_of
from backoffice.llm.usage import Usage, cost
from summarizer.prompts import SYSTEM_PROMPT
from summarizer.rows import MAX_TOKENS, TOOLS

CALLS = 2
FRAME = 100
"""Tokens that the chat format puts around the messages of one call; in truth a dozen."""
TOOL_ANSWERS = 40 * MAX_TOKENS
"""Tokens of all tool results. A call takes the model ten tokens or more, and a result has fewer than 400."""


def _tokens(text: str) -> int:
    """The most tokens a text can be: no byte-pair token is shorter than a byte."""
    return len(text.encode())


def most_cost(texts: Iterable[str], model: str) -> Decimal | None:
    """USD; None where nobody entered the model's price. Both calls of every row are counted at their longest."""
    frame = _tokens(SYSTEM_PROMPT) + _tokens(json.dumps([tool.declaration for tool in TOOLS])) + FRAME
    rows = notes = 0
    for text in texts:
        rows += 1
        notes += _tokens(text)
    per_row = CALLS * frame + MAX_TOKENS + TOOL_ANSWERS
    usage = Usage(rows * per_row + CALLS * notes, rows * CALLS * MAX_TOKENS)
    return cost(usage, price_of(model))
