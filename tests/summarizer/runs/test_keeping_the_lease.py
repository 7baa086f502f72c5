"""While a run is worked on its lease is renewed; a worker that lost it leaves at once and writes nothing."""

import asyncio
from collections.abc import Callable

import pytest
from django.utils import timezone

from backoffice import database
from backoffice.database import in_database
from backoffice.llm.client import ModelConfig
from backoffice.llm.scripted import Options, ScriptedModel
from backoffice.llm.scripted.doors import Exchange
from backoffice.llm.scripted.faults import parse_faults
from summarizer.models import Run, RunState
from summarizer.runs.execution import Stop, work
from tests.summarizer.making import claimed_run, rows_of, states_of, steal, stored_run, take, until
from tests.summarizer.runs.conftest import Working
from tests.summarizer.runs.trouble import trouble

pytestmark = pytest.mark.django_db(transaction=True)

LeaseOf = Callable[[float], None]


async def test_a_lease_is_renewed_while_a_call_is_awaited(working: Working, lease_of: LeaseOf) -> None:
    lease_of(0.8)
    claimed = await working.claimed("One. [[fault:ttft=1.6]]")
    at_work = asyncio.create_task(working(claimed))
    await asyncio.sleep(1.2)
    assert await in_database(take, claimed.run_id) is None
    assert await at_work is RunState.COMPLETED


async def test_a_worker_whose_run_was_taken_over_in_mid_row_leaves_and_writes_nothing(
    working: Working, lease_of: LeaseOf, caplog: pytest.LogCaptureFixture
) -> None:
    lease_of(0.2)
    claimed = await working.claimed("One. [[fault:stall]]", "Two.")
    at_work = asyncio.create_task(working(claimed))
    await asyncio.sleep(0.02)
    lease_of(60)
    taken = await in_database(steal, claimed.run_id)
    assert await asyncio.wait_for(at_work, 1) is None
    assert working.ended == []
    run = await in_database(stored_run, claimed.run_id)
    assert (run.state, run.owner) == (RunState.RUNNING, taken.owner)
    assert await in_database(states_of, claimed.run_id) == ["pending", "pending"]
    assert "the lease was lost" in caplog.text


async def test_the_call_of_a_worker_that_lost_its_run_is_closed(
    config_for: Callable[..., ModelConfig], lease_of: LeaseOf
) -> None:
    lease_of(0.2)
    exchanges: list[Exchange] = []
    model = ScriptedModel(Options(faults=parse_faults("stall-mid")), exchanges.append)
    config = config_for(model, chunk_timeout=30)
    claimed = await in_database(claimed_run, "One.", config=config)
    at_work = asyncio.create_task(work(claimed, config, Stop()))
    await asyncio.sleep(0.02)
    await in_database(steal, claimed.run_id)
    assert await asyncio.wait_for(at_work, 1) is None
    assert [exchange.ended for exchange in exchanges] == ["hung_up"]


async def test_a_result_that_comes_after_the_run_was_taken_over_is_thrown_away(working: Working) -> None:
    claimed = await working.claimed("One. [[fault:ttft=0.2]]", "Two.")
    at_work = asyncio.create_task(working(claimed))
    await asyncio.sleep(0.05)
    await in_database(steal, claimed.run_id)
    assert await at_work is None
    assert working.ended == []
    assert await in_database(states_of, claimed.run_id) == ["pending", "pending"]


async def test_the_new_owner_finishes_what_the_old_one_left(working: Working) -> None:
    claimed = await working.claimed("One.", "Two. [[fault:ttft=0.3*1]]", "Three.")
    at_work = asyncio.create_task(working(claimed))
    await until(lambda: len(working.ended) == 1)
    taken = await in_database(steal, claimed.run_id)
    assert [await at_work, await working(taken)] == [None, RunState.COMPLETED]
    assert working.order == [1, 2, 3]
    assert {row.state for row in await in_database(rows_of, claimed.run_id)} == {"summarised"}


async def test_a_run_that_was_taken_over_before_its_work_began_is_left(working: Working) -> None:
    claimed = await working.claimed("One.")
    await in_database(steal, claimed.run_id)
    assert await working(claimed) is None


async def test_a_cancelled_worker_that_has_lost_its_run_changes_nothing(working: Working) -> None:
    claimed = await working.claimed("One. [[fault:stall]]")
    at_work = asyncio.create_task(working(claimed))
    await asyncio.sleep(0.05)
    taken = await in_database(steal, claimed.run_id)
    at_work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await at_work
    assert (await in_database(stored_run, claimed.run_id)).owner == taken.owner


async def test_a_lease_that_cannot_be_renewed_for_a_while_is_tried_again(
    working: Working, lease_of: LeaseOf, caplog: pytest.LogCaptureFixture
) -> None:
    lease_of(1.0)
    claimed = await working.claimed("One. [[fault:ttft=1.5]]")
    at_work = asyncio.create_task(working(claimed))
    async with trouble("is away", "NEW.id > 0", "summarizer_run"):
        await asyncio.sleep(0.6)
    assert "could not be renewed" in caplog.text
    await asyncio.sleep(0.5)
    until_then = (await in_database(stored_run, claimed.run_id)).lease_until
    assert until_then is not None
    assert until_then > timezone.now()
    assert await at_work is RunState.COMPLETED


async def test_a_run_that_cannot_be_marked_is_taken_up_when_its_lease_has_run_out(
    working: Working, lease_of: LeaseOf, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PATIENCE_SECONDS", 0.25)
    lease_of(0.4)
    claimed = await working.claimed("One.")
    async with trouble("is away", "NEW.owner = ''", "summarizer_run"):
        assert await working(claimed) is RunState.RUNNING
    assert "could not be marked" in caplog.text
    await until(lambda: take(claimed.run_id))
    assert await in_database(Run.objects.filter(state=RunState.RUNNING).count) == 1
