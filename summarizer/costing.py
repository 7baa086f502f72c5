"""The most that rows can cost before any of them was asked: a bound that is never too low, not a guess.

A byte-pair token is never shorter than a byte, so bytes bound tokens, whatever the script and the model's vocabulary.
The bound is several times what a row usually costs; that is what makes it one.
"""

import json
from collections.abc import Iterable
from decimal import Decimal

from backoffice.llm.client import price_of
from backoffice.llm.usage import Usage, cost
from summarizer.prompts import SYSTEM_PROMPT
from summarizer.rows import MAX_TOKENS, TOOLS

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


def most_of_a_row(text: str) -> Usage:
    """The most tokens that one row can take: two calls, the second with the answer and the results of the first."""
    sent = CALLS * (_SENT_WITH_EVERY_CALL + len(text.encode()))
    return Usage(sent + MAX_TOKENS + _RESULTS, CALLS * MAX_TOKENS, 0)


def most_cost(texts: Iterable[str], model: str) -> Decimal | None:
    """USD; None where nobody entered the model's price."""
    price = price_of(model)
    if price is None:
        return None
    return sum((cost(most_of_a_row(text), price) or Decimal(0) for text in texts), Decimal(0))
