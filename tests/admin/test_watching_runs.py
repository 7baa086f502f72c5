"""A run's page while it goes on: what it shows, that it refreshes until the end, and how a run is cancelled."""

from datetime import timedelta

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
from tests.summarizer.making import MODEL, let_lease_run_out, rows_of, states_of, stored_run, taken


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
    assert 'class="desk-progress desk-wide" max="3" value="1"' in page
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
    assert "Cost 0.000210 USD" in page


def test_unknown_tokens_are_unknown_and_a_sum_that_lacks_some_says_so(desk: Client) -> None:
    [row, _other] = ended(failure(), failure())
    page = words(desk.get(reverse("admin:summarizer_run_change", args=[row.run_id])))
    assert "Tokens in unknown Tokens out unknown Cost unknown" in page
    [_known, unknown] = ended(summary(), failure())
    page = words(desk.get(reverse("admin:summarizer_run_change", args=[unknown.run_id])))
    assert "Tokens in at least 1,000 (1 row of unknown use) Tokens out at least 100 (1 row of unknown use)" in page
    assert "Tokens in unknown Tokens out unknown" in words(
        desk.get(reverse("admin:summarizer_outcome_change", args=[unknown.pk]))
    )


def test_a_run_nobody_has_begun_has_no_tokens_yet(desk: Client) -> None:
    page = words(desk.get(reverse("admin:summarizer_run_change", args=[queued().pk])))
    assert "Tokens in – Tokens out – Cost –" in page


def test_rows_withdrawn_with_their_run_are_not_shown_as_done(desk: Client, going_on: Run) -> None:
    cancel(going_on.pk)
    let_lease_run_out(going_on.pk)
    cancel(going_on.pk)
    page = live(desk, going_on)
    assert 'max="1" value="1"' in page
    assert "1 / 1" in page
    assert "2 withdrawn" in page
    listed = words(desk.get(reverse("admin:summarizer_run_changelist")))
    assert "1 / 1 2 withdrawn" in listed


def test_after_it_was_started_a_run_says_one_thing_and_offers_no_second_press(desk: Client) -> None:
    run = queued("One.", "Two.")
    taken(run.pk)
    let_lease_run_out(run.pk)
    assert "The worker of this run is gone." in live(desk, run)
    Run.objects.filter(pk=run.pk).update(start_requested_at=timezone.now())
    page = live(desk, run)
    assert "handed to the background worker" in page
    assert "The worker of this run is gone." not in page
    assert "Take up again" not in page
    Run.objects.filter(pk=run.pk).update(start_requested_at=timezone.now() - timedelta(seconds=61))
    page = live(desk, run)
    assert "no worker has taken it up" in page
    assert "The worker of this run is gone." not in page
    assert "Take up again" in page


def test_the_list_tells_a_started_run_from_one_that_waits(desk: Client) -> None:
    waiting, started = queued("One."), queued("Two.")
    Run.objects.filter(pk=started.pk).update(start_requested_at=timezone.now())
    page = words(desk.get(reverse("admin:summarizer_run_changelist")))
    assert page.index("Starting") < page.index("Queued 0 / 1")
    assert waiting.pk < started.pk


def test_the_list_asks_for_itself_again_while_a_run_goes_on(desk: Client, going_on: Run) -> None:
    address, part = (reverse(f"admin:summarizer_run_{name}") for name in ("changelist", "list_live"))
    for page in (address, part):
        response = desk.get(page, {"state": "running"})
        assert f'data-live="{part}?state=running"' in response.content.decode()
        assert "1 / 3" in words(response)
    let_lease_run_out(going_on.pk)
    queued("Waits.")
    for page in (address, part):
        assert "data-live" not in desk.get(page).content.decode()


def test_a_started_run_waits_its_turn_while_another_is_worked_on(desk: Client, going_on: Run) -> None:
    run = queued("Next.")
    Run.objects.filter(pk=run.pk).update(start_requested_at=timezone.now() - timedelta(seconds=61))
    page = live(desk, run)
    assert f"It waits its turn: run {going_on.pk} is being worked on." in page
    assert "no worker has taken it up" not in page
    let_lease_run_out(going_on.pk)
    assert "no worker has taken it up" in live(desk, run)


def test_a_stalled_run_that_was_taken_up_again_is_starting_and_the_log_says_what_was_done(
    desk: Client, going_on: Run
) -> None:
    let_lease_run_out(going_on.pk)
    assert "Stalled" in live(desk, going_on)
    desk.post(reverse("admin:summarizer_run_start", args=[going_on.pk]), {"confirmed": "1"})
    page = live(desk, going_on)
    assert "Starting" in page
    assert "Stalled" not in page
    history = words(desk.get(reverse("admin:summarizer_run_history", args=[going_on.pk])))
    assert "Took the stalled run up again." in history


def test_a_run_nobody_has_begun_costs_nothing_yet_in_the_list_either(desk: Client) -> None:
    queued("One.")
    assert "0.00 USD" not in words(desk.get(reverse("admin:summarizer_run_changelist")))


def test_the_instructions_given_to_the_model_stand_on_the_pages_of_run_and_row(desk: Client) -> None:
    [row] = ended(summary())
    for name, key in (("run", row.run_id), ("outcome", row.pk)):
        page = words(desk.get(reverse(f"admin:summarizer_{name}_change", args=[key])))
        assert "Instructions given to the model" in page
        assert " ".join(row.run.prompt.split()) in page


@pytest.mark.parametrize(("provider", "marked"), [("scripted", True), ("openai", False)])
def test_a_run_of_the_scripted_model_is_marked(desk: Client, provider: str, marked: bool) -> None:
    run = queued(provider=provider)
    mark = ">scripted</span>"
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


def test_a_run_whose_worker_died_before_it_could_cancel_it_is_cancelled_for_who_watches_it(
    desk: Client, going_on: Run
) -> None:
    cancel(going_on.pk)
    let_lease_run_out(going_on.pk)
    page = live(desk, going_on)
    assert "data-live" not in page
    assert "Cancelled" in page
    assert states_of(going_on.pk) == ["summarised", "withdrawn", "withdrawn"]
