"""Work a claimed run: its rows one after another, each stored as it ends, under a lease that is renewed meanwhile.

Whatever comes (a lost lease, a signal, a client that hangs up, a programming error), finished rows stay finished, the
row in flight is finished or pending again, and the run is marked so that the next job goes on with it.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any, TypeVar

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError
from django.utils import timezone

from backoffice.database import in_database
from backoffice.llm.client import ModelConfig
from backoffice.llm.failures import Failure, FailureCode
from summarizer.models import Outcome, Run, RunState
from summarizer.rows import RowResult, summarise
from summarizer.runs import lease
from summarizer.runs.lease import LeaseLost
from summarizer.runs.queue import Claim

logger = logging.getLogger(__name__)

STORE_PATIENCE_SECONDS = 30.0
"""How long a finished row waits for a database that is away before it is given up as failed."""
STORE_PATIENCE_ON_EXIT_SECONDS = 3.0
RENEWALS_PER_LEASE = 4

T = TypeVar("T")

NOT_STORED = Failure(FailureCode.INTERNAL, "The row's result could not be stored.")


@dataclass(frozen=True, slots=True)
class EndedRow:
    """One row that has ended, for whoever watches."""

    run_id: int
    row_id: int
    attempt: int
    result: RowResult
    cost: Decimal | None


class Stop:
    """Asks the work in progress to end: the row in flight gets a grace period, and no further row is started."""

    def __init__(self) -> None:
        self.requested = False
        self._leashes: set[asyncio.Timeout] = set()

    def request(self, grace: float | None = None) -> None:
        """`grace`: seconds for the rows in flight; the setting RUN_GRACE_SECONDS where None."""
        self.requested = True
        seconds = settings.RUN_GRACE_SECONDS if grace is None else grace
        for leash in self._leashes:
            leash.reschedule(asyncio.get_running_loop().time() + seconds)

    @contextmanager
    def leashing(self, leash: asyncio.Timeout) -> Iterator[None]:
        self._leashes.add(leash)
        try:
            yield
        finally:
            self._leashes.discard(leash)


async def work(
    claim: Claim, config: ModelConfig, stop: Stop, on_row: Callable[[EndedRow], None] = lambda _: None
) -> RunState | None:
    """Work off the pending rows of a claimed run; the state it was left in, None where the lease was lost.

    Raises only CancelledError, after the run was marked interrupted; a programming error is logged, and leaves the run
    interrupted.
    """
    try:
        async with _lease_kept(claim, stop):
            await _work_rows(claim, config, stop, on_row)
    except LeaseLost:
        logger.warning("run %s: the lease was lost; whoever claims it next goes on", claim.run_id)
        return None
    except TimeoutError:
        logger.info("run %s: the row in flight was given up", claim.run_id)
    except asyncio.CancelledError:
        await _closed(claim)
        raise
    except Exception:
        logger.exception("run %s: stopped by a programming error", claim.run_id)
    return await _closed(claim)


async def _closed(claim: Claim) -> RunState | None:
    """Mark how the run was left. Where even that cannot be stored, its lease runs out and says the same."""
    try:
        return await in_database(lease.end, claim)
    except LeaseLost:
        return None
    except (DatabaseError, InterfaceError):
        logger.exception("run %s: could not be marked; it is taken up when its lease has run out", claim.run_id)
        return None


async def _work_rows(claim: Claim, config: ModelConfig, stop: Stop, on_row: Callable[[EndedRow], None]) -> None:
    run, outcomes = await in_database(lease.work_of, claim)
    config = replace(config, model=run.model)
    for outcome in outcomes:
        if stop.requested:
            return
        started_at = timezone.now()
        result = await summarise(outcome.text, config)
        if await _to_its_end(_end_row(claim, outcome, result, run, started_at, on_row)):
            return


async def _to_its_end(step: Coroutine[Any, Any, T]) -> T:
    """A row that was paid for is stored and reported even when the work is cancelled meanwhile; then the work ends."""
    task = asyncio.create_task(step)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task], timeout=STORE_PATIENCE_ON_EXIT_SECONDS)
        raise


async def _end_row(
    claim: Claim,
    outcome: Outcome,
    result: RowResult,
    run: Run,
    started_at: datetime,
    on_row: Callable[[EndedRow], None],
) -> bool:
    """Store and report one row; True where the run's cancellation was asked for."""
    result, cancelled = await _stored(claim, outcome, result, run, started_at)
    on_row(EndedRow(run.pk, outcome.row_id, outcome.attempt, result, lease.cost_of(result, run.model)))
    return cancelled


async def _stored(
    claim: Claim, outcome: Outcome, result: RowResult, run: Run, started_at: datetime
) -> tuple[RowResult, bool]:
    """Store a row's end; where it cannot be stored, the row has failed, and the others go on."""
    try:
        return result, await _store_patiently(claim, outcome.pk, result, run.model, started_at)
    except (DatabaseError, InterfaceError):
        logger.exception("run %s, row %s: the result could not be stored", claim.run_id, outcome.row_id)
    failed = RowResult(summary=None, failure=NOT_STORED, usage=result.usage, duration=result.duration)
    try:
        return failed, await in_database(lease.store, claim, outcome.pk, failed, run.model, started_at)
    except (DatabaseError, InterfaceError):
        return failed, False


async def _store_patiently(claim: Claim, outcome_id: int, result: RowResult, model: str, started_at: datetime) -> bool:
    """Wait for a database that is away for a while (a restart, another writer's lock)."""
    loop = asyncio.get_running_loop()
    patient_until = loop.time() + STORE_PATIENCE_SECONDS
    pause = 0.1
    while True:
        try:
            return await in_database(lease.store, claim, outcome_id, result, model, started_at)
        except (OperationalError, InterfaceError):
            if loop.time() + pause > patient_until:
                raise
        await asyncio.sleep(pause)
        pause = min(pause * 2, 2.0)


@asynccontextmanager
async def _lease_kept(claim: Claim, stop: Stop) -> AsyncIterator[None]:
    """Renew the lease beside the work. Losing it ends the work with LeaseLost; a stop whose grace has passed ends it
    with TimeoutError."""
    lost = asyncio.Event()
    try:
        async with asyncio.timeout(None) as leash:
            keeper = asyncio.create_task(_keep(claim, leash, lost))
            try:
                with stop.leashing(leash):
                    yield
            finally:
                keeper.cancel()
                await asyncio.wait([keeper])
    except TimeoutError:
        if lost.is_set():
            raise LeaseLost from None
        raise


async def _keep(claim: Claim, leash: asyncio.Timeout, lost: asyncio.Event) -> None:
    while True:
        await asyncio.sleep(settings.RUN_LEASE_SECONDS / RENEWALS_PER_LEASE)
        try:
            await in_database(lease.renew, claim)
        except LeaseLost:
            lost.set()
            leash.reschedule(asyncio.get_running_loop().time())
            return
        except (DatabaseError, InterfaceError):
            logger.warning("run %s: the lease could not be renewed; trying again", claim.run_id)
