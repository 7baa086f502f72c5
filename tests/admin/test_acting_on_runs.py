"""What pressing a button of the runs' list leaves behind: tasks for the worker, next attempts, and never an edit."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from django_tasks_db.models import DBTaskResult
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from summarizer.models import Outcome, Run, Trigger
from tests.admin.staff import make_person, said, signed_in
from tests.summarizer.making import claimed_run, failed_rows, queued_run

pytestmark = pytest.mark.django_db

Press = Callable[..., Any]


@pytest.fixture
def press(desk: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> Press:
    """`press(action, *runs)`: an operator ticks runs of the list, chooses an action and confirms it."""

    def pressed(action: str, *runs: int) -> Any:
        chosen = {"action": action, "_selected_action": list(map(str, runs)), "confirmed": "1"}
        with django_capture_on_commit_callbacks(execute=True):
            return desk.post(reverse("admin:summarizer_run_changelist"), chosen)

    return pressed


def handed_over() -> list[Any]:
    """The run of each task that the worker will take up."""
    return [task.args_kwargs["args"] for task in DBTaskResult.objects.order_by("enqueued_at")]


def test_each_queued_run_is_handed_to_the_worker_as_a_task_of_its_own(press: Press) -> None:
    runs = [queued_run("One.").pk, queued_run("Two.").pk]
    press("run_now", *runs)
    assert sorted(handed_over()) == [[run] for run in runs]


def test_pressing_twice_hands_a_run_over_once(press: Press) -> None:
    run = queued_run().pk
    press("run_now", run)
    press("run_now", run)
    assert handed_over() == [[run]]


def test_a_run_that_is_worked_on_or_has_ended_is_left_alone_and_the_operator_is_told(
    press: Press, desk: Client
) -> None:
    answer = press("run_now", claimed_run().run_id, failed_rows("One.")[0].run_id)
    assert handed_over() == []
    assert "2 runs were left alone" in said(desk, answer)


def test_a_run_that_was_queued_for_another_provider_is_left_alone(press: Press, settings: Settings) -> None:
    run = queued_run().pk
    settings.LLM_PROVIDER, settings.OPENAI_API_KEY = "openai", "k"
    press("run_now", run)
    assert handed_over() == []


def test_failed_rows_are_queued_again_once_however_often_one_presses(press: Press) -> None:
    row = failed_rows("One.", "Two.")[0]
    press("requeue_failed_rows", row.run_id)
    press("requeue_failed_rows", row.run_id)
    [run] = Run.objects.filter(trigger=Trigger.REQUEUE)
    assert run.created_by is not None
    assert (run.created_by.username, run.outcomes.count()) == ("olga", 2)
    assert Outcome.objects.filter(requeued_from=row).count() == 1


@pytest.mark.parametrize("action", ["run_now", "requeue_failed_rows"])
def test_without_a_model_the_operator_is_told_which_variable_to_set_and_nothing_is_stored(
    press: Press, desk: Client, settings: Settings, action: str
) -> None:
    queued, failed = queued_run().pk, failed_rows("Failed.")[0].run_id
    settings.LLM_PROVIDER, settings.OPENAI_API_KEY = "openai", ""
    before = Run.objects.count()
    assert "OPENAI_API_KEY" in said(desk, press(action, queued, failed))
    assert (Run.objects.count(), handed_over()) == (before, [])


@pytest.mark.parametrize("role", ["operator", "superuser"])
@pytest.mark.parametrize("model", ["run", "outcome"])
def test_a_form_that_edits_or_deletes_history_changes_nothing(role: str, model: str) -> None:
    row = failed_rows("One.")[0]
    number = row.run_id if model == "run" else row.pk
    before = [*Run.objects.values(), *Outcome.objects.values()]
    editor = signed_in(make_person("eve", role))
    edited = {"state": "completed", "summary": "Edited.", "text": "Edited.", "post": "yes"}
    editor.post(reverse(f"admin:summarizer_{model}_change", args=(number,)), edited)
    editor.post(reverse(f"admin:summarizer_{model}_delete", args=(number,)), edited)
    picked = {"action": "delete_selected", "_selected_action": str(number), "post": "yes"}
    editor.post(reverse(f"admin:summarizer_{model}_changelist"), picked)
    assert [*Run.objects.values(), *Outcome.objects.values()] == before


def test_no_action_is_asynchronous_for_admin_would_never_await_it() -> None:
    desks = [desk for model, desk in admin.site._registry.items() if model._meta.app_label == "summarizer"]
    actions = {
        action: getattr(desk, action) for desk in desks for action in desk.actions or () if isinstance(action, str)
    }
    assert {"run_now", "requeue_failed_rows"} <= set(actions)
    assert not [name for name, action in actions.items() if inspect.iscoroutinefunction(action)]
