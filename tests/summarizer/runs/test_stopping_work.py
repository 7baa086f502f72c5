"""Work that is told to stop, or cancelled: finished rows stay, the row in flight is finished or pending again."""

import asyncio

import pytest
from pytest_django import Settings

from backoffice.database import in_database
from summarizer.models import RunState
from summarizer.runs import execution
from summarizer.runs.execution import EndedRow, work
from summarizer.runs.queue import Claim
from tests.summarizer.making import states_of, stored_run, take, until
from tests.summarizer.runs.conftest import Working
from tests.summarizer.runs.trouble import trouble

pytestmark = pytest.mark.django_db(transaction=True)


async def begun(working: Working, *texts: str, ended: int = 1) -> tuple[Claim, asyncio.Task[RunState | None]]:
    """Work in progress, `ended` rows of which have ended."""
    claimed = await working.claimed(*texts)
    at_work = asyncio.create_task(working(claimed))
    await until(lambda: len(working.ended) >= ended)
    return claimed, at_work


async def test_a_row_in_flight_may_end_within_its_grace(working: Working) -> None:
    claimed, at_work = await begun(working, "One.", "Two. [[fault:ttft=0.2]]", "Three.")
    working.stop.request(grace=5)
    assert await at_work is RunState.INTERRUPTED
    assert await in_database(states_of, claimed.run_id) == ["summarised", "summarised", "pending"]


async def test_a_row_in_flight_is_given_up_when_its_grace_has_passed(working: Working, settings: Settings) -> None:
    settings.RUN_GRACE_SECONDS = 0.1
    claimed, at_work = await begun(working, "One.", "Two. [[fault:stall]]", "Three.")
    began = asyncio.get_running_loop().time()
    working.stop.request()
    assert await at_work is RunState.INTERRUPTED
    assert 0.1 <= asyncio.get_running_loop().time() - began < 1.5
    assert await in_database(states_of, claimed.run_id) == ["summarised", "pending", "pending"]


async def test_a_second_request_can_take_the_grace_away(working: Working) -> None:
    _, at_work = await begun(working, "One.", "Two. [[fault:stall]]")
    working.stop.request(grace=60)
    working.stop.request(grace=0)
    assert await asyncio.wait_for(at_work, 1.5) is RunState.INTERRUPTED


async def test_after_a_stop_no_row_is_begun(working: Working) -> None:
    claimed = await working.claimed("One.")
    working.stop.request()
    assert await working(claimed) is RunState.INTERRUPTED
    assert working.ended == []


async def test_the_last_row_may_complete_the_run_in_its_grace(working: Working) -> None:
    _, at_work = await begun(working, "One.", "Two. [[fault:ttft=0.1]]")
    working.stop.request(grace=5)
    assert await at_work is RunState.COMPLETED


async def test_an_interrupted_run_can_be_taken_up_at_once(working: Working) -> None:
    claimed, at_work = await begun(working, "One.", "Two. [[fault:stall]]")
    working.stop.request(grace=0)
    await at_work
    assert await in_database(take, claimed.run_id)


async def test_cancellation_gives_up_the_row_in_flight_and_passes_through(working: Working) -> None:
    claimed, at_work = await begun(working, "One.", "Two. [[fault:stall]]", "Three.")
    at_work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await at_work
    assert (await in_database(stored_run, claimed.run_id)).state == RunState.INTERRUPTED
    assert await in_database(states_of, claimed.run_id) == ["summarised", "pending", "pending"]


async def test_a_row_that_was_paid_for_is_stored_even_when_the_work_is_cancelled_meanwhile(working: Working) -> None:
    claimed = await working.claimed("One.", "Two.")
    async with trouble("is away", "NEW.row_id = 1"):
        at_work = asyncio.create_task(working(claimed))
        await asyncio.sleep(0.3)
        at_work.cancel()
        await asyncio.sleep(0.1)
    with pytest.raises(asyncio.CancelledError):
        await at_work
    assert working.order == [1]
    assert await in_database(states_of, claimed.run_id) == ["summarised", "pending"]
    assert (await in_database(stored_run, claimed.run_id)).state == RunState.INTERRUPTED


async def test_storing_a_row_is_not_waited_for_without_end_when_the_work_is_given_up(
    working: Working, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(execution, "STORE_PATIENCE_ON_EXIT_SECONDS", 0.1)
    claimed = await working.claimed("One.")
    async with trouble("is away", "NEW.row_id = 1"):
        at_work = asyncio.create_task(working(claimed))
        await asyncio.sleep(0.2)
        working.stop.request(grace=0)
        assert await at_work is RunState.INTERRUPTED
    assert asyncio.all_tasks() == {asyncio.current_task()}
    assert await in_database(states_of, claimed.run_id) == ["pending"]


async def test_work_can_be_told_to_stop_again_while_it_is_stopping(working: Working) -> None:
    claimed = await working.claimed("One.", "Two.")
    async with trouble("is away", "NEW.row_id = 1"):
        at_work = asyncio.create_task(working(claimed))
        await asyncio.sleep(0.2)
        working.stop.request(grace=0)
        await asyncio.sleep(0.05)
        working.stop.request(grace=0)
    assert await at_work is RunState.INTERRUPTED
    assert await in_database(states_of, claimed.run_id) == ["summarised", "pending"]


async def test_an_error_of_a_row_that_ends_while_the_work_is_cancelled_does_not_hide_the_cancellation(
    working: Working, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: EndedRow) -> None:
        raise ZeroDivisionError("a fault in whoever watches")

    claimed = await working.claimed("One.")
    async with trouble("is away", "NEW.row_id = 1"):
        at_work = asyncio.create_task(work(claimed, working.config, working.stop, broken))
        await asyncio.sleep(0.2)
        at_work.cancel()
        await asyncio.sleep(0.05)
    with pytest.raises(asyncio.CancelledError):
        await at_work
    assert "a fault in whoever watches" in caplog.text
    assert (await in_database(stored_run, claimed.run_id)).state == RunState.COMPLETED
