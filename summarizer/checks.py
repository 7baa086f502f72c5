"""What a person should look at in a summary that was delivered. Asking again would be cut off again, so none of these
is a failure; each warning speaks of the call that gave the summary."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from backoffice.llm.events import Completion, StopReason
from summarizer.numbers import unsupported_numbers


class Warning(StrEnum):  # noqa: A001 - the contract's word
    TRUNCATED = "truncated"
    CONTENT_FILTER = "content_filter"
    REFUSED = "refused"
    EMPTY = "empty"
    UNSUPPORTED_NUMBER = "unsupported_number"


_BY_STOP_REASON = {StopReason.LENGTH: Warning.TRUNCATED, StopReason.CONTENT_FILTER: Warning.CONTENT_FILTER}


def warnings_for(answer: Completion, note: str, tool_results: Sequence[Mapping[str, Any]]) -> list[str]:
    """Codes, in the order of the vocabulary."""
    refused, empty = bool(answer.refusal.strip()), not answer.text.strip()
    if refused and empty:
        return [Warning.REFUSED.value]
    found: set[Warning] = set()
    if answer.stop_reason in _BY_STOP_REASON:
        found.add(_BY_STOP_REASON[answer.stop_reason])
    if refused:
        found.add(Warning.REFUSED)
    if empty:
        found.add(Warning.EMPTY)
    if unsupported_numbers(answer.text, note, tool_results):
        found.add(Warning.UNSUPPORTED_NUMBER)
    return [warning.value for warning in Warning if warning in found]
