"""Running now: what an operator is told before, that it happens once, and what a page says while nobody begins."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from summarizer.models import Run, RunState
from summarizer.runs.queue import claim
from summarizer.runs.starting import request_start
from tests.admin.night import ended, queued, summary
from tests.admin.staff import make_person, said, signed_in, words
from tests.summarizer.making import let_lease_run_out, stored_run

Commit = Callable[..., Any]


def start_page(run: Run) -> str:
    return reverse("admin:summarizer_run_start", args=[run.pk])


def run_page(client: Client, run: Run) -> str:
    return words(client.get(reverse("admin:summarizer_run_change", args=[run.pk])))


@pytest.fixture
def press(django_capture_on_commit_callbacks: Commit) -> Callable[[Client, Run], Any]:
    def pressed(client: Client, run: Run) -> Any:
        with django_capture_on_commit_callbacks(execute=True):
            return client.post(start_page(run), {"confirmed": "1"})

    return pressed


def tasks() -> int:
    return DBTaskResult.objects.count()


def test_the_confirmation_says_rows_those_known_and_the_most_it_can_cost(desk: Client) -> None:
    ended(summary(), texts=("Seen before.",))
    page = words(desk.get(start_page(queued("Seen before.", "New."))))
    assert "Rows that will be summarised 2" in page
    assert "summarised before 1 row: same text, model and prompt" in page
    assert "The most it can cost at most 0.0" in page
    assert tasks() == 0


def test_a_row_known_under_another_model_is_not_known(desk: Client) -> None:
    ended(summary(), texts=("Seen before.",), model="other-model")
    assert "summarised before 0" in words(desk.get(start_page(queued("Seen before."))))


def test_an_unknown_price_is_said_to_be_unknown(desk: Client, settings: Settings) -> None:
    settings.LLM_PRICES = {}
    assert "unknown: nobody entered the price of this model" in words(desk.get(start_page(queued())))


def test_a_confirmed_start_hands_the_run_to_the_worker_and_stands_in_the_log(
    desk: Client, olga: User, press: Callable[..., Any]
) -> None:
    run = queued()
    response = press(desk, run)
    assert response.headers["Location"] == reverse("admin:summarizer_run_change", args=[run.pk])
    assert "1 run handed to the background worker." in said(desk, response)
    assert DBTaskResult.objects.get().args_kwargs["args"] == [run.pk]
    assert LogEntry.objects.get().change_message == "Started the run."
    assert LogEntry.objects.get().user == olga


def test_pressing_twice_and_by_two_operators_hands_it_over_once(desk: Client, press: Callable[..., Any]) -> None:
    run = queued()
    press(desk, run)
    again = press(desk, run)
    press(signed_in(make_person("otto", "operator")), run)
    assert tasks() == 1
    assert "1 run was left alone" in said(desk, again)


def test_a_start_that_nobody_took_up_for_a_minute_may_be_pressed_again(desk: Client, press: Callable[..., Any]) -> None:
    run = queued()
    press(desk, run)
    Run.objects.filter(pk=run.pk).update(start_requested_at=timezone.now() - timedelta(seconds=61))
    press(desk, run)
    assert tasks() == 2


def test_without_a_model_nothing_is_stored_and_the_operator_is_told_why(
    desk: Client, settings: Settings, press: Callable[..., Any]
) -> None:
    run = queued()
    settings.LLM_PROVIDER, settings.OPENAI_API_KEY = "openai", ""
    response = press(desk, run)
    assert "Nothing was stored. No model is configured: set OPENAI_API_KEY" in said(desk, response)
    assert (tasks(), stored_run(run.pk).start_requested_at) == (0, None)


def test_a_run_of_another_provider_is_left_out(desk: Client, press: Callable[..., Any]) -> None:
    run = queued(provider="openai")
    assert "queued for another provider" in said(desk, desk.get(start_page(run)))
    press(desk, run)
    assert tasks() == 0


def test_a_started_run_that_no_worker_takes_says_for_how_long_and_what_starts_one(desk: Client) -> None:
    run = queued()
    assert "no worker has taken it up" not in run_page(desk, run)
    Run.objects.filter(pk=run.pk).update(start_requested_at=timezone.now() - timedelta(seconds=125))
    assert "Started 2 min 5 s ago, and no worker has taken it up." in run_page(desk, run)
    assert "python manage.py db_worker" in run_page(desk, run)


def test_the_notice_goes_as_soon_as_a_worker_has_the_run(desk: Client) -> None:
    run = queued()
    request_start([run.pk])
    assert claim(run.pk, provider="scripted")
    assert stored_run(run.pk).start_requested_at is None
    assert "no worker" not in run_page(desk, run)


def test_a_run_whose_worker_died_is_stalled_and_can_be_taken_up_again(desk: Client, press: Callable[..., Any]) -> None:
    run = queued("One.", "Two.")
    assert claim(run.pk, provider="scripted")
    let_lease_run_out(run.pk)
    page = run_page(desk, run)
    assert "Stalled" in page
    assert "Take up again" in page
    press(desk, run)
    assert tasks() == 1


def test_the_lists_filter_finds_stalled_runs(desk: Client) -> None:
    stalled, held = queued("One."), queued("Two.")
    for run in (stalled, held):
        assert claim(run.pk, provider="scripted")
    let_lease_run_out(stalled.pk)
    listed = desk.get(reverse("admin:summarizer_run_changelist"), {"state": "stalled"}).context["cl"].result_list
    assert listed == [stalled]


def test_many_runs_start_at_once_and_those_that_cannot_are_named(
    desk: Client, django_capture_on_commit_callbacks: Commit
) -> None:
    waiting, done = [queued("One."), queued("Two.")], ended(summary())[0].run
    keys = [str(run.pk) for run in (*waiting, done)]
    action = {"action": "run_now", "_selected_action": keys}
    asked = desk.post(reverse("admin:summarizer_run_changelist"), action)
    assert "Runs that will start 2" in words(asked)
    assert "Runs that are left out 1" in words(asked)
    with django_capture_on_commit_callbacks(execute=True):
        response = desk.post(reverse("admin:summarizer_run_changelist"), action | {"confirmed": "1"})
    assert "2 runs handed to the background worker." in said(desk, response)
    assert tasks() == 2
    assert stored_run(done.pk).state == RunState.COMPLETED
