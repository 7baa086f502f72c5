"""`POST /summaries/runs/<id>/cancel`."""

import asyncio

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.urls import reverse

from backoffice.database import in_database
from summarizer.models import Outcome, OutcomeState, Run, RunState
from tests.admin.staff import make_person, signed_in, words
from tests.summarizer.http.standards import Caller, batch, ended, run_id_of
from tests.summarizer.making import queued_run, states_of, until

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_running_run_ends_its_current_row_and_starts_no_other(caller: Caller) -> None:
    accepted = await caller.post(batch("First.", "Second. [[fault: ttft=0.4]]", "Third."), Prefer="respond-async")
    run_id = run_id_of(accepted)
    await until(lambda: Outcome.objects.filter(row_id=1, state=OutcomeState.SUMMARISED).exists())
    cancelling = await caller.post(path=f"/summaries/runs/{run_id}/cancel")
    assert cancelling.status_code == 202
    assert await ended(run_id) == RunState.CANCELLED
    assert await in_database(states_of, run_id) == ["summarised", "summarised", "withdrawn"]


async def test_cancelling_twice_is_cancelling_once(caller: Caller) -> None:
    accepted = await caller.post(batch("First. [[fault: ttft=0.4]]", "Second."), Prefer="respond-async")
    path = f"{accepted.headers['Location']}/cancel"
    first, second = await asyncio.gather(caller.post(path=path), caller.post(path=path))
    assert first.status_code == second.status_code == 202
    assert await ended(run_id_of(accepted)) == RunState.CANCELLED


async def test_a_run_that_has_ended_cannot_be_cancelled(caller: Caller) -> None:
    answered = await caller.post(batch("A note."))
    refused = await caller.post(path=f"{answered.headers['Content-Location']}/cancel")
    assert refused.status_code == 409
    assert "completed" in refused.json()["detail"]


async def test_somebody_elses_run_is_not_there(caller: Caller) -> None:
    run = await in_database(queued_run, "A note.")
    assert (await caller.post(path=f"/summaries/runs/{run.pk}/cancel")).status_code == 404
    assert await in_database(lambda: Run.objects.get().state) == RunState.QUEUED


def log_of(run_id: int) -> list[tuple[str, str]]:
    entries = LogEntry.objects.filter(object_id=str(run_id), object_repr=f"Run {run_id}").order_by("pk")
    return list(entries.values_list("user__username", "change_message"))


async def test_who_cancelled_a_run_stands_in_its_log_and_in_the_history_of_its_rows(operator: User) -> None:
    run = await in_database(queued_run, "A note.")
    chief = await in_database(make_person, "chief", "superuser")
    cancelling = await (await in_database(Caller, chief)).post(path=f"/summaries/runs/{run.pk}/cancel")
    assert cancelling.status_code == 202
    assert await in_database(log_of, run.pk) == [("chief", "Cancelled the run.")]

    def page_of_its_row() -> str:
        [row] = Outcome.objects.filter(run=run)
        return words(signed_in(chief).get(reverse("admin:summarizer_outcome_change", args=[row.pk])))

    assert "Taken back by chief," in await in_database(page_of_its_row)


async def test_cancelling_what_is_cancelled_or_has_ended_leaves_no_trace(caller: Caller) -> None:
    answered = await caller.post(batch("A note."))
    ended_run = answered.headers["Content-Location"]
    await caller.post(path=f"{ended_run}/cancel")
    assert await in_database(log_of, run_id_of(answered)) == []
    accepted = await caller.post(batch("First. [[fault: ttft=0.4]]", "Second."), Prefer="respond-async")
    path = f"{accepted.headers['Location']}/cancel"
    await asyncio.gather(caller.post(path=path), caller.post(path=path))
    await ended(run_id_of(accepted))
    assert len(await in_database(log_of, run_id_of(accepted))) == 1
