"""A batch that a program asked for: stored as a run, worked on at once, answered row by row or polled.

With an idempotency key, a repeated request gets the first one's result: it waits for a run that is being worked on, and
finishes one that a crash or a client that hung up left behind.
"""

import asyncio
import hashlib
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import DatabaseError, IntegrityError, InterfaceError

from backoffice.background import spawn
from backoffice.database import in_database, patiently
from backoffice.llm.client import ModelConfig
from summarizer.models import Run
from summarizer.runs.execution import EndedRow, Stop, leave, work
from summarizer.runs.queue import Claim, Note, Origin, claim, create_claimed_run, new_owner
from summarizer.runs.reading import RunView, view_of

logger = logging.getLogger(__name__)

FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.05, 1.0


class KeyReused(Exception):
    """The idempotency key belongs to a request with another body."""


class OtherProvider(Exception):
    """The first request's run was begun with a provider that is not asked any more, and stopped before its end."""

    def __init__(self, run: Run, provider: str) -> None:
        """`provider`: the one that is asked now."""
        super().__init__(f"run {run.pk}: {run.provider}, not {provider}")
        self.run_id, self.begun_with, self.provider = run.pk, run.provider, provider


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
    """Raises KeyReused and OtherProvider; and CancelledError when the caller has gone, which leaves the run interrupted
    with its finished rows."""
    run_id, claimed = await _opened(batch, config)
    answering = _Answering(run_id, config)
    try:
        await answering.until_ended(claimed)
    except (DatabaseError, InterfaceError):
        if claimed is None:
            raise
        logger.exception("run %s: answered with what is known of it; it was taken over, and cannot be read", run_id)
    summaries = answering.summaries
    return BatchResult(run_id, summaries, [row.row_id for row in batch.rows if str(row.row_id) not in summaries])


async def summarise_later(batch: Batch, config: ModelConfig) -> int:
    """Store the batch and go on with it in the background; the run's id, to poll. Raises KeyReused and
    OtherProvider."""
    run_id, claimed = await _opened(batch, config)
    if claimed is None:
        _, claimed = await _claimed(run_id, config)
    if claimed is not None:
        spawn(work(claimed, config, Stop()))
    return run_id


@dataclass(slots=True)
class _Answering:
    """What a request knows of its run: the summaries that were stored before, and those of the rows it worked off."""

    run_id: int
    config: ModelConfig
    summaries: dict[str, str] = field(default_factory=dict)

    async def until_ended(self, claimed: Claim | None) -> None:
        """Work on the run while it is ours, wait for whoever else works on it, take it up where nobody does.

        A run that ends in our hands is not read again: what cannot be stored of it is still known here.
        """
        pause = FIRST_PAUSE_SECONDS
        while claimed is None or await work(claimed, self.config, Stop(), self._row_ended) is None:
            view, claimed = await _claimed(self.run_id, self.config)
            self.summaries |= view.summaries
            if view.run.is_finished:
                return
            if claimed is None:
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE_SECONDS)

    def _row_ended(self, row: EndedRow) -> None:
        if row.result.summary is not None:
            self.summaries[str(row.row_id)] = row.result.summary


async def _opened(batch: Batch, config: ModelConfig) -> tuple[int, Claim | None]:
    """A caller who leaves while the run is made leaves it to the next job at once."""
    opening = asyncio.ensure_future(in_database(_open, batch, config))
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        await asyncio.wait([opening])
        if opening.exception() is None and (claimed := opening.result()[1]) is not None:
            await leave(claimed, patient=False)
        raise


async def _claimed(run_id: int, config: ModelConfig) -> tuple[RunView, Claim | None]:
    """The run, and the claim to it where nobody else has it. A caller who leaves meanwhile leaves it to the next job at
    once. Raises OtherProvider."""
    mine = Claim(run_id, new_owner())
    try:
        return await patiently(_claim, mine, config.provider)
    except asyncio.CancelledError:
        await leave(mine, patient=False)
        raise


def _claim(mine: Claim, provider: str) -> tuple[RunView, Claim | None]:
    view = view_of(mine.run_id)
    if not view.run.is_claimable and view.run.owner != mine.owner:
        return view, None
    if view.run.provider != provider:
        raise OtherProvider(view.run, provider)
    claimed = claim(mine.run_id, provider=provider, owner=mine.owner)
    # Read once more: whoever had the run in between may have ended rows of it.
    return view_of(mine.run_id), claimed


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
