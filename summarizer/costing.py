"""The most that rows can cost, so that a limit is kept before money is spent and not noticed afterwards.

A byte-level tokenizer makes at most one token of a byte, so the bytes of a note bound its tokens, whatever its script.
The bound is several times what a row usually costs; that is what makes it one.
"""

import json
from collections.abc import Iterable
from decimal import Decimal

from backoffice.llm.usage import Price, Usage, cost
from summarizer.prompts import SYSTEM_PROMPT
from summarizer.rows import MAX_TOKENS, NORMALIZE_AMOUNT

FRAME_TOKENS = 64
"""What a provider adds around messages and tools."""
BYTES_OF_ENGLISH_IN_A_TOKEN = 3
"""At the least, of plain English prose and JSON: the prompt and the tool's declaration."""
CALLS_IN_ANSWER = 16
"""Tool calls that fit into one answer of MAX_TOKENS, each with a name, an id and arguments."""
TOKENS_OF_A_RESULT = 100

_OURS = len(SYSTEM_PROMPT) + len(json.dumps(NORMALIZE_AMOUNT.declaration))
_SENT_WITH_EVERY_CALL = _OURS // BYTES_OF_ENGLISH_IN_A_TOKEN + FRAME_TOKENS


def most_of_a_row(text: str) -> Usage:
    """The most tokens that one row can take: two calls, the second with the answer and the results of the first."""
    first = _SENT_WITH_EVERY_CALL + len(text.encode())
    second = first + MAX_TOKENS + CALLS_IN_ANSWER * TOKENS_OF_A_RESULT
    return Usage(first + second, 2 * MAX_TOKENS, 0)


def most_of_rows(texts: Iterable[str], price: Price | None) -> Decimal | None:
    """USD; None where the model's price is unknown."""
    if price is None:
        return None
    return sum((cost(most_of_a_row(text), price) or Decimal(0) for text in texts), Decimal(0))
