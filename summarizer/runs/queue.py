"""Before and after a run is worked on: created, claimed, cancelled, its failed rows re-queued.

Every move is a conditional update whose row count is checked, so two operators, two jobs or two requests at the same
instant make it once.
"""

import hashlib
import itertools
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from backoffice.llm.client import ModelConfig
from summarizer.models import WAITING_RUN, Outcome, OutcomeQuerySet, OutcomeState, Run, RunQuerySet, RunState, Trigger
from summarizer.prompts import PROMPT_VERSION, SYSTEM_PROMPT
from summarizer.schemas import MAX_ROWS

CLAIMABLE_STATES = (*WAITING_RUN, RunState.RUNNING)
CANDIDATES = 16
"""How many runs a claim looks at before it asks again: workers that start together collide on the first."""


class Note(Protocol):
    @property
    def row_id(self) -> int: ...
    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to work on a run, for as long as its lease is renewed."""

    run_id: int
    owner: str


@dataclass(frozen=True, slots=True)
class Origin:
    """Who or what asked for a run."""

    trigger: Trigger
    user: User | AnonymousUser | None = None
    source: str = ""

    @property
    def created_by(self) -> User | None:
        return self.user if isinstance(self.user, User) else None


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def lease_end(now: datetime) -> datetime:
    return now + timedelta(seconds=settings.RUN_LEASE_SECONDS)


def create_runs(notes: Sequence[Note], origin: Origin, config: ModelConfig) -> list[Run]:
    """Queue the notes, in their order, as runs of up to 50 rows; all of them or none."""
    with transaction.atomic():
        return [_create(notes[start : start + MAX_ROWS], origin, config) for start in range(0, len(notes), MAX_ROWS)]


def create_claimed_run(notes: Sequence[Note], origin: Origin, config: ModelConfig, **columns: Any) -> Claim:
    """Create one run that its creator works on at once: nobody else can take it in between."""
    now = timezone.now()
    owner = new_owner()
    held = {"state": RunState.RUNNING, "owner": owner, "lease_until": lease_end(now)}
    with transaction.atomic():
        run = _create(notes, origin, config, created_at=now, started_at=now, **held, **columns)
    return Claim(run.pk, owner)


def _create(notes: Sequence[Note], origin: Origin, config: ModelConfig, **columns: Any) -> Run:
    run = Run.objects.create(
        trigger=origin.trigger,
        created_by=origin.created_by,
        source=origin.source[:200],
        provider=config.provider,
        model=config.model,
        prompt_version=PROMPT_VERSION,
        prompt=SYSTEM_PROMPT,
        **columns,
    )
    Outcome.objects.bulk_create(
        Outcome(run=run, position=position, row_id=note.row_id, text=note.text, text_hash=hash_of(note.text))
        for position, note in enumerate(notes)
    )
    return run


def new_owner() -> str:
    """A token for one claim. Who may have to claim again, because an answer was lost, makes it once and keeps it."""
    return uuid.uuid4().hex


def claim(run_id: int, *, provider: str, owner: str = "") -> Claim | None:
    """Take one run, unless somebody holds it, it has ended, its cancellation was asked for, or it is another
    provider's.

    With an `owner` made by `new_owner` it may be called again after it seemed to fail: what was taken under that token
    is still taken.
    """
    now = timezone.now()
    claimed = Claim(run_id, owner or new_owner())
    mine = Run.objects.held(now).filter(pk=run_id, owner=claimed.owner)
    held = {"owner": claimed.owner, "lease_until": lease_end(now), "start_requested_at": None}
    with transaction.atomic():
        waiting = Run.objects.claimable(now).filter(pk=run_id, provider=provider)
        if waiting.update(state=RunState.RUNNING, **held):
            mine.filter(started_at=None).update(started_at=now)
            _under_todays_prompt(mine)
            return claimed
    return claimed if owner and mine.exists() else None


def claim_of(owner: str) -> Claim | None:
    """What was taken under this token before."""
    mine = Run.objects.held(timezone.now()).filter(owner=owner).values_list("pk", flat=True)
    return next((Claim(run_id, owner) for run_id in mine), None)


def _under_todays_prompt(claimed: RunQuerySet) -> None:
    """A run that was queued before the prompt changed says which one it is worked with. Once a row has ended it keeps
    the first one's; what each row was asked with stands in its exchange."""
    ended = Outcome.objects.exclude(state=OutcomeState.PENDING).filter(run=OuterRef("pk"))
    before = claimed.exclude(prompt_version=PROMPT_VERSION).filter(~Exists(ended))
    before.update(prompt_version=PROMPT_VERSION, prompt=SYSTEM_PROMPT)


def claim_next(provider: str, *, skip: Collection[int] = (), owner: str = "") -> Claim | None:
    """Take the oldest claimable run that was queued for this provider; None when there is none.

    `skip`: runs that this job leaves alone, because it has given them up before; `owner`: as `claim` has it.
    """
    if owner and (before := claim_of(owner)) is not None:
        return before
    settle_cancelled(Run.objects.all())
    while candidates := _oldest(provider, skip):
        for run_id in candidates:
            if (taken := claim(run_id, provider=provider, owner=owner)) is not None:
                return taken
    return None


