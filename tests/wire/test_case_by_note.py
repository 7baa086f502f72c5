"""A batch of notes can meet a different capture with every row, each note naming its own."""

from typing import Any

import pytest

from backoffice.llm.scripted import ScriptedModel
from backoffice.llm.scripted.cases import CaseBook
from backoffice.llm.scripted.doors import HttpCall
from tests.llm.scripted.asking import answered, body, encoded
from tests.wire.player import load_captures, note_for

CHAT = "/case/*/v1/chat/completions"


@pytest.fixture
def book() -> CaseBook:
    return CaseBook(load_captures(), ScriptedModel())


def _handled(book: CaseBook, payload: Any) -> tuple[int, bytes]:
    script = book.handle(HttpCall("POST", CHAT, {}, encoded(payload))).script
    return script.status, b"".join(step for step in script.body if isinstance(step, bytes))


def test_the_note_names_what_is_played(book: CaseBook) -> None:
    assert b"Invoice total" in _handled(book, body(note_for("b00_text")))[1]
    assert b"429" not in _handled(book, body(note_for("e27_400")))[1]
    assert _handled(book, body(note_for("e27_400")))[0] == 400


def test_the_follow_up_gets_the_second_capture(book: CaseBook) -> None:
    note = note_for("b01_tool+b02_followup")
    assert b"tool_calls" in _handled(book, body(note))[1]
    assert b"Normalized to" in _handled(book, body(note, *answered([{}])))[1]


def test_requests_are_kept_for_each_script_and_label(book: CaseBook) -> None:
    for label in ("", "one"):
        _handled(book, body(note_for("b00_text", label)))
    assert book.received("b00_text") == [body(note_for("b00_text"))]
    assert book.received("b00_text~one") == [body(note_for("b00_text", "one"))]


@pytest.mark.parametrize("payload", [body("5 EUR"), body("[[case: nothing]]"), {"messages": [{"role": "user"}]}, [], 5])
def test_a_note_that_names_no_capture_is_refused(book: CaseBook, payload: Any) -> None:
    assert _handled(book, payload)[0] == 404
