"""What the real provider refuses, the scripted model refuses too: a broken conversation is found early."""

from typing import Any

import pytest

from backoffice.llm.scripted import ScriptedModel
from backoffice.llm.scripted import model as model_module
from backoffice.llm.scripted.chat_request import ChatRequest, InvalidRequestError, read_chat_request
from tests.llm.scripted.asking import NORMALIZE, answered, body, chat_request, encoded, posted

CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "call_1"}]}
RESULT = {"role": "tool", "tool_call_id": "call_1", "content": "{}"}
USER = {"role": "user", "content": "and now?"}


def _refusal(payload: Any) -> str:
    with pytest.raises(InvalidRequestError) as refusal:
        read_chat_request(payload if isinstance(payload, bytes) else encoded(payload))
    return str(refusal.value)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b'"x"', b"[" * 100_000])
def test_a_body_that_is_no_json_object_is_refused(content: bytes) -> None:
    assert "JSON" in _refusal(content)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"model": None}, "model parameter"),
        ({"model": ""}, "model parameter"),
        ({"messages": None}, "at least one message"),
        ({"messages": []}, "at least one message"),
        ({"messages": ["hello"]}, "messages[0]"),
        ({"messages": [USER, {"role": "robot"}]}, "messages[1]"),
        ({"tools": "normalize_amount"}, "tools"),
        ({"tools": [{"type": "function"}]}, "tools"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"max_tokens": True}, "max_tokens"),
        ({"max_completion_tokens": "9"}, "max_completion_tokens"),
    ],
)
def test_a_bad_field_is_refused_by_name(change: dict[str, Any], words: str) -> None:
    assert words in _refusal(body() | change)


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ([USER, CALL], "1 are missing before 'messages[2]'"),
        ([USER, CALL, USER], "1 are missing before 'messages[2]'"),
        ([USER, RESULT], "answers no preceding tool call"),
        ([USER, CALL, RESULT | {"tool_call_id": "call_2"}], "answers no preceding tool call"),
        ([USER, CALL, RESULT, USER, RESULT], "answers no preceding tool call"),
        ([USER, CALL | {"tool_calls": [{}]}], "each call needs an id"),
        ([USER, CALL | {"tool_calls": 3}], "each call needs an id"),
    ],
)
def test_a_conversation_in_the_wrong_order_is_refused(messages: list[dict[str, Any]], words: str) -> None:
    assert words in _refusal(body() | {"messages": messages})


def test_a_conversation_in_the_right_order_is_read() -> None:
    request = read_chat_request(encoded(body() | {"messages": [USER, CALL, RESULT, CALL, RESULT]}))
    assert request.call_number == 3
    assert request.tool_results == ("{}", "{}")


def test_only_results_since_the_latest_user_message_count() -> None:
    request = chat_request("5 EUR", *answered([{"a": 1}]), USER, *answered([{"b": 2}]))
    assert request.tool_results == ('{"b": 2}',)
    assert request.user_text == "and now?"


def test_text_is_read_from_the_parts_of_a_message() -> None:
    parts = [{"type": "text", "text": "one"}, {"type": "image_url"}, {"type": "text", "text": "two"}, "three"]
    request = read_chat_request(encoded(body() | {"messages": [{"role": "user", "content": parts}]}))
    assert request.user_text == "one\ntwo"


@pytest.mark.parametrize("content", [None, 3])
def test_a_message_without_text_has_none(content: object) -> None:
    request = read_chat_request(encoded(body() | {"messages": [{"role": "user", "content": content}]}))
    assert request.user_text == ""


def test_a_request_without_a_user_has_no_user_text() -> None:
    request = read_chat_request(encoded(body() | {"messages": [{"role": "developer", "content": "Be brief."}]}))
    assert request.user_text == ""


@pytest.mark.parametrize(
    ("fields", "allowed"),
    [({}, False), ({"tools": [NORMALIZE]}, True), ({"tools": [NORMALIZE], "tool_choice": "none"}, False)],
)
def test_tools_may_be_called_where_they_are_declared_and_not_forbidden(fields: dict[str, Any], allowed: bool) -> None:
    assert chat_request(**fields).may_call_tools is allowed


@pytest.mark.parametrize(
    ("fields", "read"),
    [
        ({"stream": True, "stream_options": {"include_usage": True}}, (True, True)),
        ({"stream": 1, "stream_options": None}, (False, False)),
    ],
)
def test_streaming_and_usage_are_asked_for_by_true_alone(fields: dict[str, Any], read: tuple[bool, bool]) -> None:
    request: ChatRequest = chat_request(**fields)
    assert (request.stream, request.include_usage) == read


def test_attempts_are_counted_for_each_request_apart() -> None:
    model = ScriptedModel()
    asked = [posted(model, body(note)).exchange for note in ("a", "b", "a", "a")]
    assert [exchange.attempt for exchange in asked if exchange is not None] == [1, 1, 2, 3]


def test_the_request_not_seen_for_longest_is_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_module, "REMEMBERED", 2)
    model = ScriptedModel()
    asked = [posted(model, body(note)).exchange for note in ("a", "b", "a", "c", "a", "b")]
    assert [exchange.attempt for exchange in asked if exchange is not None] == [1, 1, 2, 1, 3, 1]
