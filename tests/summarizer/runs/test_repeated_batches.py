"""A batch that is asked for again under its key, whatever became of the first request's run."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User

from backoffice.database import in_database
from backoffice.llm.client import ModelConfig
from summarizer.models import Run, RunState, Trigger
from summarizer.runs import lease
from summarizer.runs.batch import Batch, BatchResult, OtherProvider, _claimed, _open, summarise_later, summarise_now
from summarizer.runs.queue import Claim, Origin, cancel
from tests.summarizer.making import let_lease_run_out, notes, states_of, steal, stored_run, until
from tests.summarizer.runs.conftest import Working
from tests.summarizer.runs.trouble import tables_held, trouble

pytestmark = pytest.mark.django_db(transaction=True)

Ask = Callable[[Batch, ModelConfig], Coroutine[Any, Any, BatchResult | int]]
either_way = pytest.mark.parametrize("ask", [summarise_now, summarise_later])


class Asked:
    """A batch under a key, and the run that its first request made."""

    def __init__(self, operator: User, config: ModelConfig, *texts: str) -> None:
        self.batch = Batch(notes(*texts), Origin(Trigger.API, operator), "k1")
        self.run_id, claimed = _open(self.batch, config)
        assert claimed is not None
        self.claim: Claim = claimed

    @property
    def run(self) -> Run:
        return stored_run(self.run_id)


@pytest.fixture
def first(operator: User, config: ModelConfig) -> Asked:
    """A first request that is still being worked on."""
    return Asked(operator, config, "One.", "Two.")


@pytest.fixture
def elsewhere(operator: User, config: ModelConfig) -> Asked:
    """The same, begun when another provider was asked."""
    return Asked(operator, replace(config, provider="openai"), "One.", "Two.")


async def end(asked: Asked) -> None:
    await in_database(lease.end, asked.claim)


async def test_a_run_that_was_cancelled_and_whose_worker_died_is_answered_as_cancelled(
    first: Asked, config: ModelConfig
) -> None:
    await in_database(cancel, first.run_id)
    await in_database(let_lease_run_out, first.run_id)
    async with asyncio.timeout(5):
        result = await summarise_now(first.batch, config)
    assert (result.summaries, result.failed) == ({}, [1, 2])
    assert await in_database(states_of, first.run_id) == ["withdrawn", "withdrawn"]


@either_way
async def test_a_run_of_another_provider_that_stopped_half_way_is_refused_and_stays(
    elsewhere: Asked, config: ModelConfig, ask: Ask
) -> None:
    await end(elsewhere)
    async with asyncio.timeout(5):
        with pytest.raises(OtherProvider) as refused:
            await ask(elsewhere.batch, config)
    assert (refused.value.begun_with, refused.value.provider) == ("openai", "scripted")
    assert (await in_database(lambda: elsewhere.run)).state == RunState.INTERRUPTED


async def test_a_run_of_another_provider_is_waited_for_while_it_is_worked_on(
    elsewhere: Asked, config: ModelConfig
) -> None:
    asking = asyncio.create_task(summarise_now(elsewhere.batch, config))
    await asyncio.sleep(0.2)
    assert not asking.done()
    await end(elsewhere)
    with pytest.raises(OtherProvider):
        await asking


async def test_a_run_of_another_provider_that_has_ended_is_answered(elsewhere: Asked, config: ModelConfig) -> None:
    await end(elsewhere)
    await in_database(cancel, elsewhere.run_id)
    assert (await summarise_now(elsewhere.batch, config)).failed == [1, 2]


async def test_a_caller_who_leaves_while_the_run_is_taken_up_again_leaves_it_to_the_next_job_at_once(
    first: Asked, config: ModelConfig
) -> None:
    await end(first)
    async with tables_held():
        claiming = asyncio.create_task(_claimed(first.run_id, config))
        await asyncio.sleep(0.1)
        claiming.cancel()
        await asyncio.sleep(0.1)
    with pytest.raises(asyncio.CancelledError):
        await claiming
    assert (await in_database(lambda: first.run)).state == RunState.INTERRUPTED


async def test_a_run_that_another_takes_over_from_the_repeated_request_too_is_waited_for(
    operator: User, working: Working, caplog: pytest.LogCaptureFixture
) -> None:
    slow = await in_database(Asked, operator, working.config, "One. [[fault:ttft=0.3*1]]", "Two.")
    await end(slow)
    asking = asyncio.create_task(summarise_now(slow.batch, working.config))
    await until(lambda: slow.run.state == RunState.RUNNING)
    stolen = await in_database(steal, slow.run_id)
    await until(lambda: "the lease was lost" in caplog.text)
    await working(stolen)
    result = await asking
    assert (sorted(result.summaries), result.failed) == (["1", "2"], [])
    assert working.order == [1, 2]


async def test_rows_that_were_summarised_before_and_after_the_crash_are_in_the_answer(
    operator: User, working: Working
) -> None:
    crashed = await in_database(Asked, operator, working.config, "One.", "Two. [[fault:stall=60*1]]", "Three.")
    at_work = asyncio.create_task(working(crashed.claim))
    await until(lambda: states_of(crashed.run_id)[0] == "summarised")
    at_work.cancel()
    await asyncio.wait([at_work])
    result = await summarise_now(crashed.batch, working.config)
    assert (sorted(result.summaries), result.failed) == (["1", "2", "3"], [])


async def test_a_database_that_is_away_for_a_while_costs_the_waiting_caller_nothing(
    first: Asked, config: ModelConfig
) -> None:
    await end(first)
    async with trouble("is away", "NEW.state = 'running'", "summarizer_run"):
        asking = asyncio.create_task(summarise_now(first.batch, config))
        await asyncio.sleep(0.3)
        assert not asking.done()
    assert sorted((await asking).summaries) == ["1", "2"]
