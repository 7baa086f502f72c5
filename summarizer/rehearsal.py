"""What would change with another model: past notes are summarised again beside their stored summaries, which stay.

Nothing is stored. Pinned snapshots retire, and an operator has to say yes to the next one before it speaks.
"""

import asyncio
import signal
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import reduce
from itertools import islice
from operator import or_

from django.db.models import Q

from backoffice.llm.client import ModelConfig
from backoffice.signals import signals_caught
from summarizer.comparison import Change, Ending, change_between
from summarizer.costing import known, most_cost
from summarizer.models import Outcome, OutcomeQuerySet, OutcomeState
from summarizer.prompts import PROMPT_VERSION
from summarizer.rows import RowResult, summarise
from summarizer.runs.execution import EndedRow, Stop
from summarizer.runs.lease import cost_of

NOTHING_TO_LOOK_AT, SOMETHING_CHANGED, SIGNALLED = 0, 3, 128
PAST = (OutcomeState.SUMMARISED, OutcomeState.FAILED)
WORTH_A_LOOK = (Change.AMOUNTS, Change.OUTCOME)


@dataclass(frozen=True, slots=True)
class Compared:
    """One note: how it ended then, and how it ends with the other model."""

    run_id: int
    row_id: int
    change: Change
    before: Ending
    after: Ending


@dataclass(slots=True)
class Rehearsal:
    """What came of it, of the notes that were reached."""

    model: str
    notes: int
    """Those that were to be rehearsed."""
    stored_models: tuple[str, ...]
    other_prompts: int
    """Notes that were summarised under another prompt than today's, so that not every change is the model's."""
    compared: list[Compared] = field(default_factory=list)
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal = Decimal(0)
    """USD."""
    stored_cost: Decimal = Decimal(0)
    """What the same notes cost when they were summarised, as far as that is known."""
    rows_of_unknown_cost: int = 0
    rows_of_unknown_tokens: int = 0
    rows_of_unknown_stored_cost: int = 0

    @property
    def known_input_tokens(self) -> int | None:
        return known(self.input_tokens, len(self.compared), self.rows_of_unknown_tokens)

    @property
    def known_output_tokens(self) -> int | None:
        return known(self.output_tokens, len(self.compared), self.rows_of_unknown_tokens)

    @property
    def known_cost(self) -> Decimal | None:
        return known(self.cost, len(self.compared), self.rows_of_unknown_cost)

    @property
    def known_stored_cost(self) -> Decimal | None:
        return known(self.stored_cost, len(self.compared), self.rows_of_unknown_stored_cost)

    @property
    def counts(self) -> Counter[Change]:
        return Counter(row.change for row in self.compared)

    @property
    def in_order(self) -> list[Compared]:
        """Changed amounts first."""
        order = list(Change)
        return sorted(self.compared, key=lambda row: (order.index(row.change), row.run_id, row.row_id))

    def count(self, row: Outcome, result: RowResult, cost: Decimal | None) -> None:
        after = Ending(result.summary, result.failure.code.value if result.failure else "", result.warnings)
        before = Ending(row.summary, row.failure, tuple(row.warnings))
        self.compared.append(Compared(row.run_id, row.row_id, change_between(before, after), before, after))
        self.input_tokens += result.usage.input_tokens or 0
        self.output_tokens += result.usage.output_tokens or 0
        self.cost += cost or 0
        self.rows_of_unknown_cost += cost is None
        self.rows_of_unknown_tokens += not result.usage.known
        self.stored_cost += row.cost or 0
        self.rows_of_unknown_stored_cost += row.cost is None


def notes_of(runs: Iterable[range]) -> list[Outcome]:
    """The rows of these runs that have ended, the latest first; a note that stands in several rows counts once, as it
    ended last."""
    wanted = reduce(or_, (Q(run__gte=numbers.start, run__lt=numbers.stop) for numbers in runs))
    return list(_each_note_once(_past_rows().filter(wanted)))


def last_notes(count: int) -> list[Outcome]:
    """So many of the latest notes of all."""
    return list(islice(_each_note_once(_past_rows()), count))


def _past_rows() -> OutcomeQuerySet:
    rows = Outcome.objects.filter(state__in=PAST).select_related("run").defer("exchange", "run__prompt")
    return rows.order_by("-finished_at", "-pk")


def _each_note_once(rows: OutcomeQuerySet) -> Iterator[Outcome]:
    seen: set[str] = set()
    for row in rows.iterator(chunk_size=200):
        if row.text_hash not in seen:
            seen.add(row.text_hash)
            yield row


def most_it_costs(rows: Sequence[Outcome], model: str) -> Decimal | None:
    """USD; None where the model's price is unknown."""
    return most_cost((row.text for row in rows), model)


@dataclass
class Rehearsing:
    """The rehearsal at work: `run_to_end(Rehearsing(rows, config).work())`."""

    rows: Sequence[Outcome]
    config: ModelConfig
    """Its model is the new one."""
    concurrency: int = 4
    on_row: Callable[[EndedRow], None] = lambda _: None
    stop: Stop = field(default_factory=Stop)

    def __post_init__(self) -> None:
        stored = sorted({row.run.model for row in self.rows})
        other = sum(row.run.prompt_version != PROMPT_VERSION for row in self.rows)
        self.rehearsal = Rehearsal(self.config.model, len(self.rows), tuple(stored), other)

    async def work(self) -> tuple[Rehearsal, int]:
        """The result and the exit status of the process; a signal ends it early."""
        received: list[signal.Signals] = []

        def ending(number: signal.Signals) -> None:
            self.stop.request(grace=0 if received else None)
            received.append(number)

        with signals_caught(ending):
            waiting = iter(self.rows)
            async with asyncio.TaskGroup() as workers:
                for _ in range(self.concurrency):
                    workers.create_task(self._worker(waiting))
        if received:
            return self.rehearsal, SIGNALLED + received[0]
        worth_a_look = any(self.rehearsal.counts[change] for change in WORTH_A_LOOK)
        return self.rehearsal, SOMETHING_CHANGED if worth_a_look else NOTHING_TO_LOOK_AT

    async def _worker(self, waiting: Iterator[Outcome]) -> None:
        for row in waiting:
            try:
                async with asyncio.timeout(None) as leash:
                    with self.stop.leashing(leash):
                        result = await summarise(row.text, self.config)
            except TimeoutError:
                return
            cost = cost_of(result, self.config.model)
            self.rehearsal.count(row, result, cost)
            self.on_row(EndedRow(row.run_id, row.row_id, row.attempt, result, cost))
            if self.stop.requested:
                return


def with_model(config: ModelConfig, model: str) -> ModelConfig:
    return replace(config, model=model)
