"""`GET /summaries/runs/<id>`: state, progress, the result so far, and every outcome in request order."""

import pytest
from django.contrib.auth.models import User

from backoffice.database import in_database
from summarizer.models import Trigger
from summarizer.runs.queue import Origin, cancel
from tests.summarizer.http.standards import Caller, batch
from tests.summarizer.making import failed, queued_run, rows_of, store, summarised, taken

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_run_that_has_ended_has_its_whole_result(caller: Caller) -> None:
    answer = await caller.post(batch("One costs 7 EUR.", "Two. [[fault:400]]", "Three. [[fault:length]]"))
    status = await caller.get(answer.headers["Content-Location"])
    assert status.status_code == 200
    run = status.json()
    assert (run["state"], run["model"], run["provider"], run["trigger"]) == (
        "completed",
        "gpt-4o-mini-2024-07-18",
        "scripted",
        "api",
    )
    assert run["result"] == answer.json()
    assert run["progress"] == {"total": 3, "done": 3}
    assert run["created_at"] <= run["started_at"] <= run["finished_at"]


async def test_each_outcome_tells_how_it_ended_and_what_it_used(caller: Caller) -> None:
    answer = await caller.post(batch("One costs 7 EUR.", "Two. [[fault:400]]", "Three. [[fault:length]]"))
    first, second, third = (await caller.get(answer.headers["Content-Location"])).json()["outcomes"]
    assert [row["row_id"] for row in (first, second, third)] == [1, 2, 3]
    assert (first["state"], first["summary"], first["failure"]) == ("summarised", answer.json()["summaries"]["1"], None)
    assert first["input_tokens"] > 0 < first["output_tokens"]
    assert float(first["cost"]) > 0
    assert (second["state"], second["summary"], second["failure"]) == ("failed", None, "rejected")
    assert (second["input_tokens"], second["output_tokens"], second["cost"]) == (None, None, None)
    assert (third["warnings"], third["stop_reason"]) == (["truncated"], "length")
    assert "exchange" not in first


def half_done(user: User) -> int:
    run = queued_run("One.", "Two.", "Three.", origin=Origin(Trigger.API, user))
    claimed = taken(run.pk)
    first, second, _ = rows_of(run.pk)
    store(claimed, first, summarised())
    store(claimed, second, failed())
    return run.pk


async def test_a_run_that_is_worked_on_has_its_result_so_far(caller: Caller, operator: User) -> None:
    run_id = await in_database(half_done, operator)
    run = (await caller.get(f"/summaries/runs/{run_id}")).json()
    assert (run["state"], run["progress"], run["finished_at"]) == ("running", {"total": 3, "done": 2}, None)
    assert run["result"] == {"summaries": {"1": "A summary."}, "failed": [2]}
    assert [row["state"] for row in run["outcomes"]] == ["summarised", "failed", "pending"]


async def test_a_withdrawn_row_is_done_and_neither_summarised_nor_failed(caller: Caller, operator: User) -> None:
    run_id = (await in_database(queued_run, "One.", origin=Origin(Trigger.API, operator))).pk
    await in_database(cancel, run_id)
    run = (await caller.get(f"/summaries/runs/{run_id}")).json()
    assert (run["state"], run["progress"]) == ("cancelled", {"total": 1, "done": 1})
    assert run["result"] == {"summaries": {}, "failed": []}
    assert run["outcomes"][0]["state"] == "withdrawn"


async def test_an_answer_is_the_same_whatever_media_type_is_wished_for(caller: Caller, operator: User) -> None:
    run_id = (await in_database(queued_run, "One.", origin=Origin(Trigger.API, operator))).pk
    headers = {"Authorization": f"Token {caller.token}", "Accept": "text/html"}
    answer = await caller.client.get(f"/summaries/runs/{run_id}", headers=headers)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/json")
