"""What a night leaves behind: rows that ended well, failed, or carry a warning."""

from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.contrib.auth.models import User
from django.db.models.sql import UpdateQuery
from django.utils import timezone

from backoffice.llm.client import model_config
from backoffice.llm.failures import Failure, FailureCode
from backoffice.llm.usage import Usage
from summarizer.models import Outcome, Run, Trigger
from summarizer.rows import RowResult
from summarizer.runs import lease
from summarizer.runs.queue import Origin, create_runs
from tests.summarizer.making import MODEL, notes, taken

USAGE = Usage(1000, 100, 0)


def summary(text: str = "A summary.", *warnings: str, tool_runs: tuple[dict[str, Any], ...] = ()) -> RowResult:
    exchange = ({"messages": [], "answer": {"text": text}, "tool_runs": list(tool_runs)},)
    return RowResult(summary=text, failure=None, warnings=warnings, usage=USAGE, duration=0.5, exchange=exchange)


def free() -> RowResult:
    """A row that is known to have cost nothing."""
    return replace(summary(), usage=Usage(0, 0, 0))


def tool_run(raw: str, amount: str, currency: str | None = "EUR") -> dict[str, Any]:
    result = {"amount": amount, "currency": currency, "amount_minor": 1, "exponent": 2, "flags": []}
    return {"id": "1", "name": "normalize_amount", "arguments": f'{{"raw": "{raw}"}}', "result": result, "ran": True}


def failure(code: FailureCode = FailureCode.TIMEOUT) -> RowResult:
    return RowResult(summary=None, failure=Failure(code, "The provider was silent for too long."))


def queued(*texts: str, user: User | None = None, **config: Any) -> Run:
    origin = Origin(Trigger.ADMIN if user else Trigger.COMMAND, user, "night.csv")
    [run] = create_runs(notes(*(texts or ("A note.",))), origin, replace(model_config(), **config))
    return run


def ended(*results: RowResult, user: User | None = None, texts: tuple[str, ...] = (), **config: Any) -> list[Outcome]:
    """The rows of a completed run, in their order."""
    run = queued(*(texts or tuple(f"Note {number}" for number in range(len(results)))), user=user, **config)
    claim = taken(run.pk)
    for row, result in zip(run.outcomes.order_by("position"), results, strict=True):
        lease.store(claim, row.pk, result, MODEL, timezone.now())
    lease.end(claim)
    return list(run.outcomes.order_by("position"))


def moved(rows: list[Outcome], age: timedelta) -> list[Outcome]:
    """The same rows as if they had ended, and their runs been queued, that much earlier."""
    moment = timezone.now() - age
    _rewrite(Outcome, [row.pk for row in rows], finished_at=moment, started_at=moment)
    _rewrite(Run, [row.run_id for row in rows], created_at=moment, finished_at=moment)
    return list(Outcome.objects.filter(pk__in=[row.pk for row in rows]).order_by("pk"))


def _rewrite(model: Any, keys: list[int], **values: datetime) -> None:
    """Past the models, which let nobody rewrite history."""
    query = model._base_manager.filter(pk__in=keys).query.chain(klass=UpdateQuery)
    query.add_update_values(values)
    query.get_compiler("default").execute_sql(None)


ONE_ROW_COST = Decimal("0.00021000")
"""1000 tokens in at 0.15 and 100 out at 0.60 USD a million."""
