"""A note and its summary side by side: the numbers to doubt, and the amounts beside the words they came from."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString

from summarizer.admin import wording
from summarizer.models import Outcome
from summarizer.numbers import unsupported_numbers


@dataclass(frozen=True, slots=True)
class Amount:
    """What the tool made of some words of the note."""

    words: str
    value: str
    """The amount with its currency; empty where it is unclear."""
    problem: str


def tool_runs(row: Outcome) -> Iterator[dict[str, Any]]:
    for call in row.exchange:
        yield from call.get("tool_runs", ())


def amounts(row: Outcome) -> list[Amount]:
    return [_amount(run) for run in tool_runs(row)]


def _amount(run: dict[str, Any]) -> Amount:
    result = run["result"]
    words = _words(run["arguments"])
    if "amount" in result:
        return Amount(words, f"{result['amount']} {result.get('currency') or ''}".strip(), "")
    return Amount(words, "", wording.amount_problem(str(result.get("error") or ""), ran=bool(run["ran"])))


def _words(arguments: str) -> str:
    """The words the model asked about; empty where it asked about none, or was cut off while it did."""
    try:
        asked = json.loads(arguments)
    except ValueError:
        return ""
    return str(asked["raw"]) if isinstance(asked, dict) and "raw" in asked else ""


def refusal_of(row: Outcome) -> str:
    """What the model said instead of a summary, in the call that was to give one."""
    answers = [call.get("answer") or {} for call in row.exchange]
    return str(answers[-1].get("refusal") or "") if answers else ""


def marked_note(row: Outcome) -> SafeString:
    """The note, with the words that the tool was asked about marked."""
    return _marked(row.text, [amount.words for amount in amounts(row)], "desk-source")


def marked_summary(row: Outcome) -> SafeString:
    """The summary, with the numbers marked that neither the note nor a tool result backs."""
    summary = row.summary or ""
    results = [run["result"] for run in tool_runs(row)]
    return _marked(summary, [str(number) for number in unsupported_numbers(summary, row.text, results)], "desk-doubt")


def _marked(text: str, pieces: Iterable[str], css_class: str) -> SafeString:
    wanted = sorted({piece for piece in pieces if piece.strip()}, key=len, reverse=True)
    if not wanted:
        return conditional_escape(text)
    parts = re.split(rf"(?<!\d)({'|'.join(map(re.escape, wanted))})(?!\d)", text)
    return format_html_join(
        "", "{}", ((_mark(part, css_class) if odd % 2 else part,) for odd, part in enumerate(parts))
    )


def _mark(part: str, css_class: str) -> SafeString:
    return format_html('<mark class="{}">{}</mark>', css_class, part)
