"""A chat-completions request, read once: what the roles and the faults need to know of it.

Refuses what the real provider refuses, so that an invalid conversation is found here and not with the first paying
customer.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

ROLES = frozenset({"system", "developer", "user", "assistant", "tool"})


class InvalidRequestError(ValueError):
    """The request is answered with status 400; the message is for the client."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    model: str
    messages: tuple[Mapping[str, Any], ...]
    tools: frozenset[str]
    tool_choice: str
    response_format: Mapping[str, Any] | None
    stream: bool
    include_usage: bool
    max_tokens: int | None
    digest: str
    """SHA-256 of the request's bytes, in hex: the same request always gets the same answer."""
    input_tokens: int
    """An estimate: four bytes of the request to a token."""

    @property
    def user_text(self) -> str:
        """The text of the latest user message, "" where there is none."""
        return next((text_of(message) for message in reversed(self.messages) if message["role"] == "user"), "")

    @property
    def tool_results(self) -> tuple[str, ...]:
        """What the tools answered since the latest user message, in the order of the calls."""
        results: list[str] = []
        for message in self.messages:
            if message["role"] == "user":
                results.clear()
            elif message["role"] == "tool":
                results.append(text_of(message))
        return tuple(results)

    @property
    def call_number(self) -> int:
        return 1 + sum(1 for message in self.messages if message["role"] == "assistant" and message.get("tool_calls"))

    @property
    def may_call_tools(self) -> bool:
        return bool(self.tools) and self.tool_choice != "none"


def text_of(message: Mapping[str, Any]) -> str:
    """A message's content is a string, a list of parts of which some are text, or null."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "\n".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))


def read_chat_request(body: bytes) -> ChatRequest:
    """Raises InvalidRequestError."""
    payload = _json_object(body)
    model = payload.get("model")
    if not isinstance(model, str) or not model:
        raise InvalidRequestError("you must provide a model parameter")
    options = payload.get("stream_options")
    return ChatRequest(
        model=model,
        messages=_messages(payload.get("messages")),
        tools=_tool_names(payload.get("tools")),
        tool_choice=payload["tool_choice"] if isinstance(payload.get("tool_choice"), str) else "auto",
        response_format=payload["response_format"] if isinstance(payload.get("response_format"), dict) else None,
        stream=payload.get("stream") is True,
        include_usage=isinstance(options, dict) and options.get("include_usage") is True,
        max_tokens=_max_tokens(payload),
        digest=hashlib.sha256(body).hexdigest(),
        input_tokens=max(1, len(body) // 4),
    )


def _json_object(body: bytes) -> dict[str, Any]:
    try:
        payload = json.loads(body)
    except (ValueError, RecursionError):
        raise InvalidRequestError("We could not parse the JSON body of your request.") from None
    if not isinstance(payload, dict):
        raise InvalidRequestError("The body of your request must be a JSON object.")
    return payload


def _max_tokens(payload: Mapping[str, Any]) -> int | None:
    for name in ("max_completion_tokens", "max_tokens"):
        value = payload.get(name)
        if value is None:
            continue
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise InvalidRequestError(f"Invalid value for '{name}': expected an integer of at least 1.")
        return value
    return None


def _tool_names(tools: object) -> frozenset[str]:
    if tools is None:
        return frozenset()
    try:
        return frozenset(tool["function"]["name"] for tool in tools)  # type: ignore[attr-defined]
    except (TypeError, KeyError):
        raise InvalidRequestError("Invalid value for 'tools': expected a list of function declarations.") from None


def _messages(messages: object) -> tuple[Mapping[str, Any], ...]:
    if not isinstance(messages, list) or not messages:
        raise InvalidRequestError("Invalid 'messages': expected a list with at least one message.")
    for position, message in enumerate(messages):
        if not isinstance(message, dict) or message.get("role") not in ROLES:
            raise InvalidRequestError(f"Invalid 'messages[{position}]': expected an object with a known role.")
    _check_tool_order(messages)
    return tuple(messages)


def _check_tool_order(messages: Sequence[Mapping[str, Any]]) -> None:
    """Each tool call is answered before the next message of another kind, and nothing else is answered."""
    asked: set[object] = set()
    unanswered: set[object] = set()
    for position, message in enumerate(messages):
        if message["role"] == "tool":
            if message.get("tool_call_id") not in asked:
                raise InvalidRequestError(f"'messages[{position}]' with role 'tool' answers no preceding tool call.")
            unanswered.discard(message["tool_call_id"])
            continue
        _refuse_unanswered(unanswered, position)
        asked = _call_ids(message, position)
        unanswered = set(asked)
    _refuse_unanswered(unanswered, len(messages))


def _refuse_unanswered(unanswered: set[object], position: int) -> None:
    if unanswered:
        raise InvalidRequestError(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            f"'tool_call_id': {len(unanswered)} are missing before 'messages[{position}]'."
        )


def _call_ids(message: Mapping[str, Any], position: int) -> set[object]:
    try:
        return {call["id"] for call in message.get("tool_calls") or ()}
    except (TypeError, KeyError):
        raise InvalidRequestError(f"Invalid 'messages[{position}].tool_calls': each call needs an id.") from None
