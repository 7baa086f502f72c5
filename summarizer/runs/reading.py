"""Runs as their readers see them: progress, the result so far, and the outcomes. Changes nothing."""

from dataclasses import dataclass
from typing import Any

from summarizer.models import Outcome, OutcomeState, Run

ENDED = (OutcomeState.SUMMARISED, OutcomeState.FAILED, OutcomeState.WITHDRAWN)


@dataclass(frozen=True, slots=True)
class RunView:
    run: Run
    outcomes: list[Outcome]
    """In request order, without their exchange."""

    @property
    def done(self) -> int:
        return sum(outcome.state in ENDED for outcome in self.outcomes)

    @property
    def summaries(self) -> dict[str, str]:
        return {str(row.row_id): row.summary or "" for row in self.outcomes if row.state == OutcomeState.SUMMARISED}

    @property
    def failed(self) -> list[int]:
        return [row.row_id for row in self.outcomes if row.state == OutcomeState.FAILED]


def run_for(run_id: int, user: Any) -> RunView:
    """Raises Run.DoesNotExist for a run that is not there, or not there for this user."""
    run = Run.objects.visible_to(user).defer("prompt").get(pk=run_id)
    return RunView(run, list(run.outcomes.defer("exchange", "text").order_by("position")))
