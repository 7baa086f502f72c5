"""Every question is stored once, when it has ended, with what its answer rested on, however it ended."""

import asyncio
import hashlib
import logging
from collections.abc import Callable
from contextlib import aclosing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from backoffice.api.streams import encoded
from backoffice.audit.models import HistoryIsFinal
from backoffice.database import in_database
from backoffice.evidencedesk import answers
from backoffice.evidencedesk.models import Answer, AnswerState
from backoffice.evidencedesk.views import _events
from backoffice.llm.client import model_config
from backoffice.llm.failures import ModelFailure
from backoffice.llm.scripted.misbehaviour import FOR_EVER
from backoffice.llm.scripted.script import Drop, Script, Sleep
from tests.evidencedesk.desk import QUESTION, Desk, answered, says
from tests.llm.streams import Player, chunk

Play = Callable[..., Player]
SECRET = "Zaphod's question"


async def _stored() -> Answer:
    row: Answer = await in_database(Answer.objects.get)
    return row


def _waiting(*said: bytes) -> Script:
    return Script(body=(*said, Sleep(FOR_EVER)))


async def test_an_answer_is_stored_with_all_it_rested_on(desk: Desk, play: Play, corpus: Path) -> None:
    play(says(answered("Within 30 days."), tokens=(1000, 100)))
    await desk.ask()
    row = await _stored()
    assert (row.state, row.channel, row.code, row.failure, row.reasons) == ("answered", "answer", "ok", "", [])
    assert (row.question, row.answer, row.status, row.confidence) == (QUESTION, "Within 30 days.", "answered", "high")
    assert row.cited_ids == ["terms"]
    assert row.citations[0]["passage"] == "Invoices are payable within 30 days."
    shown = {document["id"]: document for document in row.documents}
    assert {id_: document["status"] for id_, document in shown.items()} == {
        "terms": "current",
        "old-terms": "superseded",
    }
    assert shown["terms"]["sha256"] == hashlib.sha256((corpus / "terms.md").read_bytes()).hexdigest()
    assert (row.provider, row.model, row.answered_by) == ("openai", "gpt-4o-mini-2024-07-18", "m-1")
    assert (row.input_tokens, row.output_tokens, row.cost) == (1000, 100, Decimal("0.00021"))
    assert (row.stop_reason, row.prompt) == ("end", answers.ANSWER_PROMPT)
    assert row.started_at is not None
    assert row.finished_at is not None
    assert row.started_at <= row.finished_at
    assert row.duration_ms is not None
    assert row.first_text_ms is not None
    assert 0 <= row.first_text_ms <= row.duration_ms


async def test_a_withheld_answer_is_stored_with_the_reasons(desk: Desk, play: Play) -> None:
    play(says(answered("Within 45 days.", "terms", "nowhere")))
    await desk.ask()
    row = await _stored()
    assert (row.state, row.code, row.answer, row.citations) == ("withheld", "unsupported", "Within 45 days.", [])
    assert row.reasons == [
        {"loc": ["cited_ids", 1], "msg": "there is no document with this id"},
        {"loc": ["answer"], "msg": "45 does not stand in the cited text"},
    ]


async def test_every_call_of_a_repeated_question_is_stored_and_counted(desk: Desk, play: Play) -> None:
    play(says("no JSON"), says('{"answer": 1}'))
    await desk.ask()
    row = await _stored()
    assert (row.code, row.answer) == ("invalid_schema", '{"answer": 1}')
    assert (row.input_tokens, row.output_tokens) == (20, 10)
    assert [reason["loc"] for reason in row.reasons] == [["answer"], ["cited_ids"], ["confidence"], ["status"]]
    first, second = row.exchange
    assert [message["role"] for message in first["messages"]] == ["user"]
    assert [message["role"] for message in second["messages"]] == ["assistant", "user"]
    assert second["messages"][0]["content"] == "no JSON"
    assert first["parameters"]["response_format"]["type"] == "json_schema"


async def test_a_streamed_answer_is_stored_as_it_was_streamed(desk: Desk, play: Play) -> None:
    play(says("Within 45 days ", "[terms]."))
    await desk.stream()
    row = await _stored()
    assert (row.state, row.channel, row.code) == ("withheld", "stream", "unsupported")
    assert (row.answer, row.cited_ids, row.status, row.confidence) == (
        "Within 45 days [terms].",
        ["terms"],
        "answered",
        "",
    )
    assert row.prompt == answers.PROSE_PROMPT


async def test_that_nothing_was_cited_is_a_reason(desk: Desk, play: Play) -> None:
    play(says("It is so."))
    await desk.stream()
    assert (await _stored()).reasons == [{"loc": ["cited_ids"], "msg": "no document is cited"}]


async def test_a_streamed_answer_that_was_cut_off_says_so(desk: Desk, play: Play) -> None:
    play(says("Within [terms]", stop="length"))
    await desk.stream()
    row = await _stored()
    assert (row.code, row.reasons) == ("truncated", [{"loc": [], "msg": "it was cut off by the length limit"}])


