"""Work that ended long ago, made through the doors that make it and then dated back."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.core.management import call_command
from django.db.models import QuerySet
from django.utils import timezone

from backoffice.audit.models import DailyAggregate
from backoffice.evidencedesk.models import Answer, AnswerState, Channel
from backoffice.llm.failures import FailureCode
from backoffice.llm.usage import Usage
from summarizer.models import Outcome, Run
from summarizer.rows import RowResult
from summarizer.runs import lease
from tests.summarizer.making import claimed_run, failed, rows_of, store
from weatherbot.models import Chat, ChatState

LONG_AGO = timedelta(days=400)
USAGE = Usage(1_000, 100, 0)
COST = Decimal("0.00021")
"""Of USAGE, by the list price."""


def result(text: str) -> RowResult:
    """`fails …`: a failure of that code; `unknown`: a summary of unknown usage; anything else: a summary."""
    if text.startswith("fails "):
        return failed(FailureCode(text.removeprefix("fails ")))
    return RowResult(summary="A summary.", failure=None, usage=Usage() if text == "unknown" else USAGE)


def finished_run(*texts: str, ago: timedelta = LONG_AGO) -> int:
    """A completed run whose rows ended as their texts say, so long ago."""
    claimed = claimed_run(*(texts or ("A note.",)))
    for row in rows_of(claimed.run_id):
        store(claimed, row, result(row.text))
    lease.end(claimed)
    date_back(claimed.run_id, ago)
    return claimed.run_id


def date_back(run_id: int, ago: timedelta = LONG_AGO) -> None:
    """Past the querysets that keep history final."""
    then = timezone.now() - ago
    QuerySet(Outcome).filter(run_id=run_id, finished_at__isnull=False).update(finished_at=then)
    QuerySet(Run).filter(pk=run_id, finished_at__isnull=False).update(finished_at=then)
    QuerySet(Run).filter(pk=run_id).update(created_at=then)


def old_chat(then: datetime, **columns: Any) -> Chat:
    usual = {"state": ChatState.ANSWERED, "answer": "Sunny.", "input_tokens": 1_000, "output_tokens": 100, "cost": COST}
    return Chat.objects.create(
        message="How is it?", rounds=1, provider="scripted", model="m", started_at=then, finished_at=then,
        **usual | columns,
    )  # fmt: skip


def old_answer(then: datetime) -> Answer:
    return Answer.objects.create(
        state=AnswerState.FAILED, failure="timeout", channel=Channel.ANSWER, question="May I?",
        provider="scripted", model="m", started_at=then, finished_at=then,
    )  # fmt: skip


def purge(*options: str) -> None:
    call_command("purge", *options)


def aggregates(*columns: str, **wanted: Any) -> list[tuple[Any, ...]]:
    return list(DailyAggregate.objects.filter(**wanted).order_by("day", "state", "failure").values_list(*columns))
