"""Runs as their readers see them: progress, the result so far, and the outcomes.

Changes nothing, but for a run that nobody would ever end: a reader who waits for its end would wait for ever.
"""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q

from backoffice.database import patiently
from summarizer.models import ENDED_ROW, FINISHED_RUN, Outcome, OutcomeState, Run
from summarizer.runs.queue import settle_cancelled

POLL_SECONDS = 0.5
DONE = (*ENDED_ROW, OutcomeState.WITHDRAWN)


@dataclass(frozen=True, slots=True)
class RunView:
    run: Run
    outcomes: list[Outcome]
    """In request order, without their exchange."""

    @property
    def done(self) -> int:
        return sum(outcome.state in DONE for outcome in self.outcomes)

    @property
    def summaries(self) -> dict[str, str]:
        return {str(row.row_id): row.summary or "" for row in self.outcomes if row.state == OutcomeState.SUMMARISED}

    @property
    def failed(self) -> list[int]:
        return [row.row_id for row in self.outcomes if row.state == OutcomeState.FAILED]


@dataclass(frozen=True, slots=True)
class Progress:
    state: str
    total: int
    done: int


def view_of(run_id: int, user: Any = None) -> RunView:
    """Raises Run.DoesNotExist for a run that is not there, or not there for this user. No user sees every run."""
    runs = (Run.objects.all() if user is None else Run.objects.visible_to(user)).filter(pk=run_id)
    settle_cancelled(runs)
    run = runs.defer("prompt").get()
    return RunView(run, list(run.outcomes.defer("exchange", "text").order_by("position")))


def progress_of(run_id: int) -> Progress:
    """Raises Run.DoesNotExist."""
    runs = Run.objects.filter(pk=run_id)
    settle_cancelled(runs)
    counted = runs.annotate(total=Count("outcomes"), done=Count("outcomes", filter=Q(outcomes__state__in=DONE)))
    state, total, done = counted.values_list("state", "total", "done").get()
    return Progress(state, total, done)


async def watch(run_id: int) -> AsyncGenerator[tuple[str, dict[str, Any]], None]:
    """`progress` whenever a count has changed, and one `end` when the run has ended: events for the wire."""
    seen = None
    while True:
        progress = await patiently(progress_of, run_id)
        counts = {"total": progress.total, "done": progress.done}
        if counts != seen:
            yield "progress", counts
            seen = counts
        if progress.state in FINISHED_RUN:
            yield "end", {"state": progress.state}
            return
        await asyncio.sleep(POLL_SECONDS)
