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
from django.db import DatabaseError, InterfaceError
from django.utils import timezone

from backoffice.database import in_database, patiently
from backoffice.llm.client import ModelConfig
from backoffice.llm.failures import Failure, FailureCode
from summarizer.models import Outcome, Run, RunState
from summarizer.rows import RowResult, summarise
from summarizer.runs import lease
from summarizer.runs.lease import LeaseLost
from summarizer.runs.queue import Claim

logger = logging.getLogger(__name__)

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
            _pull(leash, seconds)

    @contextmanager
    def leashing(self, leash: asyncio.Timeout) -> Iterator[None]:
        self._leashes.add(leash)
        try:
            yield
        finally:
            self._leashes.discard(leash)


def _pull(leash: asyncio.Timeout, seconds: float = 0) -> None:
    """End what is on the leash in so many seconds; what is ending already goes on ending."""
    if not leash.expired():
        leash.reschedule(asyncio.get_running_loop().time() + seconds)


async def work(
    claim: Claim, config: ModelConfig, stop: Stop, on_row: Callable[[EndedRow], None] = lambda _: None
) -> RunState | None:
    """Work off the pending rows of a claimed run; the state it was left in, None where the lease was lost, `running`
    where that could not be marked, so that it is taken up when its lease has run out.

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
        await leave(claim, patient=False)
        raise
    except Exception:
        logger.exception("run %s: stopped by a programming error", claim.run_id)
    return await leave(claim, patient=not stop.requested)


async def leave(claim: Claim, *, patient: bool) -> RunState | None:
    """Mark how the run was left, and say it as `work` does. Where it cannot be stored, the lease runs out and says the
    same. A claim that was never stored is none to mark.

    `patient`: wait for a database that is away; who is asked to leave does not.
    """
    try:
        return await (patiently if patient else in_database)(lease.end, claim)
    except LeaseLost:
        return None
    except (DatabaseError, InterfaceError):
        logger.exception("run %s: could not be marked; it is taken up when its lease has run out", claim.run_id)
        return RunState.RUNNING


async def _work_rows(claim: Claim, config: ModelConfig, stop: Stop, on_row: Callable[[EndedRow], None]) -> None:
    run, outcomes = await patiently(lease.work_of, claim)
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
        await _waited_for(task)
        raise


async def _waited_for(task: asyncio.Task[Any]) -> None:
    """Its errors are told here, for whoever awaited it has left."""
    try:
        await asyncio.wait_for(task, STORE_PATIENCE_ON_EXIT_SECONDS)
    except (LeaseLost, TimeoutError):
        return
    except Exception:
        logger.exception("a row ended with a programming error")


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
        return result, await patiently(lease.store, claim, outcome.pk, result, run.model, started_at)
    except LeaseLost:
        raise
    except Exception as error:
        # Neither its words nor its traceback: PostgreSQL quotes the row, and a note is never logged.
        name = type(error).__name__
        logger.error("run %s, row %s: the result could not be stored: %s", claim.run_id, outcome.row_id, name)  # noqa: TRY400
    failed = RowResult(summary=None, failure=NOT_STORED, duration=result.duration)
    try:
        return failed, await in_database(lease.store, claim, outcome.pk, failed, run.model, started_at)
    except (DatabaseError, InterfaceError):
        return failed, False


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
            _pull(leash)
            return
        except (DatabaseError, InterfaceError):
            logger.warning("run %s: the lease could not be renewed; trying again", claim.run_id)
