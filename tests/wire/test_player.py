"""The stream cases reach a client over a real socket, from a process of its own, exactly as they are written down."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from backoffice.llm.scripted.script import Drop
from tests.wire.player import NOTE, ScriptedServer, load_captures, load_expectations

CAPTURES = load_captures()
EXPECTATIONS = load_expectations()
REQUEST = {"model": "m", "messages": [{"role": "user", "content": NOTE}]}
FOLLOW_UP = {"model": "m", "messages": [*REQUEST["messages"], {"role": "tool", "tool_call_id": "x", "content": "{}"}]}


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


def _received(url: str, payload: dict[str, Any]) -> tuple[int, bytes, bool]:
    """Status, body, and whether the body ended as it should."""
    content = b""
    with (
        httpx2.Client(trust_env=False) as client,
        client.stream("POST", f"{url}/chat/completions", json=payload) as answer,
    ):
        try:
            for piece in answer.iter_raw():
                content += piece
        except httpx2.RemoteProtocolError:
            return answer.status_code, content, False
    return answer.status_code, content, True


def test_every_expectation_names_captures_that_exist() -> None:
    assert {name for case in EXPECTATIONS.values() for name in case["script"].split("+")} <= set(CAPTURES)
    assert set(EXPECTATIONS) == set(CAPTURES)


@pytest.mark.process
@pytest.mark.parametrize("name", sorted(CAPTURES))
def test_a_capture_is_served_to_the_byte(server: ScriptedServer, name: str) -> None:
    script = CAPTURES[name]
    status, content, whole = _received(server.case_url(name), REQUEST)
    assert status == script.status
    assert content == b"".join(step for step in script.body if isinstance(step, bytes))
    assert whole is not any(isinstance(step, Drop) for step in script.body)


@pytest.mark.process
def test_a_follow_up_gets_the_second_capture_and_both_requests_are_kept(server: ScriptedServer) -> None:
    url = server.case_url("b01_tool+b02_followup", "kept")
    assert b"tool_calls" in _received(url, REQUEST)[1]
    assert b"Normalized to" in _received(url, FOLLOW_UP)[1]
    assert server.received("b01_tool+b02_followup", "kept") == [REQUEST, FOLLOW_UP]
    server.forget("b01_tool+b02_followup", "kept")
    assert server.received("b01_tool+b02_followup", "kept") == []


def test_the_very_long_case_is_what_its_expectation_says() -> None:
    events = [
        step for step in CAPTURES["t07_very_long"].body if isinstance(step, bytes) and step.startswith(b"data: {")
    ]
    deltas = [json.loads(event.removeprefix(b"data: "))["choices"][0]["delta"] for event in events]
    text = "".join(delta.get("content", "") for delta in deltas)
    expected = EXPECTATIONS["t07_very_long"]["summary"]
    assert (len(text), hashlib.sha256(text.encode()).hexdigest()) == (expected["length"], expected["sha256"])
