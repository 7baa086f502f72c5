"""What is finished is final: no door of the models changes it or takes it away, and the database holds the rest."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from backoffice.audit.models import HistoryIsFinal
from backoffice.llm.client import model_config
from summarizer.models import Outcome, Run, RunState, Trigger
from summarizer.runs import lease
from summarizer.runs.queue import Origin, create_runs, requeue
from tests.summarizer.making import (
    BY_COMMAND,
    claimed_run,
    failed,
    failed_rows,
    notes,
    queued_run,
    rows_of,
    store,
    stored_run,
    summarised,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished() -> Run:
    """A completed run with a summarised and a failed row."""
    claimed = claimed_run("One.", "Two.")
    first, second = rows_of(claimed.run_id)
    store(claimed, first, summarised())
    store(claimed, second, failed())
    lease.end(claimed)
    return stored_run(claimed.run_id)


def everything() -> list[object]:
    return [*Run.objects.order_by("pk").values(), *Outcome.objects.order_by("pk").values()]


def edited_outcome(run: Run) -> Outcome:
    row = rows_of(run.pk)[0]
    row.summary = "Edited."
    return row


def edited_run(run: Run) -> Run:
    run.state = RunState.QUEUED
    return run


OVERWRITING: dict[str, Any] = {"update_conflicts": True, "unique_fields": ["id"]}


@pytest.mark.parametrize(
    "act",
    [
        lambda run: edited_outcome(run).save(),
        lambda run: edited_outcome(run).save(update_fields=["summary"]),
        lambda run: edited_run(run).save(),
        lambda run: rows_of(run.pk)[0].delete(),
        lambda run: run.delete(),
        lambda run: Outcome.objects.all().delete(),
        lambda run: run.outcomes.all().delete(),
        lambda run: Run.objects.filter(pk=run.pk).delete(),
        lambda run: Outcome.objects.update_or_create(pk=rows_of(run.pk)[0].pk, defaults={"summary": "Edited."}),
        lambda run: Outcome.objects.bulk_create([edited_outcome(run)], **OVERWRITING, update_fields=["summary"]),
        lambda run: Run.objects.bulk_create([edited_run(run)], **OVERWRITING, update_fields=["state"]),
    ],
    ids=[
        "save",
        "save a field",
        "save a run",
        "delete",
        "delete a run",
        "delete many",
        "by relation",
        "runs",
        "upsert",
        "bulk upsert",
        "bulk upsert of runs",
    ],
)
def test_history_is_neither_saved_over_nor_deleted(finished: Run, act: Callable[[Run], object]) -> None:
    before = everything()
    with pytest.raises(HistoryIsFinal):
        act(finished)
    assert everything() == before


@pytest.mark.parametrize(
    "act",
    [
        lambda run: Outcome.objects.filter(run=run).update(summary="Edited."),
        lambda run: run.outcomes.update(text="Edited."),
        lambda run: Outcome.objects.bulk_update([edited_outcome(run)], ["summary"]),
        lambda run: Run.objects.filter(pk=run.pk).update(state=RunState.QUEUED),
        lambda run: Run.objects.bulk_update([edited_run(run)], ["state"]),
    ],
    ids=["update", "update by relation", "bulk update", "update a run", "bulk update runs"],
)
def test_updates_pass_over_what_is_finished(finished: Run, act: Callable[[Run], int]) -> None:
    before = everything()
    assert act(finished) == 0
    assert everything() == before


def test_a_finished_run_is_not_overwritten_by_a_new_one_with_its_number(finished: Run) -> None:
    before = everything()
    with pytest.raises(IntegrityError), transaction.atomic():
        Run(pk=finished.pk, trigger=Trigger.COMMAND, provider="scripted", model="m", prompt="p").save()
    assert everything() == before


def test_a_finished_row_is_not_overwritten_by_a_new_one_with_its_number(finished: Run) -> None:
    row = rows_of(finished.pk)[0]
    before = everything()
    with pytest.raises(IntegrityError), transaction.atomic():
        Outcome(pk=row.pk, run=finished, position=9, row_id=9, text="Edited.").save()
    assert everything() == before


def test_someone_whose_runs_are_kept_cannot_be_deleted() -> None:
    user = User.objects.create_user("olga")
    create_runs(notes("A note."), Origin(Trigger.API, user), model_config())
    with pytest.raises(ProtectedError):
        user.delete()


def test_retention_takes_a_run_with_its_rows(finished: Run) -> None:
    kept = queued_run("Kept.")
    Run.objects.filter(pk=finished.pk).purge()
    assert list(Run.objects.all()) == [kept]
    assert [row.text for row in Outcome.objects.all()] == ["Kept."]


def test_retention_of_a_failed_row_leaves_its_next_attempt() -> None:
    [row] = failed_rows("A note.")
    [run] = requeue([row], BY_COMMAND, model_config()).runs
    Outcome.objects.filter(pk=row.pk).purge()
    [following] = rows_of(run.pk)
    assert (following.requeued_from, following.attempt) == (None, 2)


def broken(statement: str, *values: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


@pytest.mark.parametrize(
    ("statement", "values"),
    [
        ("UPDATE summarizer_run SET state = %s", ["finished"]),
        ("UPDATE summarizer_run SET state = %s, lease_until = NULL", ["running"]),
        ("UPDATE summarizer_run SET state = %s, owner = ''", ["running"]),
        ("UPDATE summarizer_outcome SET state = %s", ["done"]),
        ("UPDATE summarizer_outcome SET state = %s, summary = NULL", ["summarised"]),
        ("UPDATE summarizer_outcome SET state = %s, summary = 'x', failure = 'timeout'", ["summarised"]),
        ("UPDATE summarizer_outcome SET state = %s, summary = 'x', failure = 'timeout'", ["failed"]),
        ("UPDATE summarizer_outcome SET state = %s, summary = NULL, failure = ''", ["failed"]),
        ("UPDATE summarizer_outcome SET position = 0 WHERE state = %s", ["pending"]),
        ("UPDATE summarizer_outcome SET row_id = 1 WHERE state = %s", ["pending"]),
        ("UPDATE summarizer_run SET idempotency_key = %s", ["once"]),
    ],
    ids=[
        "unknown state of a run",
        "running without a lease",
        "running without an owner",
        "unknown state of a row",
        "summarised without a summary",
        "summarised with a failure",
        "failed with a summary",
        "failed without a failure",
        "one position twice",
        "one row id twice",
        "one idempotency key twice",
    ],
)
def test_the_database_refuses_what_makes_no_sense(statement: str, values: list[str]) -> None:
    origin = Origin(Trigger.API, User.objects.create_user("olga"))
    queued_run("One.", "Two.", origin=origin)
    queued_run("Three.", origin=origin)
    with pytest.raises(IntegrityError), transaction.atomic():
        broken(statement, *values)


def test_the_same_idempotency_key_of_two_people_is_two_keys() -> None:
    for name in ("olga", "otto"):
        queued_run(origin=Origin(Trigger.API, User.objects.create_user(name)))
    assert Run.objects.update(idempotency_key="once") == 2


def test_a_row_is_named_by_its_run_and_its_id() -> None:
    [row] = rows_of(queued_run().pk)
    assert (str(row), str(row.run)) == (f"Row 1 of run {row.run_id}", f"Run {row.run_id}")
    assert timezone.now() >= row.run.created_at
