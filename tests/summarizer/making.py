"""Runs in every state, made through the doors that make them, for the tests of a run's life."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any, TypeVar

from django.db import transaction
from django.utils import timezone

from backoffice.database import in_database
from backoffice.llm.client import ModelConfig, model_config
from backoffice.llm.failures import Failure, FailureCode
from summarizer.models import Outcome, Run, Trigger
from summarizer.rows import RowResult
from summarizer.runs import lease
from summarizer.runs.queue import Claim, Origin, claim, create_runs
from summarizer.schemas import NoteIn

T = TypeVar("T")

BY_COMMAND = Origin(Trigger.COMMAND, source="tests")
MODEL = "gpt-4o-mini-2024-07-18"


def notes(*texts: str) -> list[NoteIn]:
    """Notes with row ids from 1 on."""
    return [NoteIn(row_id=row_id, text=text) for row_id, text in enumerate(texts, 1)]


def plain_notes(count: int) -> list[NoteIn]:
    """Different notes without any amount, so that each costs one model call."""
    return notes(*(f"Delivery {'abcdefghij'[number % 10] * (1 + number // 10)} arrived." for number in range(count)))


def queued_run(*texts: str, config: ModelConfig | None = None, origin: Origin = BY_COMMAND) -> Run:
    [run] = create_runs(notes(*(texts or ("A note.",))), origin, config or model_config())
    return run


def take(run_id: int) -> Claim | None:
    """Claim a run for the provider it was queued for."""
    return claim(run_id, provider=Run.objects.only("provider").get(pk=run_id).provider)


def taken(run_id: int) -> Claim:
    claimed = take(run_id)
    assert claimed is not None
    return claimed


def claimed_run(*texts: str, config: ModelConfig | None = None) -> Claim:
    return taken(queued_run(*texts, config=config).pk)


def failed_rows(*texts: str, code: FailureCode = FailureCode.PROVIDER_ERROR) -> list[Outcome]:
    """The rows of a completed run in which every row failed."""
    claimed = claimed_run(*texts)
    for row in rows_of(claimed.run_id):
        lease.store(claimed, row.pk, failed(code), MODEL, timezone.now())
    lease.end(claimed)
    return rows_of(claimed.run_id)


def summarised(text: str = "A summary.") -> RowResult:
    return RowResult(summary=text, failure=None)


def failed(code: FailureCode = FailureCode.PROVIDER_ERROR) -> RowResult:
    return RowResult(summary=None, failure=Failure(code, "It went wrong."))


def store(claimed: Claim, row: Outcome, result: RowResult) -> bool:
    return lease.store(claimed, row.pk, result, MODEL, timezone.now())


def stored_run(run_id: int) -> Run:
    return Run.objects.get(pk=run_id)


def rows_of(run_id: int) -> list[Outcome]:
    return list(Outcome.objects.filter(run_id=run_id).order_by("position"))


def states_of(run_id: int) -> list[str]:
    return [row.state for row in rows_of(run_id)]


def let_lease_run_out(run_id: int) -> None:
    Run.objects.filter(pk=run_id).update(lease_until=timezone.now() - timedelta(seconds=1))


def steal(run_id: int) -> Claim:
    """Another worker takes the run over, as if its lease had run out; the owner cannot renew it in between."""
    with transaction.atomic():
        let_lease_run_out(run_id)
        return taken(run_id)


async def until(holds: Callable[[], Any], seconds: float = 5.0) -> None:
    """Wait for what another task or process is about to do; `holds` may ask the database."""
    async with asyncio.timeout(seconds):
        while not await in_database(holds):
            await asyncio.sleep(0.01)
