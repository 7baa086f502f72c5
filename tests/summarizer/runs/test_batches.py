"""A batch that its caller waits for."""

import asyncio
from datetime import timedelta

import pytest
from django.utils import timezone

from backoffice import database
from backoffice.database import in_database
from backoffice.llm.client import ModelConfig
from summarizer.models import Run, RunState
from summarizer.runs.batch import Batch, summarise_later, summarise_now
from tests.summarizer.making import (
    BY_COMMAND,
    notes,
    states_of,
    steal,
    stored_run,
    taken,
    until,
)
from tests.summarizer.runs.conftest import Working
from tests.summarizer.runs.trouble import tables_held, trouble

pytestmark = pytest.mark.django_db(transaction=True)


def batch(*texts: str) -> Batch:
    return Batch(notes(*texts), BY_COMMAND)


async def the_run() -> Run:
    return await in_database(Run.objects.get)


async def test_every_row_is_in_exactly_one_of_summaries_and_failed(config: ModelConfig) -> None:
    result = await summarise_now(batch("One. [[fault:400]]", "Two.", "Three. [[fault:eof]]", "Four."), config)
    assert (list(result.summaries), result.failed) == (["2", "4"], [1, 3])
    assert (await in_database(stored_run, result.run_id)).state == RunState.COMPLETED


async def test_a_caller_who_leaves_interrupts_the_run_and_keeps_what_has_ended(config: ModelConfig) -> None:
    asking = asyncio.create_task(summarise_now(batch("One.", "Two. [[fault:stall]]"), config))
    await until(lambda: Run.objects.exists() and states_of(Run.objects.get().pk) == ["summarised", "pending"])
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert (await the_run()).state == RunState.INTERRUPTED


@pytest.mark.parametrize("ask", [summarise_now, summarise_later])
async def test_a_caller_who_leaves_while_the_run_is_stored_leaves_it_to_the_next_job_at_once(
    config: ModelConfig, ask: type
) -> None:
    async with tables_held():
        asking = asyncio.create_task(ask(batch("One."), config))
        await asyncio.sleep(0.1)
        asking.cancel()
        await asyncio.sleep(0.1)
    with pytest.raises(asyncio.CancelledError):
        await asking
    run = await the_run()
    assert (run.state, await in_database(states_of, run.pk)) == (RunState.INTERRUPTED, ["pending"])


async def test_a_batch_whose_run_another_worker_took_over_is_answered_with_what_that_one_made_of_it(
    working: Working,
) -> None:
    asking = asyncio.create_task(summarise_now(batch("One. [[fault:ttft=0.3*1]]", "Two."), working.config))
    await until(Run.objects.exists)
    run = await the_run()
    await asyncio.sleep(0.1)
    await working(await in_database(steal, run.pk))
    result = await asking
    assert (sorted(result.summaries), result.failed) == (["1", "2"], [])
    assert working.order == [1, 2]
    with pytest.raises(AssertionError):
        await in_database(taken, run.pk)


async def test_a_database_that_goes_away_in_mid_batch_costs_the_rows_it_does_not_take_and_no_other(
    config: ModelConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PATIENCE_SECONDS", 0.25)
    async with (
        trouble("is away", "NEW.row_id > 1"),
        trouble("is away", "NEW.state <> 'running'", "summarizer_run"),
        asyncio.timeout(10),
    ):
        result = await summarise_now(batch("One.", "Two.", "Three."), config)
    assert (list(result.summaries), result.failed) == (["1"], [2, 3])
    assert (await the_run()).state == RunState.RUNNING


async def test_a_database_that_goes_away_when_the_lease_is_lost_leaves_the_rows_that_were_summarised(
    config: ModelConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PATIENCE_SECONDS", 0.25)
    asking = asyncio.create_task(summarise_now(batch("One.", "Two. [[fault:ttft=0.5]]"), config))
    await until(lambda: Run.objects.exists() and states_of(Run.objects.get().pk)[0] == "summarised")
    async with trouble("is away", "OLD.owner = 'another'", "summarizer_run"):
        await in_database(Run.objects.all().update, owner="another", lease_until=timezone.now() - timedelta(seconds=1))
        result = await asking
    assert (list(result.summaries), result.failed) == (["1"], [2])
