"""The nightly job: every queued and every abandoned run worked off, several at a time, and a report of it."""

import asyncio
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from django.utils import timezone

from backoffice.database import in_database, patiently
from backoffice.llm.client import ModelConfig
from backoffice.llm.failures import UNMENDABLE, Failure, FailureCode
from backoffice.llm.usage import Usage
from backoffice.signals import signals_caught
from summarizer.models import Run, RunState
from summarizer.runs import lease
from summarizer.runs.budget import Budget, PriceUnknown
from summarizer.runs.execution import EndedRow, Stop, work
from summarizer.runs.queue import Claim, claim, claim_next, next_claimable

DOWN = frozenset({FailureCode.CONNECTION, FailureCode.PROVIDER_ERROR, FailureCode.RATE_LIMITED})
"""A run in which every row failed with one of these says that the provider is plainly down."""

MAX_ATTEMPTS = 3
"""Of a row that is queued again by the job, unless it is told otherwise."""
POLL_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class HeldRun:
    """A run that somebody else works on, or that a dead worker's lease still covers."""

    run_id: int
    seconds_left: float


@dataclass(frozen=True, slots=True)
class FailedRow:
    run_id: int
    row_id: int
    attempt: int
    code: str
    detail: str


@dataclass(slots=True)
class JobReport:
    """Counts of this job alone."""

    runs: int = 0
    rows: int = 0
    summarised: int = 0
    failed: int = 0
    warned: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal = Decimal(0)
    rows_of_unknown_cost: int = 0
    """Their tokens and cost are in none of the sums."""
    failed_rows: list[FailedRow] = field(default_factory=list)
    provider_down: bool = False
    key_refused: bool = False
    cost_limit: str = ""
    """The limit on money that was reached: the option or the setting that holds it."""
    unpriced: list[int] = field(default_factory=list)
    """Runs left because no cost limit can be kept for their model, whose price nobody entered."""
    left: int = 0
    """Runs that the job leaves for the next one: given up, or never started because it had to stop."""
    held: list[HeldRun] = field(default_factory=list)
    others: int = 0
    """Runs that wait and were queued for another provider."""

    @property
    def mendable(self) -> int:
        """Failed rows that `--requeue-failed` will ask for again, unless it is told of another number of attempts."""
        return sum(row.code not in UNMENDABLE and row.attempt < MAX_ATTEMPTS for row in self.failed_rows)

    @property
    def failures(self) -> Counter[str]:
        return Counter(row.code for row in self.failed_rows)

    def count(self, row: EndedRow) -> None:
        self.rows += 1
        failure = row.result.failure
        if failure is None:
            self.summarised += 1
            self.warned += bool(row.result.warnings)
        else:
            self.failed += 1
            self.failed_rows.append(FailedRow(row.run_id, row.row_id, row.attempt, failure.code.value, failure.detail))
        self._count_usage(row.result.usage, row.cost)

    def _count_usage(self, usage: Usage, cost: Decimal | None) -> None:
        self.input_tokens += usage.input_tokens or 0
        self.output_tokens += usage.output_tokens or 0
        if cost is None:
            self.rows_of_unknown_cost += 1
        else:
            self.cost += cost


class Watcher:
    """Whoever looks on; this one looks away."""

    def row_ended(self, row: EndedRow) -> None:
        pass

    def run_ended(self, run_id: int, state: RunState | None) -> None:
        """`state` is None where the run's lease was lost."""

    def waiting(self, held: Sequence[HeldRun]) -> None:
        pass


