"""Personal data goes after its retention period; what it adds up to stays.

An app says in a module `retention` of its own what it keeps (`register`), and `manage.py purge` does the rest. Each
batch is one short transaction that adds to the aggregates what it deletes, so that a crash loses no count, a repetition
counts nothing twice, and a job that works beside it waits for moments only.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.expressions import Combinable
from django.utils import timezone

from backoffice.audit.models import DailyAggregate

PAUSE_SECONDS = 0.02
"""Between two batches, for those who wait to write."""


@dataclass(frozen=True, slots=True)
class Exchanges:
    """The stored exchanges of the records at hand, and where the columns that not all models share are found."""

    of: Callable[[Sequence[int]], QuerySet[Any]]
    """Given the keys of records: their rows of an `AuditedExchange` with a `state`."""
    provider: str = "provider"
    model: str = "model"
    ended: str | Combinable = "finished_at"
    """When the exchange ended, never null: it says on which day it counts."""


@dataclass(frozen=True, slots=True)
class Retained:
    """One kind of record that an app keeps for the retention period, and not longer."""

    system: str
    what: str
    """The records in words, in the plural."""
    expired: Callable[[datetime], QuerySet[Any]]
    """The finished records that ended before a moment."""
    delete: Callable[[Any], object]
    """Given a queryset of them, past what keeps history final."""
    exchanges: Exchanges | None = None
    """None where nothing of the records is counted."""
    unfinished: Callable[[datetime], QuerySet[Any]] | None = None
    """Records as old that stay, because somebody may still work on them."""
    batch: int = 500


@dataclass(frozen=True, slots=True)
class Purged:
    records: int
    exchanges: int


@dataclass(slots=True)
class _Sums:
    rows: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: Decimal = field(default_factory=Decimal)
    rows_of_unknown_tokens: int = 0
    rows_of_unknown_cost: int = 0

    def add(self, input_tokens: int | None, output_tokens: int | None, cost: Decimal | None, *, started: bool) -> None:
        """What was never started has used and cost nothing; what was, and did not say what, is unknown."""
        self.rows += 1
        self.input_tokens += input_tokens or 0
        self.output_tokens += output_tokens or 0
        self.cost += cost or 0
        self.rows_of_unknown_tokens += started and (input_tokens is None or output_tokens is None)
        self.rows_of_unknown_cost += started and cost is None


_Key = tuple[date, str, str, str, str]
"""Day, provider, model, state, failure."""

_registered: dict[tuple[str, str], Retained] = {}


def register(retained: Retained) -> None:
    _registered[retained.system, retained.what] = retained


def registered() -> Iterator[Retained]:
    yield from _registered.values()


def expired(retained: Retained, before: datetime) -> Purged:
    """What `purge` would delete now."""
    records = retained.expired(before)
    if retained.exchanges is None:
        return Purged(records.count(), 0)
    count = 0
    keys = list(records.values_list("pk", flat=True))
    for start in range(0, len(keys), retained.batch):
        count += retained.exchanges.of(keys[start : start + retained.batch]).count()
    return Purged(len(keys), count)


def unfinished(retained: Retained, before: datetime) -> int:
    return 0 if retained.unfinished is None else retained.unfinished(before).count()


def purge(retained: Retained, before: datetime) -> Purged:
    """Delete what ended before a moment, batch by batch, and add it to the daily aggregates."""
    records = exchanges = 0
    while (batch := _purge_batch(retained, before)).records:
        records += batch.records
        exchanges += batch.exchanges
        time.sleep(PAUSE_SECONDS)
    return Purged(records, exchanges)


def _purge_batch(retained: Retained, before: datetime) -> Purged:
    with transaction.atomic():
        # Locked, so that two purges at once never count the same record, and nobody refers anew to what is deleted.
        oldest = retained.expired(before).order_by("pk").select_for_update()
        keys = list(oldest.values_list("pk", flat=True)[: retained.batch])
        sums = {} if retained.exchanges is None else _summed(retained.exchanges, keys)
        for key in sorted(sums):
            _add(retained.system, key, sums[key])
        retained.delete(retained.expired(before).filter(pk__in=keys))
    return Purged(len(keys), sum(part.rows for part in sums.values()))


def _summed(exchanges: Exchanges, keys: Sequence[int]) -> dict[_Key, _Sums]:
    """Added up here and not by the database, since SQLite would add decimals as floats."""
    sums: defaultdict[_Key, _Sums] = defaultdict(_Sums)
    for row in _columns(exchanges, keys):
        day = timezone.localdate(row["ended"])
        key = (day, row["asked_provider"], row["asked_model"], row["state"], row["failure"])
        started = row["started_at"] is not None
        sums[key].add(row["input_tokens"], row["output_tokens"], row["cost"], started=started)
    return sums


def _columns(exchanges: Exchanges, keys: Sequence[int]) -> Iterable[dict[str, Any]]:
    ended = F(exchanges.ended) if isinstance(exchanges.ended, str) else exchanges.ended
    named = {"asked_provider": F(exchanges.provider), "asked_model": F(exchanges.model), "ended": ended}
    plain = ("state", "failure", "started_at", "input_tokens", "output_tokens", "cost")
    return exchanges.of(keys).select_for_update().values(*plain, **named)


def _add(system: str, key: _Key, sums: _Sums) -> None:
    """In the order of the keys, so that two purges at once wait for each other instead of locking each other out."""
    day, provider, model, state, failure = key
    aggregates = DailyAggregate.objects.select_for_update()
    aggregate, _ = aggregates.get_or_create(
        system=system, day=day, provider=provider, model=model, state=state, failure=failure
    )
    aggregate.rows += sums.rows
    aggregate.input_tokens += sums.input_tokens
    aggregate.output_tokens += sums.output_tokens
    aggregate.cost += sums.cost
    aggregate.rows_of_unknown_tokens += sums.rows_of_unknown_tokens
    aggregate.rows_of_unknown_cost += sums.rows_of_unknown_cost
    aggregate.save()
