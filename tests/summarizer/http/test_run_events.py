"""`GET /summaries/runs/<id>/events`: progress while a run is worked on, and one end."""

import asyncio
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import override_settings

from backoffice.database import in_database
from backoffice.llm.sse import KEEP_ALIVE, EventParser
from summarizer.runs import reading
from summarizer.runs.queue import cancel
from tests.summarizer.http.standards import ENDLESS, Caller, batch, run_id_of
from tests.summarizer.making import claimed_run, let_lease_run_out, queued_run
from tests.summarizer.runs.trouble import trouble

pytestmark = pytest.mark.django_db(transaction=True)


async def events_of(response: Any) -> list[tuple[str, Any]]:
    parser = EventParser()
    return [(event.event, event.json()) async for part in response for event in parser.feed(part)]


async def test_every_change_is_told_and_the_end_comes_once_and_last(caller: Caller) -> None:
    accepted = await caller.post(batch(*["Slow. [[fault: ttft=0.3]]"] * 3), Prefer="respond-async")
    response = await caller.get(f"{accepted.headers['Location']}/events")
    assert response.headers["Content-Type"] == "text/event-stream"
    assert response.headers["Cache-Control"] == "no-store"
    *progress, end = await events_of(response)
    assert end == ("end", {"state": "completed"})
    assert {kind for kind, _ in progress} == {"progress"}
    done = [data["done"] for _, data in progress]
    assert done == sorted(done)
    assert progress[-1][1] == {"total": 3, "done": 3}


async def test_a_run_that_has_ended_is_told_at_once(caller: Caller) -> None:
    answered = await caller.post(batch("A note."))
    response = await caller.get(f"{answered.headers['Content-Location']}/events")
    assert await events_of(response) == [("progress", {"total": 1, "done": 1}), ("end", {"state": "completed"})]


async def test_a_cancelled_run_ends_too_with_its_withdrawn_rows_done(caller: Caller) -> None:
    accepted = await caller.post(batch(ENDLESS, "Second."), Prefer="respond-async")
    await in_database(let_lease_run_out, run_id_of(accepted))
    await caller.post(path=f"{accepted.headers['Location']}/cancel")
    events = await events_of(await caller.get(f"{accepted.headers['Location']}/events"))
    assert events == [("progress", {"total": 2, "done": 2}), ("end", {"state": "cancelled"})]


@pytest.fixture
async def abandoned(caller: Caller) -> str:
    """The path of a run whose cancellation was asked for, and whose worker died before it could honour that."""
    accepted = await caller.post(batch(ENDLESS, "Second."), Prefer="respond-async")
    await caller.post(path=f"{accepted.headers['Location']}/cancel")
    await in_database(let_lease_run_out, run_id_of(accepted))
    path: str = accepted.headers["Location"]
    return path


async def test_a_run_whose_worker_died_before_it_could_cancel_it_ends_for_who_watches_it(
    caller: Caller, abandoned: str
) -> None:
    async with asyncio.timeout(5):
        events = await events_of(await caller.get(f"{abandoned}/events"))
    assert events == [("progress", {"total": 2, "done": 2}), ("end", {"state": "cancelled"})]


async def test_it_ends_for_who_polls_it(caller: Caller, abandoned: str) -> None:
    polled = (await caller.get(abandoned)).json()
    assert (polled["state"], polled["progress"]) == ("cancelled", {"total": 2, "done": 2})


async def test_a_database_that_is_away_for_a_while_does_not_end_the_stream(caller: Caller) -> None:
    run = await in_database(claimed_run, "A note.")
    await in_database(cancel, run.run_id)
    await in_database(let_lease_run_out, run.run_id)
    watching = reading.watch(run.run_id)
    async with trouble("is away", "NEW.state = 'cancelled'", "summarizer_run"):
        first = asyncio.ensure_future(anext(watching))
        await asyncio.sleep(0.3)
        assert not first.done()
    assert [await first, *[event async for event in watching]] == [
        ("progress", {"total": 1, "done": 1}),
        ("end", {"state": "cancelled"}),
    ]


async def test_the_stream_is_kept_alive_while_nothing_changes(caller: Caller, operator: User) -> None:
    accepted = await caller.post(batch(ENDLESS), Prefer="respond-async")
    with override_settings(SSE_KEEPALIVE_SECONDS=0.05):
        response = await caller.get(f"{accepted.headers['Location']}/events")
        parts = aiter(response)
        async with asyncio.timeout(5):
            assert b"progress" in await anext(parts)
            assert await anext(parts) == KEEP_ALIVE


async def test_somebody_elses_run_and_no_run_have_no_events(caller: Caller) -> None:
    run = await in_database(queued_run, "A note.")
    for run_id in (run.pk, 10**6, 10**30):
        assert (await caller.get(f"/summaries/runs/{run_id}/events")).status_code == 404
