"""A job's limits on money: no run is started that could pass one.

What a run may cost is set aside before it starts, and row by row replaced by what it did cost.
"""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db.models import Count, F, Func, IntegerField, Sum
from django.utils import timezone

from backoffice.llm.client import price_of
from summarizer.costing import most_cost, most_cost_of_rows
from summarizer.models import ENDED_ROW, Outcome, OutcomeQuerySet, Run
from summarizer.runs.execution import EndedRow

MAX_COST, DAILY_LIMIT = "--max-cost", "SUMMARISE_DAILY_COST_LIMIT"


class PriceUnknown(Exception):
    """A cost limit cannot be kept for a model whose price nobody entered; the message says what to do."""


@dataclass
class Budget:
    limit: Decimal | None = None
    """USD that this job may spend; None is no limit of its own."""
    daily_limit: Decimal | None = None
    """USD that all jobs, requests and workers may spend between two midnights of the time zone in force."""
    reached: str = ""
    """The option or the setting of the limit that did not hold what was asked for last."""
    spent: Decimal = Decimal(0)
    _set_aside: dict[tuple[int, int], Decimal] = field(default_factory=dict)
    """The most that each row in progress can cost, by run and row id."""

    @property
    def is_limited(self) -> bool:
        return self.limit is not None or self.daily_limit is not None

    @property
    def is_in_use(self) -> bool:
        """Whether money is set aside for runs in progress; some of it may come back."""
        return bool(self._set_aside)

    def set_aside(self, run_id: int) -> bool:
        """Whether the run can be worked on without passing a limit; if so, what it may cost is set aside.

        Raises PriceUnknown for a run whose model has no known price: it could pass any limit.
        """
        run = Run.objects.get(pk=run_id)
        if price_of(run.model) is None:
            raise PriceUnknown(price_unknown(run.model))
        rows = run.outcomes.pending().only("row_id", "text")
        most = {(run_id, row.row_id): most_cost([row.text], run.model) or Decimal(0) for row in rows}
        if not self._holds(sum(most.values(), Decimal(0))):
            return False
        self._set_aside |= most
        return True

    def still_holds(self, run_id: int) -> bool:
        """Of a run just claimed: whether the daily limit holds it, now that other workers see it and it sees theirs.

        Of several that were claimed at the same moment the oldest counts first, so that one of them is worked on.
        """
        if self.daily_limit is None:
            return True
        self.reached = DAILY_LIMIT if spent_today() + in_progress(up_to=run_id) > self.daily_limit else ""
        return not self.reached

    def row_ended(self, row: EndedRow) -> None:
        """A row of unknown cost is taken to have cost the most it could."""
        most = self._set_aside.pop((row.run_id, row.row_id), Decimal(0))
        self.spent += most if row.cost is None else row.cost

    def run_ended(self, run_id: int) -> None:
        """Rows that were not worked on after all cost nothing."""
        for row in [row for row in self._set_aside if row[0] == run_id]:
            del self._set_aside[row]

    def _holds(self, more: Decimal) -> bool:
        own = sum(self._set_aside.values(), Decimal(0))
        self.reached = ""
        if self.limit is not None and self.spent + own + more > self.limit:
            self.reached = MAX_COST
        elif self.daily_limit is not None and spent_today() + max(own, in_progress()) + more > self.daily_limit:
            self.reached = DAILY_LIMIT
        return not self.reached


def in_progress(up_to: int | None = None) -> Decimal:
    """USD, the most that the rows can cost which workers anywhere have before them; unknown prices are not in it. A run
    whose worker is gone is not in progress: whoever takes it up asks for its money then.

    `up_to`: of runs no younger than this one.
    """
    held = Run.objects.held(timezone.now())
    runs = held if up_to is None else held.filter(pk__lte=up_to)
    return _most_cost_of(Outcome.objects.pending().filter(run__in=runs))


def spent_today() -> Decimal:
    """USD since midnight, of every row that ended, whoever worked on it. A row of unknown cost is taken to have cost
    the most it could; unknown prices are not in it."""
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    rows = Outcome.objects.filter(state__in=ENDED_ROW, finished_at__gte=midnight)
    known = rows.aggregate(total=Sum("cost"))["total"] or Decimal(0)
    return known + _most_cost_of(rows.filter(cost=None, started_at__isnull=False))


class _Size(Func):
    """Of a text, in bytes."""

    function = "OCTET_LENGTH"
    output_field = IntegerField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> tuple[str, Any]:
        """SQLite knows OCTET_LENGTH from 3.43 on."""
        return self.as_sql(compiler, connection, template="LENGTH(CAST(%(expressions)s AS BLOB))", **context)


def _most_cost_of(rows: OutcomeQuerySet) -> Decimal:
    """One query, however many rows and models there are, and no note is read for it."""
    by_model = rows.order_by().values("run__model").annotate(rows=Count("pk"), size=Sum(_Size(F("text"))))
    most = (most_cost_of_rows(each["rows"], each["size"], each["run__model"]) for each in by_model)
    return sum((each or Decimal(0) for each in most), Decimal(0))


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