@dataclass
class Job:
    """One run of the job: `await Job(config, stop).work_off()`."""

    config: ModelConfig
    stop: Stop
    concurrency: int = 4
    """How many runs are worked on side by side; rows inside a run stay one after another."""
    wait: bool = False
    """Wait for runs that others hold, and take them up if their lease runs out."""
    watcher: Watcher = field(default_factory=Watcher)
    budget: Budget = field(default_factory=Budget)
    report: JobReport = field(default_factory=JobReport)
    _given_up: set[int] = field(default_factory=set)
    _nothing_waits: bool = False
    """A worker that has not begun yet need not look where another has just found nothing."""
    _choosing: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One worker at a time looks for its next run, so that two of them cannot set the same money aside."""

    async def work_off(self) -> JobReport:
        await self._work_claimable()
        while self.wait and self._may_start() and (held := await patiently(held_runs, self.config.provider)):
            self.watcher.waiting(held)
            await asyncio.sleep(min(POLL_SECONDS, max(0.05, min(run.seconds_left for run in held))))
            await self._work_claimable()
        self.report.held = await patiently(held_runs, self.config.provider)
        only = self._given_up if self._may_start() else None
        self.report.left = await patiently(_left, self.config.provider, only)
        self.report.others = await patiently(_of_others, self.config.provider)
        return self.report

    def _may_start(self) -> bool:
        report = self.report
        return not (self.stop.requested or report.provider_down or report.key_refused or report.cost_limit)

    async def _work_claimable(self) -> None:
        self._nothing_waits = False
        async with asyncio.TaskGroup() as workers:
            for _ in range(self.concurrency):
                workers.create_task(self._worker())

    async def _worker(self) -> None:
        has_begun = False
        while self._may_start():
            async with self._choosing:
                claimed = None if self._nothing_waits and not has_begun else await patiently(self._next_run)
            if claimed is None:
                self._nothing_waits = True
                return
            has_begun = True
            await self._work_run(claimed)

    def _next_run(self) -> Claim | None:
        """Claim the next run that the budget holds; the first that it does not hold ends the job, so that the order of
        the queue is kept."""
        provider = self.config.provider
        if not self.budget.is_limited:
            return claim_next(provider, skip=self._given_up)
        while (run_id := next_claimable(provider, skip=self._given_up)) is not None:
            fits = self._sets_aside(run_id)
            if fits is False:
                # Runs in progress may cost less than was set aside for them; who ends one looks again.
                self.report.cost_limit = "" if self.budget.is_in_use else self.budget.reached
                return None
            if fits and (claimed := claim(run_id, provider=provider)) is not None:
                return claimed if self._keeps(claimed) else None
            self.budget.run_ended(run_id)
        return None

    def _sets_aside(self, run_id: int) -> bool | None:
        """None for a run that no limit can be kept for: it is left alone."""
        try:
            return self.budget.set_aside(run_id)
        except PriceUnknown:
            self._given_up.add(run_id)
            self.report.unpriced.append(run_id)
            return None

    def _keeps(self, claimed: Claim) -> bool:
        if self.budget.still_holds(claimed.run_id):
            return True
        self.budget.run_ended(claimed.run_id)
        self.report.cost_limit = self.budget.reached
        lease.end(claimed)
        return False

    async def _work_run(self, claim: Claim) -> None:
        failures: list[Failure | None] = []

        def ended(row: EndedRow) -> None:
            failures.append(row.result.failure)
            self.report.count(row)
            self.budget.row_ended(row)
            self.watcher.row_ended(row)

        state = await work(claim, self.config, self.stop, ended)
        self.budget.run_ended(claim.run_id)
        self.report.runs += 1
        if state is not RunState.COMPLETED:
            self._given_up.add(claim.run_id)
        if failures:
            self.report.provider_down |= all(failure and failure.code in DOWN for failure in failures)
            self.report.key_refused |= all(failure and failure.of_our_key for failure in failures)
        self.watcher.run_ended(claim.run_id, state)


async def work_chosen(run_ids: Sequence[int], config: ModelConfig) -> None:
    """Work off these runs in their order, each unless somebody else has it or it has ended."""
    stop = Stop()
    with signals_caught(lambda _: stop.request(), pass_on=True):
        for run_id in run_ids:
            claimed = None if stop.requested else await in_database(claim, run_id, provider=config.provider)
            if claimed is not None:
                await work(claimed, config, stop)


def held_runs(provider: str, now: datetime | None = None) -> list[HeldRun]:
    now = now or timezone.now()
    held = Run.objects.held(now).filter(provider=provider).order_by("pk").values_list("pk", "lease_until")
    return [HeldRun(run_id, (until - now).total_seconds()) for run_id, until in held if until]


def _left(provider: str, only: Collection[int] | None) -> int:
    """Claimable runs; `only`: of these, where the job did look at every run there was."""
    waiting = Run.objects.claimable(timezone.now()).filter(provider=provider)
    return (waiting if only is None else waiting.filter(pk__in=list(only))).count()


def _of_others(provider: str) -> int:
    return Run.objects.claimable(timezone.now()).exclude(provider=provider).count()
