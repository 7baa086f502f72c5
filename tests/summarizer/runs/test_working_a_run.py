"""A claimed run is worked off: its rows one after another in their order, each stored as it ends."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from backoffice.database import in_database
from backoffice.llm.client import ModelConfig
from summarizer.models import RunState
from summarizer.runs.execution import EndedRow, Stop, work
from summarizer.runs.queue import Claim, cancel
from tests.summarizer.making import (
    claimed_run,
    failed,
    rows_of,
    states_of,
    steal,
    store,
    stored_run,
    summarised,
    take,
    until,
)
from tests.summarizer.provider import Provider, text_reply
from tests.summarizer.runs.conftest import Working

pytestmark = pytest.mark.django_db(transaction=True)


async def test_every_row_is_summarised_and_the_run_is_completed(working: Working) -> None:
    claimed = await working.claimed("One.", "Two costs 7 EUR.", "Three.")
    assert await working(claimed) is RunState.COMPLETED
    rows = await in_database(rows_of, claimed.run_id)
    assert [row.state for row in rows] == ["summarised"] * 3
    assert all(row.summary and row.exchange and row.cost and row.duration_ms is not None for row in rows)
    assert (await in_database(stored_run, claimed.run_id)).state == RunState.COMPLETED


async def test_rows_are_asked_for_one_after_another_in_their_order(config_for: Callable[..., ModelConfig]) -> None:
    provider = Provider(text_reply("A note."))
    config = config_for(provider)
    claimed = await in_database(claimed_run, "One.", "Two.", "Three.", config=config)
    await work(claimed, config, Stop())
    assert [request["messages"][1]["content"] for request in provider.requests] == ["One.", "Two.", "Three."]


async def test_a_row_is_stored_as_it_ends_and_not_before_the_next_begins(working: Working) -> None:
    claimed = await working.claimed("One.", "Two. [[fault:stall]]")
    at_work = asyncio.create_task(working(claimed))
    await until(lambda: states_of(claimed.run_id) == ["summarised", "pending"])
    at_work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await at_work


async def test_a_watcher_hears_of_each_row_in_turn(working: Working) -> None:
    claimed = await working.claimed("One.", "Two. [[fault:400]]")
    await working(claimed)
    assert [(row.run_id, row.row_id, row.attempt) for row in working.ended] == [
        (claimed.run_id, 1, 1),
        (claimed.run_id, 2, 1),
    ]
    first, second = working.ended
    assert first.result.summary is not None
    assert first.cost is not None
    assert second.result.failure is not None
    assert second.cost is None


FAULTS = ["400", "503=0.001", "drop-mid", "malformed", "error-event", "eof"]


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_bad_row_fails_alone(working: Working, fault: str) -> None:
    claimed = await working.claimed("One.", f"Two. [[fault:{fault}]]", "Three.")
    assert await working(claimed) is RunState.COMPLETED
    rows = await in_database(rows_of, claimed.run_id)
    assert [row.state for row in rows] == ["summarised", "failed", "summarised"]
    assert rows[1].failure
    assert rows[1].failure_detail
    assert rows[1].exchange


async def test_rows_that_have_ended_before_are_not_asked_for_again(working: Working) -> None:
    claimed = await working.claimed("One.", "Two.", "Three.")
    await in_database(end_two_rows, claimed)
    await working(await in_database(steal, claimed.run_id))
    assert working.order == [3]
    assert await in_database(states_of, claimed.run_id) == ["summarised", "failed", "summarised"]


def end_two_rows(claimed: Claim) -> None:
    first, second, _ = rows_of(claimed.run_id)
    store(claimed, first, summarised())
    store(claimed, second, failed())


async def test_a_run_is_worked_with_the_model_it_was_queued_for(config_for: Callable[..., ModelConfig]) -> None:
    provider = Provider(text_reply("A note."))
    queued_for = config_for(provider, model="gpt-4o-mini-of-old")
    claimed = await in_database(claimed_run, "One.", config=queued_for)
    await work(claimed, replace(queued_for, model="gpt-new"), Stop())
    assert [request["model"] for request in provider.requests] == ["gpt-4o-mini-of-old"]


async def test_an_operator_cancels_a_run_that_is_worked_on(working: Working) -> None:
    claimed = await working.claimed("One. [[fault:ttft=0.2]]", "Two.", "Three.")
    at_work = asyncio.create_task(working(claimed))
    await asyncio.sleep(0.05)
    assert await in_database(cancel, claimed.run_id)
    assert await at_work is RunState.CANCELLED
    assert await in_database(states_of, claimed.run_id) == ["summarised", "withdrawn", "withdrawn"]


async def test_a_programming_error_leaves_the_run_to_the_next_job_and_is_logged(
    working: Working, caplog: pytest.LogCaptureFixture
) -> None:
    claimed = await working.claimed("One.", "Two.")

    def broken(_: EndedRow) -> None:
        raise ZeroDivisionError("a fault in whoever watches")

    state = await work(claimed, working.config, working.stop, broken)
    assert state is RunState.INTERRUPTED
    assert await in_database(states_of, claimed.run_id) == ["summarised", "pending"]
    assert any(record.exc_info and "programming error" in record.message for record in caplog.records)
    assert await in_database(take, claimed.run_id)
