"""What is purged is added to daily sums in the same transaction: nothing is lost, and nothing is counted twice."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from django.db import IntegrityError, connection
from django.db.models import Sum
from django.utils import timezone

from backoffice.audit import retention
from backoffice.audit.models import DailyAggregate
from backoffice.llm.client import model_config
from summarizer.models import Outcome, Run, Trigger
from summarizer.runs.queue import Origin, cancel, requeue
from tests.audit.ageing import COST, LONG_AGO, aggregates, date_back, finished_run, old_answer, old_chat, purge
from tests.summarizer.making import MODEL, queued_run
from tests.summarizer.runs.racing import at_once

pytestmark = pytest.mark.django_db


def counted_rows() -> int:
    return DailyAggregate.objects.aggregate(all=Sum("rows"))["all"] or 0


def test_rows_are_counted_by_state_and_failure_with_their_tokens_and_cost() -> None:
    finished_run("One.", "Two.", "unknown", "fails timeout", "fails timeout", "fails rejected")
    purge()
    assert aggregates("state", "failure", "rows", "input_tokens", "output_tokens", "cost", "rows_of_unknown_cost") == [
        ("failed", "rejected", 1, 0, 0, Decimal(0), 1),
        ("failed", "timeout", 2, 0, 0, Decimal(0), 2),
        ("summarised", "", 3, 2_000, 200, 2 * COST, 1),
    ]


def test_they_are_counted_by_system_provider_model_and_the_day_they_ended_on() -> None:
    finished_run()
    purge()
    day = timezone.localdate(timezone.now() - LONG_AGO)
    assert aggregates("system", "provider", "model", "day") == [("summarizer", "scripted", MODEL, day)]


def test_a_row_that_was_never_started_has_used_nothing_and_that_is_known() -> None:
    cancel((run := queued_run()).pk)
    date_back(run.pk)
    purge()
    assert aggregates("state", "rows", "cost", "rows_of_unknown_tokens", "rows_of_unknown_cost") == [
        ("withdrawn", 1, Decimal(0), 0, 0)
    ]


def test_the_systems_are_counted_apart() -> None:
    then = timezone.now() - LONG_AGO
    old_chat(then)
    old_chat(then, state="failed", answer=None, failure="timeout", input_tokens=None, cost=None)
    old_chat(then, state="left", answer=None)
    old_answer(then)
    purge()
    assert aggregates("state", "failure", "rows", "rows_of_unknown_tokens", system="weatherbot") == [
        ("answered", "", 1, 0),
        ("failed", "timeout", 1, 1),
        ("left", "", 1, 0),
    ]
    [answer] = DailyAggregate.objects.filter(system="evidencedesk")
    assert str(answer) == f"evidencedesk, {timezone.localdate(then)}: 1 timeout"


@pytest.mark.parametrize(("zone", "day"), [("UTC", 1), ("Pacific/Auckland", 2)])
def test_a_day_is_one_of_the_time_zone_in_force(zone: str, day: int) -> None:
    old_chat(datetime(2020, 5, 1, 23, tzinfo=UTC))
    with timezone.override(zone):
        purge()
    assert aggregates("day") == [(date(2020, 5, day),)]


def test_a_second_purge_counts_nothing_twice() -> None:
    finished_run("One.", "Two.")
    purge()
    purge()
    assert counted_rows() == 2


def test_what_is_purged_later_is_added_to_the_same_day() -> None:
    finished_run("One.")
    purge()
    finished_run("Two.", "Three.")
    purge()
    assert aggregates("rows", "cost") == [(3, 3 * COST)]


def test_the_sums_are_exact_over_many_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "PAUSE_SECONDS", 0)
    for _ in range(45):
        finished_run("One.", "Two.")
    purge()
    assert aggregates("rows", "cost") == [(90, 90 * COST)]


@contextmanager
def run_that_cannot_be_deleted(run_id: int) -> Iterator[None]:
    refusing = {
        "sqlite": f"CREATE TRIGGER refuse BEFORE DELETE ON summarizer_run WHEN OLD.id = {run_id} "
        "BEGIN SELECT RAISE(ABORT, 'refused'); END;",
        "postgresql": "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '23514'; END $$;"
        f"CREATE TRIGGER refuse BEFORE DELETE ON summarizer_run FOR EACH ROW WHEN (OLD.id = {run_id}) "
        "EXECUTE FUNCTION refuse()",
    }
    with connection.cursor() as cursor:
        cursor.execute(refusing[connection.vendor])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TRIGGER refuse" + (" ON summarizer_run" * (connection.vendor == "postgresql")))


@pytest.mark.django_db(transaction=True)
def test_a_purge_that_breaks_off_has_counted_what_it_deleted_and_nothing_else() -> None:
    runs = [finished_run("One.", "Two.") for _ in range(30)]
    with run_that_cannot_be_deleted(runs[25]), pytest.raises(IntegrityError):
        purge()
    assert (Run.objects.count(), counted_rows()) == (10, 40)
    purge()
    assert (Run.objects.count(), counted_rows()) == (0, 60)


@pytest.mark.django_db(transaction=True)
def test_two_purges_at_once_count_every_row_once() -> None:
    for _ in range(50):
        finished_run("One.", "Two.", "fails timeout")
    at_once(2, purge)
    assert (Run.objects.count(), counted_rows()) == (0, 150)


@pytest.mark.django_db(transaction=True)
def test_rows_may_be_queued_again_while_their_first_attempts_are_purged() -> None:
    for _ in range(30):
        finished_run("fails timeout")
    rows = list(Outcome.objects.order_by("-pk"))
    doing = iter([purge, lambda: requeue(rows, Origin(Trigger.REQUEUE), model_config())])

    def next_one() -> None:
        next(doing)()

    at_once(2, next_one)
    assert counted_rows() == 30
    assert Outcome.objects.filter(attempt=1).count() == 0
