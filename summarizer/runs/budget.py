"""A job's limits on money: no run is started that could pass one.

What a run may cost is set aside before it starts, and row by row replaced by what it did cost.
"""

from dataclasses import dataclass, field
from decimal import Decimal

from django.conf import settings
from django.db.models import Sum
from django.utils import timezone

from backoffice.llm.client import price_of
from summarizer.costing import most_cost
from summarizer.models import Outcome, OutcomeState, Run
from summarizer.runs.execution import EndedRow

ENDED = (OutcomeState.SUMMARISED, OutcomeState.FAILED)


class PriceUnknown(Exception):
    """A cost limit cannot be kept for a model whose price nobody entered; the message says what to do."""


@dataclass
class Budget:
    limit: Decimal | None = None
    """USD that this job may spend; None is no limit of its own."""
    daily_limit: Decimal | None = None
    """USD that all jobs, requests and workers may spend between two midnights of the time zone in force."""
    spent: Decimal = Decimal(0)
    _set_aside: dict[tuple[int, int], Decimal] = field(default_factory=dict)
    """The most that each row in progress can cost, by run and row id."""

    @property
    def is_limited(self) -> bool:
        return self.limit is not None or self.daily_limit is not None

    def set_aside(self, run_id: int) -> bool:
        """Whether the run can be worked on without passing a limit; if so, what it may cost is set aside.

        A run whose model has no known price could pass any limit.
        """
        run = Run.objects.get(pk=run_id)
        rows = run.outcomes.pending().only("row_id", "text")
        most = {(run_id, row.row_id): most_cost([row.text], run.model) for row in rows}
        known = {row: bound for row, bound in most.items() if bound is not None}
        if len(known) < len(most) or not self._holds(sum(known.values(), Decimal(0))):
            return False
        self._set_aside |= known
        return True

    def row_ended(self, row: EndedRow) -> None:
        """A row of unknown cost is taken to have cost the most it could."""
        most = self._set_aside.pop((row.run_id, row.row_id), Decimal(0))
        self.spent += most if row.cost is None else row.cost

    def run_ended(self, run_id: int) -> None:
        """Rows that were not worked on after all cost nothing."""
        for row in [row for row in self._set_aside if row[0] == run_id]:
            del self._set_aside[row]

    def _holds(self, more: Decimal) -> bool:
        open_ = sum(self._set_aside.values(), Decimal(0)) + more
        if self.limit is not None and self.spent + open_ > self.limit:
            return False
        return self.daily_limit is None or spent_today() + open_ <= self.daily_limit


def spent_today() -> Decimal:
    """USD since midnight, of every row that ended, whoever worked on it; unknown costs are not in it."""
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    rows = Outcome.objects.filter(state__in=ENDED, finished_at__gte=midnight)
    return rows.aggregate(total=Sum("cost"))["total"] or Decimal(0)


def budget_for(limit: Decimal | None, model: str) -> Budget:
    """The limits in force. Raises PriceUnknown where there is one and the model's price is not known."""
    budget = Budget(limit, settings.SUMMARISE_DAILY_COST_LIMIT)
    if budget.is_limited and price_of(model) is None:
        raise PriceUnknown(price_unknown(model))
    return budget


def price_unknown(model: str) -> str:
    return (
        f"A cost limit cannot be kept: the price of {model} is unknown. Enter it in LLM_PRICES, or run without "
        f"--max-cost and without SUMMARISE_DAILY_COST_LIMIT."
    )
