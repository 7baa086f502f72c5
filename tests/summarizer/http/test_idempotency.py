"""A repeated request gets the first one's result, and no row is summarised twice (the IETF's Idempotency-Key draft)."""

import asyncio
from dataclasses import replace

import pytest
from django.contrib.auth.models import Permission, User

from backoffice.database import in_database
from backoffice.llm.client import model_config
from summarizer.models import Outcome, OutcomeState, Run, RunState, Trigger
from summarizer.runs.batch import Batch, _open
from summarizer.runs.queue import Origin
from tests.summarizer.http.standards import ENDLESS, SLOW, Caller, batch, hang_up, run_id_of
from tests.summarizer.making import let_lease_run_out, notes, until

pytestmark = pytest.mark.django_db(transaction=True)


def attempts() -> list[tuple[int, str]]:
    return list(Outcome.objects.order_by("run_id", "position").values_list("row_id", "state"))


async def test_the_second_request_gets_the_first_ones_answer_and_run(caller: Caller) -> None:
    first = await caller.post(batch("A note: 5 EUR."), Idempotency_Key='"k1"')
    second = await caller.post(batch("A note: 5 EUR."), Idempotency_Key='"k1"')
    assert first.status_code == second.status_code == 200
    assert second.json() == first.json()
    assert run_id_of(second) == run_id_of(first)
    assert await in_database(attempts) == [(1, "summarised")]


async def test_a_quoted_and_a_bare_key_are_the_same_key(caller: Caller) -> None:
    first = await caller.post(batch("A note."), Idempotency_Key='"k1"')
    second = await caller.post(batch("A note."), Idempotency_Key="k1")
    assert run_id_of(second) == run_id_of(first)


async def test_failed_rows_of_the_first_request_are_failed_in_the_second(caller: Caller) -> None:
    body = batch("Fine.", "Broken. [[fault: malformed]]")
    first = await caller.post(body, Idempotency_Key="k1")
    second = await caller.post(body, Idempotency_Key="k1")
    assert first.json()["failed"] == second.json()["failed"] == [2]
    assert await in_database(attempts) == [(1, "summarised"), (2, "failed")]


async def test_two_requests_at_the_same_instant_make_one_run(caller: Caller) -> None:
    body = batch(SLOW, "Second.")
    first, second = await asyncio.gather(*(caller.post(body, Idempotency_Key="k1") for _ in range(2)))
    assert first.json() == second.json()
    assert run_id_of(first) == run_id_of(second)
    assert await in_database(Run.objects.count) == 1
    assert await in_database(attempts) == [(1, "summarised"), (2, "summarised")]


async def test_another_body_under_the_same_key_is_refused_and_stores_nothing(caller: Caller) -> None:
    await caller.post(batch("A note."), Idempotency_Key="k1")
    refused = await caller.post(batch("Another note."), Idempotency_Key="k1")
    assert refused.status_code == 422
    assert refused.json()["detail"][0]["type"] == "idempotency_key_reused"
    assert await in_database(Run.objects.count) == 1


async def test_another_users_equal_key_is_another_key(caller: Caller) -> None:
    first = await caller.post(batch("A note."), Idempotency_Key="k1")
    other = await in_database(_another_caller)
    second = await other.post(batch("Another note."), Idempotency_Key="k1")
    assert second.status_code == 200
    assert run_id_of(second) != run_id_of(first)


def _another_caller() -> Caller:
    user = User.objects.create_user("otto")
    user.user_permissions.set(Permission.objects.filter(codename="add_run", content_type__app_label="summarizer"))
    return Caller(user)


async def test_requests_without_a_key_are_never_the_same(caller: Caller) -> None:
    first = await caller.post(batch("A note."))
    second = await caller.post(batch("A note."))
    assert run_id_of(first) != run_id_of(second)


async def test_what_a_client_that_hung_up_left_is_finished_by_its_second_request(caller: Caller) -> None:
    body = batch("First.", "Second. [[fault: ttft=0.5]]", "Third.")
    await hang_up(
        lambda: caller.post(body, Idempotency_Key="k1"),
        lambda: until(lambda: Outcome.objects.filter(row_id=1, state=OutcomeState.SUMMARISED).exists()),
    )
    assert await in_database(lambda: Run.objects.get().state) == RunState.INTERRUPTED
    first_end = await in_database(lambda: Outcome.objects.get(row_id=1).finished_at)
    again = await caller.post(body, Idempotency_Key="k1")
    assert sorted(again.json()["summaries"]) == ["1", "2", "3"]
    assert await in_database(lambda: Outcome.objects.get(row_id=1).finished_at) == first_end
    assert await in_database(Run.objects.count) == 1


async def test_what_a_crash_left_is_finished_when_its_lease_has_run_out(caller: Caller, operator: User) -> None:
    crashed = Batch(notes("A note.", "Another."), Origin(Trigger.API, operator), "k1")
    run_id, claimed = await in_database(_open, crashed, model_config())
    assert claimed is not None
    await in_database(let_lease_run_out, run_id)
    answer = await caller.post(batch("A note.", "Another."), Idempotency_Key="k1")
    assert run_id_of(answer) == run_id
    assert sorted(answer.json()["summaries"]) == ["1", "2"]


async def test_every_row_of_a_cancelled_run_is_in_one_place_of_the_repeated_answer(caller: Caller) -> None:
    accepted = await caller.post(batch(ENDLESS, "Second."), Idempotency_Key="k1", Prefer="respond-async")
    run_id = run_id_of(accepted)
    await in_database(let_lease_run_out, run_id)
    await caller.post(path=f"/summaries/runs/{run_id}/cancel")
    again = await caller.post(batch(ENDLESS, "Second."), Idempotency_Key="k1")
    assert again.json() == {"summaries": {}, "failed": [1, 2]}


@pytest.mark.parametrize("headers", [{}, {"Prefer": "respond-async"}])
async def test_what_another_provider_was_asked_for_and_did_not_finish_is_refused_in_plain_words(
    caller: Caller, operator: User, headers: dict[str, str]
) -> None:
    crashed = Batch(notes("A note."), Origin(Trigger.API, operator), "k1")
    run_id, _ = await in_database(_open, crashed, replace(model_config(), provider="openai"))
    await in_database(let_lease_run_out, run_id)
    refused = await caller.post(batch("A note."), Idempotency_Key="k1", **headers)
    assert refused.status_code == 409
    assert refused.json() == {
        "detail": f"Run {run_id}, which this request began, stopped half-way. Its provider was openai, and "
        "now scripted is asked. Send the rows under a new Idempotency-Key; or repeat this request when openai is asked "
        "again."
    }


@pytest.mark.parametrize("key", ["", '""', "k" * 256, "key\x7f", "schlüssel".encode().decode("latin-1")])
async def test_a_key_that_is_none_is_refused(caller: Caller, key: str) -> None:
    refused = await caller.post(batch("A note."), Idempotency_Key=key)
    assert refused.status_code == 400
    assert await in_database(Run.objects.count) == 0
