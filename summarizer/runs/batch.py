"""A batch that a program asked for: stored as a run, worked on at once, answered row by row or polled.

With an idempotency key, a repeated request gets the first one's result: it waits for a run that is being worked on, and
finishes one that a crash or a client that hung up left behind.
"""

import asyncio
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import IntegrityError

from backoffice.background import spawn
from backoffice.database import in_database
from backoffice.llm.client import ModelConfig
from summarizer.models import FINISHED_RUN, Run
from summarizer.runs.execution import EndedRow, Stop, work
from summarizer.runs.lease import end
from summarizer.runs.queue import Claim, Note, Origin, claim, create_claimed_run
from summarizer.runs.reading import RunView, view_of

FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.05, 1.0


class KeyReused(Exception):
    """The idempotency key belongs to a request with another body."""


@dataclass(frozen=True, slots=True)
class Batch:
    rows: Sequence[Note]
    origin: Origin
    key: str | None = None
    """The idempotency key, the user's own."""

    @property
    def body_hash(self) -> str:
        rows = [[row.row_id, row.text] for row in self.rows]
        return hashlib.sha256(json.dumps(rows).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class BatchResult:
    """Every row of the batch is in exactly one of the two."""

    run_id: int
    summaries: dict[str, str]
    failed: list[int]
    """Row ids, in request order."""


async def summarise_now(batch: Batch, config: ModelConfig) -> BatchResult:
    """Raises KeyReused; and CancelledError when the caller has gone, which leaves the run interrupted with its finished
    rows."""
    run_id, claimed = await _opened(batch, config)
    summaries: dict[str, str] = {}

    def ended(row: EndedRow) -> None:
        if row.result.summary is not None:
            summaries[str(row.row_id)] = row.result.summary

    if claimed is None or await work(claimed, config, Stop(), ended) is None:
        summaries |= (await _ended(run_id, config)).summaries
    failed = [row.row_id for row in batch.rows if str(row.row_id) not in summaries]
    return BatchResult(run_id, summaries, failed)


async def summarise_later(batch: Batch, config: ModelConfig) -> int:
    """Store the batch and go on with it in the background; the run's id, to poll. Raises KeyReused."""
    run_id, claimed = await _opened(batch, config)
    if claimed is None:
        claimed = await in_database(claim, run_id, provider=config.provider)
    if claimed is not None:
        spawn(work(claimed, config, Stop()))
    return run_id


async def _opened(batch: Batch, config: ModelConfig) -> tuple[int, Claim | None]:
    """A caller who leaves while the run is made leaves it to the next job at once."""
    opening = asyncio.ensure_future(in_database(_open, batch, config))
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        await asyncio.wait([opening])
        if opening.exception() is None and (claimed := opening.result()[1]) is not None:
            await in_database(end, claimed)
        raise


def _open(batch: Batch, config: ModelConfig) -> tuple[int, Claim | None]:
    """The batch's run, with the claim to it where it is new. Two equal requests at the same instant make one run."""
    try:
        claimed = create_claimed_run(
            batch.rows, batch.origin, config, idempotency_key=batch.key, body_hash=batch.body_hash
        )
    except IntegrityError:
        if batch.key is None:
            raise
        run = Run.objects.get(created_by=batch.origin.created_by, idempotency_key=batch.key)
        if run.body_hash != batch.body_hash:
            raise KeyReused from None
        return run.pk, None
    return claimed.run_id, claimed


async def _ended(run_id: int, config: ModelConfig) -> RunView:
    """The run when it has ended: wait for whoever works on it, or take it up where nobody does."""
    pause = FIRST_PAUSE_SECONDS
    while (view := await in_database(view_of, run_id)).run.state not in FINISHED_RUN:
        claimed = await in_database(claim, run_id, provider=config.provider)
        if claimed is not None:
            await work(claimed, config, Stop())
            return await in_database(view_of, run_id)
        await asyncio.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
    return view