@pytest.mark.parametrize("channel", ["answer", "stream"])
async def test_a_failure_is_stored_with_the_text_that_came(desk: Desk, play: Play, channel: str) -> None:
    play(Script(body=(chunk("Within"), Drop())))
    await (desk.post({"question": "When?"}) if channel == "answer" else desk.stream())
    row = await _stored()
    assert (row.state, row.channel, row.failure, row.answer, row.code) == ("failed", channel, "connection", None, "")
    assert row.exchange[0]["answer"]["text"] == "Within"
    assert row.input_tokens is None
    assert row.cost is None


async def test_a_failure_in_the_second_call_keeps_the_first(desk: Desk, play: Play) -> None:
    play(says("no JSON"), Script(body=(Drop(),)))
    response = await desk.post({"question": "When?"})
    assert (response.status_code, response.json()["code"]) == (502, "connection")
    assert [call["answer"]["text"] for call in (await _stored()).exchange] == ["no JSON", ""]


async def test_a_client_that_leaves_an_answer_is_stored_and_the_call_is_closed(desk: Desk, play: Play) -> None:
    player = play(_waiting(chunk("{")))
    task = asyncio.create_task(answers.answer(QUESTION, model_config()))
    while not player.calls:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    row = await _stored()
    assert (row.state, row.answer, row.exchange[0]["answer"]["text"]) == (AnswerState.LEFT, None, "{")
    assert [ending.ended for ending in player.endings] == ["hung_up"]


async def test_a_client_that_leaves_a_stream_is_stored_and_the_call_is_closed(desk: Desk, play: Play) -> None:
    player = play(_waiting(chunk("Within")))
    async with aclosing(encoded(_events(QUESTION, model_config()))) as received:  # type: ignore[type-var]
        assert b"Within" in await anext(received)
    row = await _stored()
    assert (row.state, row.channel, row.exchange[0]["answer"]["text"]) == (AnswerState.LEFT, "stream", "Within")
    assert [ending.ended for ending in player.endings] == ["hung_up"]


async def test_a_generator_that_is_closed_is_stored_too(desk: Desk, play: Play) -> None:
    play(says("Within 30 days [terms]."))
    stream = answers.stream(QUESTION, model_config())
    assert await anext(stream) == answers.Text("Within 30 days [terms].")
    await stream.aclose()
    assert (await _stored()).state == AnswerState.LEFT


async def test_a_programming_error_is_internal_and_stored(
    desk: Desk, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(says(answered()))
    monkeypatch.setattr(answers, "_checked", None)
    response = await desk.post({"question": SECRET})
    assert (response.status_code, response.json()["code"]) == (502, "internal")
    assert (await _stored()).failure == "internal"


async def test_no_connection_is_held_while_the_model_is_awaited(play: Play) -> None:
    """No database is allowed in this test: what streams does not need it, and what is stored in the end does."""
    play(says("Within ", "30 days [terms]."))
    stream = answers.stream(QUESTION, model_config())
    assert [await anext(stream), await anext(stream)] == [answers.Text("Within "), answers.Text("30 days [terms].")]
    with pytest.raises(ModelFailure, match="could not be stored"):
        await anext(stream)


@pytest.fixture
def _no_table(answers_table: None) -> Any:
    with connection.schema_editor() as editor:
        editor.alter_db_table(Answer, "evidencedesk_answer", "elsewhere")
    yield
    with connection.schema_editor() as editor:
        editor.alter_db_table(Answer, "elsewhere", "evidencedesk_answer")


@pytest.mark.usefixtures("_no_table")
async def test_what_cannot_be_stored_is_not_shown_and_not_logged(
    desk: Desk, play: Play, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("backoffice"), "propagate", True)
    play(says(answered()))
    response = await desk.post({"question": SECRET})
    assert (response.status_code, response.json()["code"]) == (502, "internal")
    assert "could not be stored" in caplog.text
    assert SECRET not in caplog.text


async def test_neither_question_nor_answer_is_logged(
    desk: Desk, play: Play, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("backoffice"), "propagate", True)
    caplog.set_level(logging.DEBUG, logger="backoffice")
    play(says(answered("Zaphod's answer")))
    await desk.ask(SECRET)
    await desk.stream(SECRET)
    assert "Zaphod" not in "".join(
        record.getMessage() for record in caplog.records if record.name.startswith("backoff")
    )


@pytest.mark.django_db
def test_what_is_stored_is_final() -> None:
    row = Answer.objects.create(state="left", channel="answer", question="q")
    for change in (row.save, row.delete, Answer.objects.all().delete, lambda: Answer.objects.update(question="x")):
        with pytest.raises(HistoryIsFinal):
            change()
    assert str(row) == f"Answer {row.pk}"
    Answer.objects.all().purge()
    assert not Answer.objects.exists()
