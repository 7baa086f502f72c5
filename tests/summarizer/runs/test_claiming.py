"""A run is worked on by at most one owner at a time, and only where there is work."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.db import OperationalError
from django.utils import timezone

from backoffice.database import in_database
from summarizer.models import Run, RunState
from summarizer.prompts import PROMPT_VERSION, SYSTEM_PROMPT
from summarizer.runs import lease
from summarizer.runs.queue import cancel, claim, claim_next, new_owner
from tests.summarizer.making import (
    claimed_run,
    let_lease_run_out,
    queued_run,
    rows_of,
    store,
    stored_run,
    summarised,
    take,
    taken,
)
from tests.summarizer.runs.racing import at_once
from tests.summarizer.runs.trouble import trouble

pytestmark = pytest.mark.django_db


def test_a_queued_run_can_be_claimed() -> None:
    run = queued_run()
    before = timezone.now()
    claimed = taken(run.pk)
    stored = stored_run(run.pk)
    assert (stored.state, stored.owner) == (RunState.RUNNING, claimed.owner)
    assert stored.started_at is not None
    assert stored.lease_until is not None
    assert timedelta(0) <= stored.lease_until - before - timedelta(seconds=settings.RUN_LEASE_SECONDS) < timedelta(0, 5)


def test_an_interrupted_run_can_be_claimed_and_keeps_when_it_was_started() -> None:
    first = claimed_run("One.", "Two.")
    started = stored_run(first.run_id).started_at
    assert lease.end(first) is RunState.INTERRUPTED
    again = taken(first.run_id)
    assert again.owner != first.owner
    assert stored_run(first.run_id).started_at == started


def test_a_run_that_is_worked_on_cannot_be_claimed() -> None:
    claimed = claimed_run()
    assert take(claimed.run_id) is None
    assert stored_run(claimed.run_id).owner == claimed.owner


def test_a_run_whose_lease_ran_out_can_be_claimed() -> None:
    dead = claimed_run()
    let_lease_run_out(dead.run_id)
    taker = taken(dead.run_id)
    assert stored_run(dead.run_id).owner == taker.owner != dead.owner


def test_a_finished_run_cannot_be_claimed() -> None:
    claimed = claimed_run("One.")
    store(claimed, rows_of(claimed.run_id)[0], summarised())
    assert lease.end(claimed) is RunState.COMPLETED
    assert take(claimed.run_id) is None


def test_a_cancelled_run_cannot_be_claimed() -> None:
    run = queued_run()
    cancel(run.pk)
    assert take(run.pk) is None


def test_a_run_whose_cancellation_was_asked_for_cannot_be_claimed_when_its_worker_dies() -> None:
    claimed = claimed_run()
    cancel(claimed.run_id)
    let_lease_run_out(claimed.run_id)
    assert take(claimed.run_id) is None


def test_a_run_that_is_not_there_cannot_be_claimed() -> None:
    assert claim(10**9, provider="scripted") is None


def test_the_oldest_run_comes_first() -> None:
    first, second = queued_run("One."), queued_run("Two.")
    claims = [claim_next("scripted") for _ in range(3)]
    assert [claimed and claimed.run_id for claimed in claims] == [first.pk, second.pk, None]


def test_an_abandoned_run_takes_its_turn_by_age() -> None:
    dead = claimed_run("Abandoned.")
    queued_run("Queued later.")
    let_lease_run_out(dead.run_id)
    claimed = claim_next("scripted")
    assert claimed is not None
    assert claimed.run_id == dead.run_id


def test_runs_for_another_provider_are_left_alone() -> None:
    run = queued_run()
    assert claim_next("openai") is None
    assert claim(run.pk, provider="openai") is None
    assert stored_run(run.pk).state == RunState.QUEUED


def test_runs_that_a_job_has_given_up_are_skipped() -> None:
    first, second = queued_run("One."), queued_run("Two.")
    claimed = claim_next("scripted", skip=[first.pk])
    assert claimed is not None
    assert claimed.run_id == second.pk


def test_the_cancellation_of_a_run_whose_worker_died_is_settled_by_the_next_to_claim() -> None:
    claimed = claimed_run("One.", "Two.")
    store(claimed, rows_of(claimed.run_id)[0], summarised())
    cancel(claimed.run_id)
    let_lease_run_out(claimed.run_id)
    assert claim_next("scripted") is None
    assert stored_run(claimed.run_id).state == RunState.CANCELLED
    assert [row.state for row in rows_of(claimed.run_id)] == ["summarised", "withdrawn"]


@pytest.mark.django_db(transaction=True)
def test_one_of_many_claims_at_once_gets_the_run() -> None:
    run = queued_run()
    claims = [claimed for claimed in at_once(8, lambda: take(run.pk)) if claimed]
    assert [claimed.owner for claimed in claims] == [stored_run(run.pk).owner]


@pytest.mark.django_db(transaction=True)
def test_claims_at_once_get_different_runs_while_there_are_any() -> None:
    runs = [queued_run(f"Note {number}.") for number in range(6)]
    claims = [claimed for claimed in at_once(8, lambda: claim_next("scripted")) if claimed]
    assert sorted(claimed.run_id for claimed in claims) == sorted(run.pk for run in runs)


@pytest.mark.django_db(transaction=True)
def test_more_claims_at_once_than_a_claim_looks_at_runs_all_find_one() -> None:
    for number in range(20):
        queued_run(f"Note {number}.")
    claimed = {claimed.run_id for _ in range(3) for claimed in at_once(8, lambda: claim_next("scripted")) if claimed}
    assert len(claimed) == 20
    assert not Run.objects.filter(state=RunState.QUEUED).exists()


def test_a_run_that_was_queued_under_an_older_prompt_says_which_one_it_is_worked_with() -> None:
    run = queued_run("One.", "Two.")
    Run.objects.filter(pk=run.pk).update(prompt_version="2020-01-01", prompt="An older prompt.")
    taken(run.pk)
    stored = stored_run(run.pk)
    assert (stored.prompt_version, stored.prompt) == (PROMPT_VERSION, SYSTEM_PROMPT)


def test_a_run_with_ended_rows_keeps_the_prompt_they_were_asked_with() -> None:
    claimed = claimed_run("One.", "Two.")
    store(claimed, rows_of(claimed.run_id)[0], summarised())
    Run.objects.filter(pk=claimed.run_id).update(prompt_version="2020-01-01")
    let_lease_run_out(claimed.run_id)
    taken(claimed.run_id)
    assert stored_run(claimed.run_id).prompt_version == "2020-01-01"


@pytest.mark.parametrize("writes", ["NEW.started_at IS NOT NULL", "NEW.prompt_version <> OLD.prompt_version"])
@pytest.mark.django_db(transaction=True)
async def test_a_claim_that_breaks_half_way_has_taken_nothing(writes: str) -> None:
    run = await in_database(queued_run)
    await in_database(Run.objects.filter(pk=run.pk).update, prompt_version="2020-01-01")
    async with trouble("is away", writes, "summarizer_run"):
        with pytest.raises(OperationalError):
            await in_database(take, run.pk)
    stored = await in_database(stored_run, run.pk)
    assert (stored.state, stored.owner, stored.started_at) == (RunState.QUEUED, "", None)


def test_a_claim_whose_answer_was_lost_is_known_by_its_token_when_it_is_asked_for_again() -> None:
    run, owner = queued_run(), new_owner()
    first = claim(run.pk, provider="scripted", owner=owner)
    assert first is not None
    assert claim(run.pk, provider="scripted", owner=owner) == first
    assert claim(run.pk, provider="scripted", owner=new_owner()) is None


def test_the_next_run_is_claimed_once_however_often_it_is_asked_for_under_one_token() -> None:
    first, second = queued_run("One."), queued_run("Two.")
    owner = new_owner()
    claims = [claim_next("scripted", owner=owner) for _ in range(2)]
    assert [claimed and claimed.run_id for claimed in claims] == [first.pk, first.pk]
    assert stored_run(second.pk).state == RunState.QUEUED


def test_a_token_whose_lease_ran_out_holds_nothing_that_another_has_taken() -> None:
    run, owner = queued_run(), new_owner()
    assert claim(run.pk, provider="scripted", owner=owner)
    let_lease_run_out(run.pk)
    taken(run.pk)
    assert claim(run.pk, provider="scripted", owner=owner) is None
    assert claim_next("scripted", owner=owner) is None
