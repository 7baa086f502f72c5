"""`Prefer: respond-async` (RFC 7240): 202 at once, the work goes on, and the run is polled."""

import pytest
from django.test import override_settings

from backoffice.background import wind_down
from backoffice.database import in_database
from summarizer.models import Run, RunState
from tests.summarizer.http.standards import ENDLESS, SLOW, Caller, batch, ended, run_id_of
from tests.summarizer.making import states_of, stored_run

pytestmark = pytest.mark.django_db(transaction=True)


async def test_the_answer_comes_before_the_work_is_done_and_names_the_run(caller: Caller) -> None:
    accepted = await caller.post(batch(SLOW), Prefer="respond-async")
    assert accepted.status_code == 202
    assert accepted.headers["Preference-Applied"] == "respond-async"
    run_id = run_id_of(accepted)
    assert accepted.json() == {"id": run_id}
    assert accepted.headers["Location"] == f"/summaries/runs/{run_id}"
    polled = await caller.get(accepted.headers["Location"])
    assert polled.json()["progress"] == {"total": 1, "done": 0}
    assert await ended(run_id) == RunState.COMPLETED


async def test_the_polled_run_ends_with_the_result_a_waiting_caller_would_get(caller: Caller) -> None:
    accepted = await caller.post(batch("A note.", "Broken. [[fault: malformed]]"), Prefer="respond-async")
    await ended(run_id_of(accepted))
    polled = (await caller.get(accepted.headers["Location"])).json()
    assert polled["progress"] == {"total": 2, "done": 2}
    assert list(polled["result"]["summaries"]) == ["1"]
    assert polled["result"]["failed"] == [2]
    assert [outcome["failure"] for outcome in polled["outcomes"]] == [None, "malformed_chunk"]


@pytest.mark.parametrize("prefer", ["wait=10, respond-async", "Respond-Async; foo=bar", "return=minimal,respond-async"])
async def test_the_preference_is_found_among_others(caller: Caller, prefer: str) -> None:
    assert (await caller.post(batch("A note."), Prefer=prefer)).status_code == 202


@pytest.mark.parametrize("prefer", ["", "wait=10", "respond-asynchronously", "handling=lenient"])
async def test_other_preferences_change_nothing(caller: Caller, prefer: str) -> None:
    assert (await caller.post(batch("A note."), Prefer=prefer)).status_code == 200


async def test_the_same_key_again_names_the_same_run(caller: Caller) -> None:
    first = await caller.post(batch(SLOW), Prefer="respond-async", Idempotency_Key="k1")
    second = await caller.post(batch(SLOW), Prefer="respond-async", Idempotency_Key="k1")
    assert second.status_code == 202
    assert run_id_of(second) == run_id_of(first)
    waiting = await caller.post(batch(SLOW), Idempotency_Key="k1")
    assert list(waiting.json()["summaries"]) == ["1"]


async def test_a_server_that_shuts_down_leaves_the_run_for_the_next_job(caller: Caller) -> None:
    accepted = await caller.post(batch(ENDLESS), Prefer="respond-async")
    await wind_down()
    run_id = run_id_of(accepted)
    assert (await in_database(stored_run, run_id)).state == RunState.INTERRUPTED
    assert await in_database(states_of, run_id) == ["pending"]


async def test_an_invalid_body_is_refused_at_once(caller: Caller) -> None:
    assert (await caller.post({"rows": []}, Prefer="respond-async")).status_code == 422
    assert await in_database(Run.objects.count) == 0


async def test_without_a_model_nothing_is_accepted(caller: Caller) -> None:
    with override_settings(LLM_PROVIDER="openai", OPENAI_API_KEY=""):
        refused = await caller.post(batch("A note."), Prefer="respond-async")
    assert refused.status_code == 503
    assert await in_database(Run.objects.count) == 0
