"""Counts and sums of runs and rows, for people. Each is one query, however many rows there are. Changes nothing."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Case, Count, Exists, IntegerField, OuterRef, Q, Sum, Value, When
from django.utils import timezone

from summarizer.costing import known
from summarizer.models import (
    ENDED_ROW,
    Outcome,
    OutcomeQuerySet,
    OutcomeState,
    Run,
    RunQuerySet,
    RunState,
    held,
    stalled,
)


@dataclass(frozen=True, slots=True)
class Tally:
    """How the rows of a run, or of a stretch of time, stand. Sums leave out what is unknown, and say of how many rows
    it is."""

    rows: int = 0
    pending: int = 0
    summarised: int = 0
    failed: int = 0
    withdrawn: int = 0
    warned: int = 0
    repeated: int = 0
    """Attempts after a row's first."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal = Decimal(0)
    """USD."""
    rows_of_unknown_cost: int = 0
    rows_of_unknown_tokens: int = 0

    @property
    def done(self) -> int:
        return self.rows - self.pending

    @property
    def meant(self) -> int:
        """Rows that were, or will be, asked."""
        return self.rows - self.withdrawn

    @property
    def ended(self) -> int:
        """Rows that were asked, as against those withdrawn before."""
        return self.summarised + self.failed

    @property
    def known_cost(self) -> Decimal | None:
        """USD, as exactly as rows keep it; None where rows ended and the cost of none is known."""
        return known(self.cost.quantize(Decimal("1E-8")), self.ended, self.rows_of_unknown_cost)

    @property
    def known_input_tokens(self) -> int | None:
        return known(self.input_tokens, self.ended, self.rows_of_unknown_tokens)

    @property
    def known_output_tokens(self) -> int | None:
        return known(self.output_tokens, self.ended, self.rows_of_unknown_tokens)


_TALLY: dict[str, Any] = {
    "sum_rows": Count("pk"),
    **{f"sum_{state.value}": Count("pk", filter=Q(state=state)) for state in OutcomeState},
    "sum_warned": Count("pk", filter=Q(warned=True)),
    "sum_repeated": Count("pk", filter=Q(attempt__gt=1)),
    "sum_input_tokens": Sum("input_tokens", default=0),
    "sum_output_tokens": Sum("output_tokens", default=0),
    "sum_cost": Sum("cost", default=Decimal(0)),
    "sum_rows_of_unknown_cost": Count("pk", filter=Q(state__in=ENDED_ROW, cost=None)),
    "sum_rows_of_unknown_tokens": Count(
        "pk", filter=Q(state__in=ENDED_ROW) & (Q(input_tokens=None) | Q(output_tokens=None))
    ),
}
"""The prefix keeps a sum from taking the name of the column it sums."""


def _tally(sums: Mapping[str, Any]) -> Tally:
    return Tally(**{name.removeprefix("sum_"): value for name, value in sums.items() if name.startswith("sum_")})


def tallies(run_ids: Collection[int]) -> dict[int, Tally]:
    """The tally of each run; an empty one for a run without rows."""
    counted = Outcome.objects.filter(run__in=run_ids).order_by().values("run_id").annotate(**_TALLY)
    found = {row["run_id"]: _tally(row) for row in counted}
    return {run_id: found.get(run_id, Tally()) for run_id in run_ids}


def tally_since(rows: OutcomeQuerySet, since: datetime) -> Tally:
    """The rows that ended since then."""
    return _tally(rows.filter(state__in=ENDED_ROW, finished_at__gte=since).aggregate(**_TALLY))


def failures_since(rows: OutcomeQuerySet, since: datetime) -> list[tuple[str, int]]:
    """Failure codes with their counts, the most frequent first."""
    failed = rows.filter(state=OutcomeState.FAILED, finished_at__gte=since).order_by()
    counted = failed.values_list("failure").annotate(count=Count("pk"))
    return sorted(counted, key=lambda pair: (-pair[1], pair[0]))


def left_behind(rows: OutcomeQuerySet, since: datetime, most: int) -> int:
    """How many rows failed since then and have no next attempt, counted up to `most`."""
    return rows.requeueable().filter(finished_at__gte=since).order_by()[:most].count()


