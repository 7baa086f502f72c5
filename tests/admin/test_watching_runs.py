"""A run's page while it goes on: what it shows, that it refreshes until the end, and how a run is cancelled."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from backoffice.llm.failures import FailureCode
from summarizer.models import Outcome, Run, RunState
from summarizer.runs import lease
from summarizer.runs.queue import Claim, cancel
from tests.admin.night import ended, failure, queued, summary
from tests.admin.staff import said, words
from tests.summarizer.making import MODEL, rows_of, states_of, stored_run, taken


def live(client: Client, run: Run) -> str:
    return client.get(reverse("admin:summarizer_run_live", args=[run.pk])).content.decode()


def end_first_row(claim: Claim) -> None:
    row = Outcome.objects.pending().filter(run_id=claim.run_id).order_by("position")[0]
    lease.store(claim, row.pk, summary("It is paid."), MODEL, timezone.now())


@pytest.fixture
def going_on(db: None) -> Run:
    """A run of three rows, of which the first has ended."""
    run = queued("One.", "Two.", "Three.")
    end_first_row(taken(run.pk))
    return stored_run(run.pk)


def test_it_shows_progress_and_rows_as_they_end(desk: Client, going_on: Run) -> None:
    page = live(desk, going_on)
    assert '<progress class="desk-progress desk-wide" max="3" value="1"' in page
    assert "1 / 3" in page
    assert "It is paid." in page


def test_it_asks_for_itself_again_until_the_run_has_ended(desk: Client, going_on: Run) -> None:
    address = f'data-live="{reverse("admin:summarizer_run_live", args=[going_on.pk])}"'
    assert address in live(desk, going_on)
    assert address in desk.get(reverse("admin:summarizer_run_change", args=[going_on.pk])).content.decode()
    cancel(going_on.pk)
    Run.objects.filter(pk=going_on.pk).update(state=RunState.CANCELLED)
    assert "data-live" not in live(desk, going_on)


def test_a_failure_comes_with_its_code_and_what_to_do(desk: Client) -> None:
    [row] = ended(failure(FailureCode.RATE_LIMITED))
    page = words(desk.get(reverse("admin:summarizer_run_change", args=[row.run_id])))
    assert "The provider limits our requests at the moment. Queue the row again and run it at another hour." in page
    assert "rate_limited" in page


def test_it_shows_tokens_cost_and_who(desk: Client) -> None:
    [row] = ended(summary())
    page = words(desk.get(reverse("admin:summarizer_run_change", args=[row.run_id])))
    assert "Who Nightly job" in page
    assert "Tokens in 1,000" in page
    assert "Cost 0.0002 USD" in page


@pytest.mark.parametrize(("provider", "marked"), [("scripted", True), ("openai", False)])
def test_a_run_of_the_scripted_model_is_marked(desk: Client, provider: str, marked: bool) -> None:
    run = queued(provider=provider)
    mark = '<span class="desk-mark">scripted</span>'
    for address in (
        reverse("admin:summarizer_run_change", args=[run.pk]),
        reverse("admin:summarizer_run_changelist"),
        reverse("admin:summarizer_outcome_changelist"),
        reverse("admin:summarizer_outcome_change", args=[rows_of(run.pk)[0].pk]),
    ):
        assert (mark in desk.get(address).content.decode()) is marked


def test_a_queued_run_is_cancelled_at_once_after_a_question(desk: Client) -> None:
    run = queued("One.", "Two.")
    address = reverse("admin:summarizer_run_cancel", args=[run.pk])
    assert "Rows that will be withdrawn 2" in words(desk.get(address))
    assert stored_run(run.pk).state == RunState.QUEUED
    assert f"Run {run.pk} is cancelled." in said(desk, desk.post(address, {"confirmed": "1"}))
    assert states_of(run.pk) == ["withdrawn", "withdrawn"]


def test_a_run_that_is_worked_on_ends_after_its_current_row(desk: Client, going_on: Run) -> None:
    address = reverse("admin:summarizer_run_cancel", args=[going_on.pk])
    assert "ends after its current row" in said(desk, desk.post(address, {"confirmed": "1"}))
    assert stored_run(going_on.pk).state == RunState.RUNNING
    assert "Ending" in live(desk, going_on)
    again = desk.post(address, {"confirmed": "1"})
    assert "had ended, or was being cancelled already" in said(desk, again)


def test_a_run_that_has_ended_offers_no_cancel_and_no_start(desk: Client) -> None:
    [row] = ended(summary())
    page = words(desk.get(reverse("admin:summarizer_run_change", args=[row.run_id])))
    assert "Cancel the run" not in page
    assert "Run now" not in page
