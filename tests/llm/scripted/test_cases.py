"""Captures played under a path of their own, one for the first call of a conversation and one for the follow-up."""

import json
from typing import Any

import openai
import pytest

from backoffice.llm.scripted import ScriptedModel
from backoffice.llm.scripted.captures import parse_capture
from backoffice.llm.scripted.cases import CaseBook
from backoffice.llm.scripted.doors import HttpCall
from tests.llm.scripted.asking import MODEL, answered, body, encoded, stream
from tests.llm.scripted.conftest import Door


def _chunk(text: str) -> str:
    return f'{{"choices": [{{"index": 0, "delta": {{"content": "{text}"}}, "finish_reason": "stop"}}]}}'


CAPTURES = {
    "first": parse_capture(_chunk("one")),
    "second": parse_capture(_chunk("two")),
    "busy": parse_capture("!status 429;Retry-After-Ms=1 text/html busy"),
}
CHAT = "/v1/chat/completions"


def _handled(book: CaseBook, path: str, payload: Any = None, method: str = "POST") -> Any:
    script = book.handle(HttpCall(method, path, {}, b"" if payload is None else encoded(payload))).script
    return script.status, b"".join(step for step in script.body if isinstance(step, bytes))


def _received(book: CaseBook, place: str) -> Any:
    return json.loads(_handled(book, f"/case/{place}/log", method="GET")[1])


@pytest.fixture
def book() -> CaseBook:
    return CaseBook(CAPTURES, ScriptedModel())


@pytest.mark.parametrize(
    ("script", "follow_up", "answer"),
    [
        ("first+second", False, b"one"),
        ("first+second", True, b"two"),
        ("first", False, b"one"),
        ("first", True, b"one"),
        ("first+second~label", True, b"two"),
    ],
)
def test_the_path_names_the_capture_that_answers(book: CaseBook, script: str, follow_up: bool, answer: bytes) -> None:
    payload = body("5 EUR", *(answered([{}]) if follow_up else []))
    assert answer in _handled(book, f"/case/{script}{CHAT}", payload)[1]


def test_requests_are_kept_for_each_path_apart(book: CaseBook) -> None:
    for path, note in (("first", "a"), ("first~other", "b"), ("first", "c")):
        _handled(book, f"/case/{path}{CHAT}", body(note))
    assert _received(book, "first") == [body("a"), body("c")]
    assert _received(book, "first~other") == [body("b")]
    assert _received(book, "second") == []


def test_kept_requests_can_be_forgotten(book: CaseBook) -> None:
    _handled(book, f"/case/first{CHAT}", body())
    _handled(book, "/case/first/log", method="DELETE")
    assert _received(book, "first") == []


@pytest.mark.parametrize("payload", [[], {"messages": 3}, {"messages": ["x"]}, "text"])
def test_a_request_of_any_shape_is_answered_as_a_first_call(book: CaseBook, payload: Any) -> None:
    assert b"one" in _handled(book, f"/case/first+second{CHAT}", payload)[1]


def test_a_body_that_is_no_json_is_kept_as_null(book: CaseBook) -> None:
    book.handle(HttpCall("POST", f"/case/first{CHAT}", {}, b"{"))
    assert _received(book, "first") == [None]


def test_an_unknown_capture_is_named(book: CaseBook) -> None:
    status, content = _handled(book, f"/case/first+third{CHAT}", body())
    assert (status, b"third" in content) == (404, True)


@pytest.mark.parametrize("path", ["/v1/models", "/case/first/v1/models"])
def test_everything_else_is_the_models(book: CaseBook, path: str) -> None:
    status, content = _handled(book, path, method="GET")
    assert (status, MODEL.encode() in content) == (200, True)


async def test_the_sdk_is_played_a_capture_through_both_doors(door: Door) -> None:
    client = await door.open_to(CaseBook(CAPTURES, ScriptedModel()))
    received = await stream(client.with_options(base_url=f"{client.base_url}".replace("/v1", "/case/first/v1")), body())
    assert (received.text, received.stop_reasons) == ("one", ["stop"])


async def test_the_sdks_retries_are_seen(door: Door) -> None:
    book = CaseBook(CAPTURES, ScriptedModel())
    client = await door.open_to(book)
    received = await stream(client.with_options(base_url=f"{client.base_url}".replace("/v1", "/case/busy/v1")), body())
    assert isinstance(received.error, openai.RateLimitError)
    assert _received(book, "busy") == [{**body(), "stream": True, "stream_options": {"include_usage": True}}] * 3