@dataclass(frozen=True, slots=True)
class Night:
    """From noon to noon."""

    start: datetime
    end: datetime
    summarised: int = 0
    failed: int = 0
    cost: Decimal = Decimal(0)
    """USD, of the rows whose cost is known."""
    rows_of_unknown_cost: int = 0

    @property
    def ended(self) -> int:
        return self.summarised + self.failed

    @property
    def known_cost(self) -> Decimal | None:
        """USD; None where rows ended and the cost of none is known."""
        return known(self.cost, self.ended, self.rows_of_unknown_cost)


def last_noon(now: datetime) -> datetime:
    """The noon before now, in the current time zone."""
    local = timezone.localtime(now)
    noon = local.replace(hour=12, minute=0, second=0, microsecond=0)
    return noon if noon <= local else noon - timedelta(days=1)


def noon_of_yesterday(now: datetime) -> datetime:
    """Where last night began, in the current time zone."""
    yesterday = timezone.localtime(now) - timedelta(days=1)
    return yesterday.replace(hour=12, minute=0, second=0, microsecond=0)


def nights(rows: OutcomeQuerySet, count: int, now: datetime) -> list[Night]:
    """The last nights up to now, the oldest first. Days of 23 and 25 hours are as long as they are."""
    newest = last_noon(now)
    starts = [newest - timedelta(days=age) for age in reversed(range(count))]
    ends = [*starts[1:], newest + timedelta(days=1)]
    ended = rows.filter(state__in=ENDED_ROW, finished_at__gte=starts[0], finished_at__lt=ends[-1]).order_by()
    night = Case(
        *(When(finished_at__lt=end, then=Value(number)) for number, end in enumerate(ends)),
        output_field=IntegerField(),
    )
    sums = {
        "summarised": Count("pk", filter=Q(state=OutcomeState.SUMMARISED)),
        "failed": Count("pk", filter=Q(state=OutcomeState.FAILED)),
        "spent": Sum("cost", default=Decimal(0)),
        "unknown": Count("pk", filter=Q(cost=None)),
    }
    counted = {row["night"]: row for row in ended.annotate(night=night).values("night").annotate(**sums)}
    return [
        _night(start, end, counted.get(number, {}))
        for number, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]


def _night(start: datetime, end: datetime, sums: Mapping[str, Any]) -> Night:
    return Night(
        start,
        end,
        summarised=sums.get("summarised", 0),
        failed=sums.get("failed", 0),
        cost=sums.get("spent", Decimal(0)),
        rows_of_unknown_cost=sums.get("unknown", 0),
    )


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits, and for whom."""

    queued_runs: int
    queued_rows: int
    running: int
    stalled: int
    unpicked: int
    """Runs that somebody started and no worker took."""
    interrupted: int


def waiting(runs: RunQuerySet, now: datetime) -> Waiting:
    is_queued = Q(state=RunState.QUEUED)
    open_runs = runs.filter(state__in=(RunState.QUEUED, RunState.RUNNING, RunState.INTERRUPTED)).order_by()
    counts = open_runs.aggregate(
        queued_runs=Count("pk", filter=is_queued),
        running=Count("pk", filter=held(now)),
        stalled=Count("pk", filter=stalled(now)),
        interrupted=Count("pk", filter=Q(state=RunState.INTERRUPTED)),
        unpicked=Count("pk", filter=Q(start_requested_at__isnull=False)),
    )
    pending = Outcome.objects.pending().filter(run__in=runs.filter(is_queued))
    return Waiting(queued_rows=pending.order_by().count(), **counts)


@dataclass(frozen=True, slots=True)
class Workload:
    """What starting some runs comes to."""

    run_ids: list[int] = field(default_factory=list)
    """Those that can be started."""
    rows: int = 0
    known: int = 0
    """Of these rows, the ones whose text was summarised before with the same provider, model and prompt."""


def workload_of(runs: Sequence[Run]) -> Workload:
    run_ids = [run.pk for run in runs if run.is_claimable]
    same = Outcome.objects.filter(
        text_hash=OuterRef("text_hash"),
        state=OutcomeState.SUMMARISED,
        run__provider=OuterRef("run__provider"),
        run__model=OuterRef("run__model"),
        run__prompt_version=OuterRef("run__prompt_version"),
    )
    pending = Outcome.objects.pending().filter(run__in=run_ids).order_by()
    counts = pending.annotate(is_known=Exists(same)).aggregate(
        rows=Count("pk"), known=Count("pk", filter=Q(is_known=True))
    )
    return Workload(run_ids, **counts)