def next_claimable(provider: str, *, skip: Collection[int] = ()) -> int | None:
    """The run that `claim_next` would try first."""
    settle_cancelled(Run.objects.all())
    return next(iter(_oldest(provider, skip)), None)


def _oldest(provider: str, skip: Collection[int]) -> list[int]:
    """The oldest claimable runs, oldest first.

    Each state is asked for on its own, in the order of the index on state and id: a query for all of them at once
    reads and sorts the whole queue.
    """
    runs = Run.objects.claimable(timezone.now()).filter(provider=provider).exclude(pk__in=list(skip)).order_by("pk")
    by_state = [runs.filter(state=state).values_list("pk", flat=True)[:CANDIDATES] for state in CLAIMABLE_STATES]
    return sorted(itertools.chain(*by_state))[:CANDIDATES]


def settle_cancelled(among: RunQuerySet) -> None:
    """Cancel those of these runs whose worker died before it could honour that it was asked for: whoever comes next,
    to claim a run or to look at it, does it."""
    for run_id in among.stalled(timezone.now()).exclude(cancel_requested_at=None).values_list("pk", flat=True):
        cancel(run_id)


def cancel(run_id: int) -> bool:
    """Cancel a run: at once where nobody works on it, after its current row where somebody does.

    Rows that were never started become `withdrawn`. False where the run had ended already.
    """
    now = timezone.now()
    run = Run.objects.filter(pk=run_id)
    with transaction.atomic():
        # Asked for first: the lock on the run keeps its worker from ending it before it is known to be idle or not.
        asked = run.filter(cancel_requested_at=None).update(cancel_requested_at=now)
        cancelled = run.idle(now).update(state=RunState.CANCELLED, finished_at=now)
        if cancelled:
            Outcome.objects.filter(run_id=run_id).update(state=OutcomeState.WITHDRAWN)
    return bool(asked or cancelled)


@dataclass(frozen=True, slots=True)
class Requeued:
    runs: tuple[Run, ...]
    rows: int
    skipped: int
    """Rows that were asked for and have a next attempt already, or want none."""


def requeue(rows: Iterable[Outcome], origin: Origin, config: ModelConfig) -> Requeued:
    """Queue one next attempt for each row that failed, was warned of, or was withdrawn with its run before it began; a
    row that has one already is skipped, however often one presses."""
    asked = list(rows)
    fresh = list(_repeatable([row.pk for row in asked]))
    runs: list[Run] = []
    queued = 0
    for batch in _batches(fresh):
        run, count = _requeue_batch(batch, origin, config)
        queued += count
        if run is not None:
            runs.append(run)
    return Requeued(tuple(runs), queued, len(asked) - queued)


def _repeatable(outcome_ids: Sequence[int]) -> OutcomeQuerySet:
    return Outcome.objects.repeatable().filter(pk__in=outcome_ids).defer("exchange").order_by("pk")


def _batches(rows: Sequence[Outcome]) -> Iterator[list[Outcome]]:
    """Runs of up to 50 rows in which no row id stands twice."""
    open_batches: list[dict[int, Outcome]] = []
    for row in rows:
        batch = next((batch for batch in open_batches if row.row_id not in batch), None)
        if batch is None:
            batch = {}
            open_batches.append(batch)
        batch[row.row_id] = row
        if len(batch) == MAX_ROWS:
            open_batches.remove(batch)
            yield list(batch.values())
    yield from (list(batch.values()) for batch in open_batches)


def _requeue_batch(rows: Sequence[Outcome], origin: Origin, config: ModelConfig) -> tuple[Run | None, int]:
    """Where somebody else was quicker for a row of the batch, the batch is tried again without it."""
    while rows:
        try:
            with transaction.atomic():
                run = _create([], origin, config)
                Outcome.objects.bulk_create(_next_attempts(rows, run))
        except IntegrityError:
            if len(remaining := list(_repeatable([row.pk for row in rows]))) == len(rows):
                raise
            rows = remaining
        else:
            return run, len(rows)
    return None, 0


def _next_attempts(rows: Sequence[Outcome], run: Run) -> Iterator[Outcome]:
    for position, row in enumerate(rows):
        yield Outcome(
            run=run,
            position=position,
            row_id=row.row_id,
            text=row.text,
            text_hash=row.text_hash,
            attempt=row.attempt + 1,
            requeued_from=row,
        )


def known_hashes(notes: Iterable[Note], config: ModelConfig) -> set[str]:
    """Hashes of the notes that were summarised before: same text, provider, model and prompt."""
    return hashes_by_state(notes, config)[OutcomeState.SUMMARISED]


def hashes_by_state(notes: Iterable[Note], config: ModelConfig) -> Mapping[str, set[str]]:
    """Hashes of the notes that were asked before, or wait to be, by the state of their rows: same text, provider, model
    and prompt. A hash may stand under several."""
    hashes = [hash_of(note.text) for note in notes]
    known: defaultdict[str, set[str]] = defaultdict(set)
    for start in range(0, len(hashes), 500):
        same = Outcome.objects.filter(
            text_hash__in=hashes[start : start + 500],
            run__provider=config.provider,
            run__model=config.model,
            run__prompt_version=PROMPT_VERSION,
        )
        # The states are told apart here: asked for them, SQLite reads every summarised row by the index on the state.
        for text_hash, state in same.order_by().values_list("text_hash", "state").distinct():
            known[state].add(text_hash)
    return known
