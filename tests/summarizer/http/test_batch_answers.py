"""`POST /summaries/batch`: every row of the request is in exactly one of `summaries` and `failed`."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from backoffice.database import in_database
from backoffice.llm.scripted.doors import Handler
from summarizer.models import Outcome, Run, RunState, Trigger
from tests.summarizer.http.standards import Caller, batch, run_id_of
from tests.summarizer.making import rows_of, stored_run
from tests.summarizer.provider import Provider, asking_for, text_reply
from tests.summarizer.runs.trouble import trouble

pytestmark = pytest.mark.django_db(transaction=True)

BROKEN = "Broken. [[fault:malformed]]"


async def test_the_answer_has_summaries_by_row_id_and_the_failed_rows(caller: Caller) -> None:
    answer = await caller.post(batch("One costs 7 EUR.", BROKEN, "Three."))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/json"
    assert set(answer.json()) == {"summaries", "failed"}
    assert set(answer.json()["summaries"]) == {"1", "3"}
    assert answer.json()["failed"] == [2]


async def test_the_summary_is_the_models_sentence(caller: Caller, serve_model: Callable[[Handler], None]) -> None:
    serve_model(Provider(asking_for("7 EUR", text="Let me see."), text_reply("Une facture – 7.00 EUR.")))
    answer = await caller.post(batch("Facture: 7 EUR."))
    assert answer.json() == {"summaries": {"1": "Une facture – 7.00 EUR."}, "failed": []}


async def test_failed_rows_come_in_request_order(caller: Caller) -> None:
    rows = [{"row_id": row_id, "text": BROKEN} for row_id in (30, 4, 17)]
    answer = await caller.post({"rows": [*rows, {"row_id": 2, "text": "Fine."}]})
    assert answer.json()["failed"] == [30, 4, 17]
    assert set(answer.json()["summaries"]) == {"2"}


@pytest.mark.parametrize("fault", ["400", "503=0.001", "429=0.001", "drop-mid", "eof", "error-event", "bad-utf8"])
async def test_whatever_happens_to_a_row_the_request_succeeds(caller: Caller, fault: str) -> None:
    answer = await caller.post(batch("One.", f"Two. [[fault:{fault}]]", "Three."))
    assert (answer.status_code, answer.json()["failed"]) == (200, [2])


async def test_a_request_of_which_every_row_fails_succeeds(caller: Caller) -> None:
    answer = await caller.post(batch(BROKEN))
    assert (answer.status_code, answer.json()) == (200, {"summaries": {}, "failed": [1]})


async def test_a_row_whose_outcome_cannot_be_stored_has_failed(caller: Caller) -> None:
    async with trouble("refuses", "NEW.row_id = 2"):
        answer = await caller.post(batch("One.", "Two.", "Three."))
    assert (answer.status_code, answer.json()["failed"]) == (200, [2])
    assert set(answer.json()["summaries"]) == {"1", "3"}


@pytest.mark.parametrize("fault", ["empty", "refusal"])
async def test_no_text_at_all_is_an_empty_summary_and_no_failure(caller: Caller, fault: str) -> None:
    answer = await caller.post(batch(f"One. [[fault:{fault}]]"))
    assert answer.json() == {"summaries": {"1": ""}, "failed": []}


async def test_the_answer_says_nothing_of_the_provider(caller: Caller) -> None:
    answer = await caller.post(batch("One. [[fault:400]]", "Two. [[fault:error-event]]"))
    status = await caller.get(answer.headers["Content-Location"])
    for said in (answer, status):
        assert "Scripted failure" not in said.text
        assert "overloaded" not in said.text


async def test_the_answer_names_its_run(caller: Caller, operator: User) -> None:
    answer = await caller.post(batch("One.", BROKEN))
    run = await in_database(stored_run, run_id_of(answer))
    assert answer.headers["Content-Location"] == f"/summaries/runs/{run.pk}"
    assert (run.state, run.trigger, run.created_by_id) == (RunState.COMPLETED, Trigger.API, operator.pk)
    rows = await in_database(rows_of, run.pk)
    assert [(row.row_id, row.text, row.state) for row in rows] == [(1, "One.", "summarised"), (2, BROKEN, "failed")]


async def test_two_requests_are_two_runs(caller: Caller) -> None:
    answers = [await caller.post(batch("One.")) for _ in range(2)]
    assert len({run_id_of(answer) for answer in answers}) == 2


async def test_without_a_model_nothing_is_stored_and_503_says_so(caller: Caller, settings: Settings) -> None:
    settings.LLM_PROVIDER, settings.OPENAI_API_KEY = "openai", ""
    answer = await caller.post(batch("One."))
    assert answer.status_code == 503
    assert answer.json() == {"detail": "No model is configured.", "code": "not_configured"}
    assert not await in_database(Run.objects.exists)
    assert not await in_database(Outcome.objects.exists)
