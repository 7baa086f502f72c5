"""After the retention period finished work goes whole; what is younger, or not finished, stays as it is."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError
from django.utils import timezone
from pytest_django import Settings

from backoffice.evidencedesk.models import Answer
from backoffice.llm.client import model_config
from summarizer.models import Decision, ImportDraft, Outcome, Review, Run, Trigger
from summarizer.runs import lease
from summarizer.runs.queue import Origin, cancel, requeue
from tests.audit.ageing import LONG_AGO, date_back, finished_run, old_answer, old_chat, purge
from tests.summarizer.making import claimed_run, queued_run, rows_of
from weatherbot.models import Chat

pytestmark = pytest.mark.django_db

YESTERDAY = timedelta(days=1)


def requeued(run_id: int) -> int:
    """The run of the next attempts of a run's failed rows."""
    [run] = requeue(rows_of(run_id), Origin(Trigger.REQUEUE), model_config()).runs
    return run.pk


def test_a_run_that_ended_before_the_period_goes_with_its_rows() -> None:
    finished_run("One.", "fails timeout")
    purge()
    assert (Run.objects.count(), Outcome.objects.count()) == (0, 0)


def test_a_younger_run_stays() -> None:
    run_id = finished_run(ago=YESTERDAY)
    purge()
    assert [run.pk for run in Run.objects.all()] == [run_id]


def test_what_people_decided_about_a_row_goes_with_it(operator: User) -> None:
    [row] = rows_of(finished_run())
    Review.objects.create(outcome=row, decision=Decision.ACCEPTED, reason="Looked at.", created_by=operator)
    purge()
    assert Review.objects.count() == 0


def interrupted_run() -> int:
    claimed = claimed_run("One.")
    lease.end(claimed)
    return claimed.run_id


@pytest.mark.parametrize(
    "make", [lambda: queued_run().pk, interrupted_run, lambda: claimed_run().run_id], ids=["queued", "left", "running"]
)
def test_a_run_that_is_not_finished_stays_however_old(
    make: Callable[[], int], capsys: pytest.CaptureFixture[str]
) -> None:
    date_back(run_id := make())
    purge()
    assert Run.objects.filter(pk=run_id).exists()
    assert "1 runs as old are not finished, and stay" in capsys.readouterr().out


def test_a_cancelled_run_goes() -> None:
    run = queued_run()
    cancel(run.pk)
    date_back(run.pk)
    purge()
    assert Run.objects.count() == 0


def test_a_next_attempt_that_stays_only_loses_sight_of_the_first() -> None:
    first = finished_run("fails timeout")
    following = requeued(first)
    purge()
    [row] = rows_of(following)
    assert (row.requeued_from, row.attempt, row.state, row.text) == (None, 2, "pending", "fails timeout")


def test_a_next_attempt_stays_for_as_long_as_the_first_so_that_no_row_is_queued_once_more() -> None:
    first = finished_run("fails timeout", ago=YESTERDAY)
    cancelled = requeued(first)
    cancel(cancelled)
    date_back(cancelled)
    purge()
    assert set(Run.objects.values_list("pk", flat=True)) == {first, cancelled}


def test_attempts_that_are_both_old_go_together() -> None:
    first = finished_run("fails timeout")
    cancel(following := requeued(first))
    date_back(following)
    purge()
    assert Run.objects.count() == 0


def test_old_imports_go_and_young_ones_stay(operator: User) -> None:
    for ago in (LONG_AGO, YESTERDAY):
        created = timezone.now() - ago
        ImportDraft.objects.create(created_by=operator, created_at=created, name="n.csv", note_format="csv", file=b"1")
    purge()
    assert [draft.created_at > timezone.now() - LONG_AGO for draft in ImportDraft.objects.all()] == [True]


@pytest.mark.parametrize("make", [old_chat, old_answer])
def test_chats_and_answers_go_after_the_same_period(make: Callable[[datetime], Chat | Answer]) -> None:
    make(timezone.now() - LONG_AGO)
    young = make(timezone.now() - YESTERDAY)
    purge()
    assert list(type(young).objects.all()) == [young]


def test_the_period_is_a_setting_and_an_option_overrides_it(settings: Settings) -> None:
    finished_run(ago=timedelta(days=20))
    purge("--days", "30")
    assert Run.objects.count() == 1
    settings.RETENTION_DAYS = 10
    purge()
    assert Run.objects.count() == 0


def test_a_dry_run_says_the_same_and_deletes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    finished_run("One.", "Two.")
    finished_run("Three.")
    old_chat(timezone.now() - LONG_AGO)
    purge("--dry-run")
    foretold = capsys.readouterr().out
    assert (Run.objects.count(), Chat.objects.count()) == (2, 1)
    assert "summarizer: 2 runs with 3 rows would be deleted." in foretold
    assert "weatherbot: 1 chats with 1 rows would be deleted." in foretold
    purge()
    assert capsys.readouterr().out.splitlines()[1:] == foretold.replace("would be deleted", "deleted").splitlines()[1:]


@pytest.mark.parametrize("wrong", ["0", "-1", "2.5", "soon"])
def test_a_period_that_is_none_is_refused(wrong: str) -> None:
    with pytest.raises(CommandError, match=r"whole number of days|expected one argument"):
        purge("--days", wrong)


def test_a_setting_that_would_leave_nothing_is_refused(settings: Settings) -> None:
    settings.RETENTION_DAYS = 0
    finished_run()
    with pytest.raises(CommandError, match="RETENTION_DAYS is 0"):
        purge()
    assert Run.objects.count() == 1
