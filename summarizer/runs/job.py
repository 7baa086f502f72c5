"""The nightly job: every queued and every abandoned run worked off, several at a time, and a report of it."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError
from django.utils import timezone

from backoffice.database import in_database, patiently
from backoffice.llm.client import ModelConfig
from backoffice.llm.failures import UNMENDABLE, Failure, FailureCode
from backoffice.llm.usage import Usage
from backoffice.signals import signals_caught
from summarizer.costing import known
from summarizer.models import Outcome, OutcomeState, Run, RunState
from summarizer.runs import lease
from summarizer.runs.budget import Budget, PriceUnknown
from summarizer.runs.execution import EndedRow, Stop, work
from summarizer.runs.queue import Claim, claim, claim_next, claim_of, new_owner, next_claimable

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

DOWN = frozenset({FailureCode.CONNECTION, FailureCode.PROVIDER_ERROR, FailureCode.RATE_LIMITED})
"""A run of several rows in which every row failed with one of these says that the provider is plainly down."""
DOWN_IN_A_ROW = 3
"""So many rows after one another say so too, whose runs are of one row each: one alone may be at fault itself."""

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
    """Their cost is in no sum, and neither are the tokens of those whose tokens are unknown."""
    rows_of_unknown_tokens: int = 0
    failed_rows: list[FailedRow] = field(default_factory=list)
    provider_down: bool = False
    key_refused: bool = False
    database_away: bool = False
    """It was waited for in vain, so no further run was taken."""
    cost_limit: str = ""
    """The limit on money that was reached: the option or the setting that holds it."""
    unpriced: list[int] = field(default_factory=list)
    """Runs left because no cost limit can be kept for their model, whose price nobody entered."""
    left: int | None = 0
    """Runs that the job leaves for the next one: given up, or never started because it had to stop. None where the
    database could not say."""
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

    @property
    def known_cost(self) -> Decimal | None:
        """USD; None where rows ended and the cost of none is known."""
        return known(self.cost, self.rows, self.rows_of_unknown_cost)

    @property
    def known_input_tokens(self) -> int | None:
        return known(self.input_tokens, self.rows, self.rows_of_unknown_tokens)

    @property
    def known_output_tokens(self) -> int | None:
        return known(self.output_tokens, self.rows, self.rows_of_unknown_tokens)

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
        self.rows_of_unknown_tokens += not usage.known
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
    _down_in_a_row: int = 0
    """Rows that failed with one of DOWN since another ended otherwise."""

    async def work_off(self) -> JobReport:
        await self._work_claimable()
        while self.wait and self._may_start() and (held := await self._asked(held_runs, self.config.provider)):
            self.watcher.waiting(held)
            await asyncio.sleep(min(POLL_SECONDS, max(0.05, min(run.seconds_left for run in held))))
            await self._work_claimable()
        await self._count_what_waits()
        return self.report

    async def _count_what_waits(self) -> None:
        report, provider = self.report, self.config.provider
        only = self._given_up if self._may_start() else None
        counted = await self._asked(_what_waits, provider, only)
        report.held, report.left, report.others = ([], None, 0) if counted is None else counted

    async def _asked(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """`patiently`; None where the database stays away, after which no further run is taken. It is waited for once,
        and by nobody who is asked to leave."""
        ask = in_database if self.report.database_away or self.stop.requested else patiently
        try:
            return await ask(function, *args, **kwargs)
        except (OperationalError, InterfaceError) as error:
            logger.warning("the database is away: %s", type(error).__name__)
            self.report.database_away = True
            return None

    def _may_start(self) -> bool:
        report = self.report
        stopped = report.provider_down or report.key_refused or report.database_away or report.cost_limit
        return not (self.stop.requested or stopped)

    async def _work_claimable(self) -> None:
        self._nothing_waits = False
        async with asyncio.TaskGroup() as workers:
            for _ in range(self.concurrency):
                workers.create_task(self._worker())

    async def _worker(self) -> None:
        has_begun = False
        while self._may_start():
            async with self._choosing:
                is_idle = self._nothing_waits and not has_begun
                claimed = None if is_idle or not self._may_start() else await self._take()
            if claimed is None:
                self._nothing_waits = True
                return
            has_begun = True
            await self._work_run(claimed)

    async def _take(self) -> Claim | None:
        """The next run. Whether the daily limit keeps it is asked on its own: asked again after a broken connection, it
        must not cost the claim."""
        claimed = await self._asked(self._next_run, new_owner())
        if claimed is None or self.budget.daily_limit is None or await self._asked(self._keeps, claimed):
            return claimed
        self.budget.run_ended(claimed.run_id)
        return None

    def _next_run(self, owner: str) -> Claim | None:
        """Claim the next run that the budget holds; the first that it does not hold ends the job, so that the order of
        the queue is kept. Asked again because an answer was lost, it gives what was claimed under the token."""
        provider = self.config.provider
        if not self.budget.is_limited:
            return claim_next(provider, skip=self._given_up, owner=owner)
        if (before := claim_of(owner)) is not None:
            self._sets_aside(before.run_id)
            return before
        while (run_id := next_claimable(provider, skip=self._given_up)) is not None:
            fits = self._sets_aside(run_id)
            if fits is False:
                # Runs in progress may cost less than was set aside for them; who ends one looks again.
                self.report.cost_limit = "" if self.budget.is_in_use else self.budget.reached
                return None
            if fits and (claimed := self._claim(run_id, owner)) is not None:
                return claimed
        return None

    def _claim(self, run_id: int, owner: str) -> Claim | None:
        """What was set aside for a run that is not ours after all, by an error too, is free again."""
        claimed = None
        try:
            claimed = claim(run_id, provider=self.config.provider, owner=owner)
        finally:
            if claimed is None:
                self.budget.run_ended(run_id)
        return claimed

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
        self.report.cost_limit = self.budget.reached
        with suppress(lease.LeaseLost):
            lease.end(claimed)
        return False

    async def _work_run(self, claim: Claim) -> None:
        failures: list[Failure | None] = []
        summarised_before = self.report.summarised

        def ended(row: EndedRow) -> None:
            failures.append(row.result.failure)
            self._row_ended(row)

        state = await work(claim, self.config, self.stop, ended)
        self.budget.run_ended(claim.run_id)
        self.report.runs += 1
        if state is not RunState.COMPLETED:
            self._given_up.add(claim.run_id)
        if failures and all(map(_speaks_of_provider, failures)):
            is_alone = self.report.summarised == summarised_before
            self.report.provider_down |= await self._is_down(claim.run_id, len(failures) if is_alone else 0)
        if failures:
            self.report.key_refused |= all(failure and failure.of_our_key for failure in failures)
        self.watcher.run_ended(claim.run_id, state)

    def _row_ended(self, row: EndedRow) -> None:
        self._down_in_a_row = self._down_in_a_row + 1 if _speaks_of_provider(row.result.failure) else 0
        self.report.count(row)
        self.budget.row_ended(row)
        self.watcher.row_ended(row)

    async def _is_down(self, run_id: int, failed: int) -> bool:
        """Of a run whose every row that was asked failed by the provider: whether that is enough to call it down.

        `failed`: its rows, none where the provider answered for another run meanwhile. A run of one row, or one of
        which earlier rows were summarised, may have failed by a note of its own.
        """
        if self._down_in_a_row >= DOWN_IN_A_ROW:
            return True
        return failed > 1 and await self._asked(_was_answered, run_id) is False


async def work_chosen(run_id: int, config: ModelConfig) -> None:
    """Work off this run, unless somebody else has it or it has ended."""
    stop = Stop()
    with signals_caught(lambda _: stop.request(), pass_on=True):
        claimed = await patiently(claim, run_id, provider=config.provider, owner=new_owner())
        if claimed is not None:
            await work(claimed, config, stop)


def held_runs(provider: str, now: datetime | None = None) -> list[HeldRun]:
    now = now or timezone.now()
    held = Run.objects.held(now).filter(provider=provider).order_by("pk").values_list("pk", "lease_until")
    return [HeldRun(run_id, (until - now).total_seconds()) for run_id, until in held if until]


def _speaks_of_provider(failure: Failure | None) -> bool:
    return failure is not None and failure.code in DOWN


def _was_answered(run_id: int) -> bool:
    """Whether any row of the run was summarised, tonight or before."""
    return Outcome.objects.filter(run=run_id, state=OutcomeState.SUMMARISED).exists()


def _what_waits(provider: str, only: Collection[int] | None) -> tuple[list[HeldRun], int, int]:
    """Runs held by others, left, and of other providers, as JobReport has them."""
    return held_runs(provider), _left(provider, only), _of_others(provider)


def _left(provider: str, only: Collection[int] | None) -> int:
    """Claimable runs; `only`: of these, where the job did look at every run there was."""
    waiting = Run.objects.claimable(timezone.now()).filter(provider=provider)
    return (waiting if only is None else waiting.filter(pk__in=list(only))).count()


def _of_others(provider: str) -> int:
    return Run.objects.claimable(timezone.now()).exclude(provider=provider).count()
