"""A batch that its caller waits for: stored as a run, worked on at once, answered row by row."""

from collections.abc import Sequence
from dataclasses import dataclass

from backoffice.database import in_database
from backoffice.llm.client import ModelConfig
from summarizer.runs.execution import EndedRow, Stop, work
from summarizer.runs.queue import Note, Origin, create_claimed_run


@dataclass(frozen=True, slots=True)
class BatchResult:
    """Every row of the batch is in exactly one of the two."""

    run_id: int
    summaries: dict[str, str]
    failed: list[int]
    """Row ids, in request order."""


async def summarise_now(rows: Sequence[Note], origin: Origin, config: ModelConfig) -> BatchResult:
    """Raises only CancelledError, when the caller has gone; the run is then interrupted and keeps its finished rows."""
    claim = await in_database(create_claimed_run, rows, origin, config)
    summaries: dict[str, str] = {}

    def ended(row: EndedRow) -> None:
        if row.result.summary is not None:
            summaries[str(row.row_id)] = row.result.summary

    await work(claim, config, Stop(), ended)
    return BatchResult(claim.run_id, summaries, [row.row_id for row in rows if str(row.row_id) not in summaries])
