"""A job stops where the provider is plainly down, and not where a note or two are at fault themselves."""

import pytest

from backoffice.database import in_database
from backoffice.llm.client import ModelConfig, close_clients
from summarizer.runs import lease
from summarizer.runs.execution import Stop
from summarizer.runs.job import Job, JobReport
from tests.summarizer.making import claimed_run, queued_run, rows_of, store, summarised

pytestmark = pytest.mark.django_db(transaction=True)

DOWN = "[[fault:503=0.001]]"


async def worked_off(config: ModelConfig, *, concurrency: int = 1) -> JobReport:
    report = await Job(config, Stop(), concurrency).work_off()
    await close_clients()
    return report


async def queue(*runs: str) -> None:
    """Runs of one row each."""
    for text in runs:
        await in_database(queued_run, text)


def begun_run(*texts: str) -> int:
    """A run that was given up when its first row had been summarised."""
    claimed = claimed_run(*texts)
    store(claimed, rows_of(claimed.run_id)[0], summarised())
    lease.end(claimed)
    return claimed.run_id


async def test_a_run_in_which_every_row_fails_is_enough(config: ModelConfig) -> None:
    await in_database(queued_run, f"One. {DOWN}", f"Two. {DOWN}")
    await queue("Later.")
    report = await worked_off(config)
    assert (report.provider_down, report.failed, report.left) == (True, 2, 1)


async def test_a_run_of_one_row_is_not(config: ModelConfig) -> None:
    await queue("One.", f"Two. {DOWN}", f"Three. {DOWN}", "Four.")
    report = await worked_off(config)
    assert (report.provider_down, report.summarised, report.failed, report.left) == (False, 2, 2, 0)


async def test_runs_of_one_row_that_fail_one_after_another_are(config: ModelConfig) -> None:
    await queue("One.", *(f"Row {number}. {DOWN}" for number in range(3)), "Later.")
    report = await worked_off(config)
    assert (report.provider_down, report.summarised, report.failed, report.left) == (True, 1, 3, 1)


@pytest.mark.parametrize("between", ["It works.", "It is refused. [[fault:400]]"])
async def test_a_row_that_the_provider_answers_in_between_starts_the_count_anew(
    config: ModelConfig, between: str
) -> None:
    await queue(f"One. {DOWN}", f"Two. {DOWN}", between, f"Three. {DOWN}", f"Four. {DOWN}", "Five.")
    report = await worked_off(config)
    assert (report.provider_down, report.left) == (False, 0)


@pytest.mark.parametrize("failing", [1, 2])
async def test_the_last_rows_of_a_run_that_was_begun_before_are_not(config: ModelConfig, failing: int) -> None:
    await in_database(begun_run, "One.", *(f"Row {number}. {DOWN}" for number in range(failing)))
    await queue("Later.")
    report = await worked_off(config)
    assert (report.provider_down, report.failed, report.left) == (False, failing, 0)


async def test_a_run_beside_which_another_is_summarised_is_not(config: ModelConfig) -> None:
    await in_database(queued_run, "One. [[fault:503=0.3]]", "Two. [[fault:503=0.3]]")
    await queue("It works.", "Later.")
    report = await worked_off(config, concurrency=2)
    assert (report.provider_down, report.left) == (False, 0)
