"""The part of the nightly job: it has a note's amounts normalized, then writes one sentence with them in the
note's language.

The sentence names what the note is about and each amount as the tool gave it; it holds no number that neither the note
nor a tool result holds, and follows no order hidden in the note.
"""

import json
from collections.abc import Sequence

from backoffice.llm.scripted.chat_request import ChatRequest
from backoffice.llm.scripted.faults import without_markers
from backoffice.llm.scripted.replies import Reply, ToolCall, text_reply, tool_reply
from backoffice.llm.scripted.roles.money import find_amounts
from backoffice.llm.scripted.roles.phrases import Language, language_of, listed, named, worth
from backoffice.llm.scripted.roles.subject import subject_of
from backoffice.llm.scripted.script import encode_json

TOOL = "normalize_amount"


def plays(request: ChatRequest) -> bool:
    return TOOL in request.tools


def reply(request: ChatRequest) -> Reply:
    note = without_markers(request.user_text)
    if not request.tool_results and request.may_call_tools:
        amounts = find_amounts(note)
        if amounts:
            return tool_reply(*(ToolCall(TOOL, _arguments(raw)) for raw in amounts))
    return text_reply(_sentence(note, request.tool_results))


def _arguments(raw: str) -> str:
    return encode_json({"raw": raw})


def _sentence(note: str, results: Sequence[str]) -> str:
    language = language_of(note)
    amounts = [_amount(result, language) for result in results]
    clear = list(dict.fromkeys(amount for amount in amounts if amount is not None))
    subject = subject_of(note)
    sentence = named(subject, language)
    if clear:
        sentence += f"{worth(subject, language)} {listed(clear, language)}"
    if not amounts:
        sentence += f", {language.no_amount}"
    unclear = amounts.count(None)
    if unclear:
        sentence += f", {language.one_unclear if unclear == 1 else language.several_unclear}"
    return sentence + language.stop


def _amount(result: str, language: Language) -> str | None:
    """The amount and currency as the tool gave them; None where it refused."""
    try:
        value = json.loads(result)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not isinstance(value.get("amount"), str) or "error" in value:
        return None
    currency = value.get("currency")
    return f"{value['amount']} {currency if isinstance(currency, str) else f'({language.no_currency})'}"
