"""A batch that its caller waits for."""

import asyncio

import pytest

from backoffice.database import in_database
from backoffice.llm.client import ModelConfig
from summarizer.models import Run, RunState
from summarizer.runs.batch import Batch, summarise_later, summarise_now
from tests.summarizer.making import BY_COMMAND, notes, states_of, steal, stored_run, taken, until
from tests.summarizer.runs.conftest import Working
from tests.summarizer.runs.trouble import tables_held

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
