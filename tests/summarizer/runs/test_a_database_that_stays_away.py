"""A job whose database is away for longer than it waits ends what it has begun, takes nothing more, and reports."""

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import pytest
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from backoffice import database
from backoffice.database import in_database
from backoffice.llm.client import ModelConfig, close_clients
from summarizer.models import Run, RunState
from summarizer.nightly import exit_status
from summarizer.reporting import report_lines
from summarizer.runs.budget import Budget
from summarizer.runs.execution import Stop
from summarizer.runs.job import Job, work_chosen
from tests.summarizer.making import claimed_run, queued_run, states_of
from tests.summarizer.runs.trouble import trouble

pytestmark = pytest.mark.django_db(transaction=True)

SENTENCE = "The database was away for too long: no further run was started. Does it run?"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "PATIENCE_SECONDS", 0.2)


@contextmanager
def no_connection(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every statement fails as over a connection that was cut."""

    def refuse(*_: Any) -> None:
        raise OperationalError("server closed the connection unexpectedly")

    with patch.context() as within:
        within.setattr(CursorWrapper, "execute", refuse)
        yield


async def test_a_run_that_cannot_be_claimed_ends_the_job_with_a_report(config: ModelConfig) -> None:
    run = await in_database(queued_run, "One.")
    async with trouble("is away", "NEW.state = 'running'", table="summarizer_run"):
        report = await Job(config, Stop()).work_off()
    assert (report.database_away, report.left, exit_status(report)) == (True, 1, 4)
    assert SENTENCE in list(report_lines(report))
    assert await in_database(states_of, run.pk) == ["pending"]


async def test_what_is_left_is_unknown_and_never_nothing_where_it_cannot_be_counted(
    config: ModelConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    await in_database(queued_run, "One.")
    with no_connection(monkeypatch):
        report = await Job(config, Stop()).work_off()
    assert (report.left, exit_status(report)) == (None, 4)
    lines = list(report_lines(report))
    assert SENTENCE in lines
    assert lines[-1].startswith("What is left for the next job could not be counted. Go on with: ")


async def test_rows_in_flight_of_other_runs_end(config: ModelConfig) -> None:
    first = await in_database(queued_run, "One. [[fault:ttft=0.5]]", "Two.")
    second = await in_database(queued_run, "Three.")
    on_second = f"NEW.state = 'running' AND NEW.id = {second.pk}"
    async with trouble("is away", on_second, table="summarizer_run"):
        report = await Job(config, Stop(), concurrency=2).work_off()
    await close_clients()
    assert await in_database(states_of, first.pk) == ["summarised", "summarised"]
    assert (report.summarised, report.database_away, report.left) == (2, True, 1)


async def test_a_job_that_waits_for_others_stops_waiting(config: ModelConfig, monkeypatch: pytest.MonkeyPatch) -> None:
    await in_database(claimed_run, "One.")
    with no_connection(monkeypatch):
        report = await Job(config, Stop(), wait=True).work_off()
    assert (report.database_away, report.left) == (True, None)


async def test_a_claim_is_kept_where_the_limit_can_be_looked_up_again(
    config: ModelConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks when the run has been claimed and before the daily limit is asked about it."""
    run = await in_database(queued_run, "One.")
    sent: list[str] = []

    def execute(cursor: CursorWrapper, sql: str, params: Any = None) -> Any:
        has_claimed = any(earlier.startswith('UPDATE "summarizer_run"') for earlier in sent)
        if has_claimed and "SUM(" in sql and "broken" not in sent:
            sent.append("broken")
            raise OperationalError("server closed the connection unexpectedly")
        sent.append(sql)
        return working(cursor, sql, params)

    working = CursorWrapper.execute
    monkeypatch.setattr(CursorWrapper, "execute", execute)
    report = await Job(config, Stop(), budget=Budget(daily_limit=Decimal(1))).work_off()
    await close_clients()
    assert "broken" in sent
    assert (report.runs, report.held, report.database_away) == (1, [], False)
    assert (await in_database(Run.objects.get, pk=run.pk)).state == RunState.COMPLETED


@pytest.fixture
def lost_answer(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The first commit from now on is done, and the connection breaks before that is heard."""
    lost: list[str] = []

    def commit(connection: BaseDatabaseWrapper) -> None:
        working(connection)
        if not lost:
            lost.append("the first")
            raise OperationalError("server closed the connection unexpectedly")

    working = BaseDatabaseWrapper.commit
    monkeypatch.setattr(BaseDatabaseWrapper, "commit", commit)
    return lost


@pytest.fixture
async def waiting_run() -> Run:
    return await in_database(queued_run, "One.")


@pytest.mark.parametrize("budget", [Budget(), Budget(Decimal(1)), Budget(daily_limit=Decimal(1))])
async def test_a_claim_whose_answer_was_lost_is_worked_off_by_who_made_it(
    config: ModelConfig, waiting_run: Run, budget: Budget, lost_answer: list[str]
) -> None:
    report = await Job(config, Stop(), budget=budget).work_off()
    await close_clients()
    assert lost_answer == ["the first"]
    assert (report.runs, report.held, report.cost_limit) == (1, [], "")
    assert await in_database(states_of, waiting_run.pk) == ["summarised"]


async def test_a_chosen_run_whose_claim_was_not_heard_of_is_worked_off_all_the_same(
    config: ModelConfig, waiting_run: Run, lost_answer: list[str]
) -> None:
    await work_chosen(waiting_run.pk, config)
    await close_clients()
    assert lost_answer == ["the first"]
    assert await in_database(states_of, waiting_run.pk) == ["summarised"]
