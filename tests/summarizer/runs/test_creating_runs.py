"""Notes become queued runs of up to 50 rows."""

import hashlib

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import IntegrityError, connection

from backoffice.llm.client import model_config
from summarizer.models import Outcome, Run, RunState, Trigger
from summarizer.prompts import PROMPT_VERSION, SYSTEM_PROMPT
from summarizer.runs.queue import Origin, create_claimed_run, create_runs, known_hashes
from tests.summarizer.making import BY_COMMAND, notes, plain_notes, queued_run, rows_of, steal, store, summarised

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("count", "sizes"), [(0, []), (1, [1]), (50, [50]), (51, [50, 1]), (100, [50, 50])])
def test_a_run_has_up_to_fifty_rows(count: int, sizes: list[int]) -> None:
    runs = create_runs(plain_notes(count), BY_COMMAND, model_config())
    assert [run.outcomes.count() for run in runs] == sizes


def test_rows_keep_the_order_of_the_notes_over_all_runs() -> None:
    given = plain_notes(100)
    runs = create_runs(given, BY_COMMAND, model_config())
    rows = [row for run in sorted(runs, key=lambda run: run.pk) for row in rows_of(run.pk)]
    assert [(row.row_id, row.text) for row in rows] == [(note.row_id, note.text) for note in given]


def test_a_new_row_is_pending_and_nothing_is_known_of_it_yet() -> None:
    [row] = rows_of(queued_run("Überweisung 7 €").pk)
    assert (row.state, row.attempt, row.requeued_from, row.summary, row.warnings) == ("pending", 1, None, None, [])
    assert (row.input_tokens, row.output_tokens, row.cost, row.duration_ms) == (None, None, None, None)
    assert row.text_hash == hashlib.sha256("Überweisung 7 €".encode()).hexdigest()


def test_a_run_says_who_asked_for_it_and_what_it_will_be_worked_with() -> None:
    user = User.objects.create_user("olga")
    run = queued_run(origin=Origin(Trigger.ADMIN, user, "notes.csv"))
    assert (run.state, run.trigger, run.created_by, run.source) == (RunState.QUEUED, "admin", user, "notes.csv")
    assert (run.provider, run.model) == ("scripted", "gpt-4o-mini-2024-07-18")
    assert (run.prompt_version, run.prompt) == (PROMPT_VERSION, SYSTEM_PROMPT)
    assert run.is_scripted


def test_nobody_is_named_where_nobody_is_signed_in() -> None:
    assert queued_run(origin=Origin(Trigger.API, AnonymousUser())).created_by is None


def test_a_long_source_is_shortened() -> None:
    assert len(queued_run(origin=Origin(Trigger.COMMAND, source="x" * 300)).source) == 200


def test_all_runs_are_created_or_none() -> None:
    twice = [*plain_notes(60), *plain_notes(60)[55:]]
    with pytest.raises(IntegrityError):
        create_runs(twice, BY_COMMAND, model_config())
    assert not connection.needs_rollback
    assert (Run.objects.count(), Outcome.objects.count()) == (0, 0)


def test_a_claimed_run_is_its_creators_from_the_start() -> None:
    claimed = create_claimed_run(notes("A note."), BY_COMMAND, model_config())
    run = Run.objects.get(pk=claimed.run_id)
    assert (run.state, run.owner) == (RunState.RUNNING, claimed.owner)
    assert run.started_at is not None


def test_a_note_is_known_once_it_was_summarised() -> None:
    [note] = notes("A note.")
    assert known_hashes([note], model_config()) == set()
    claimed = create_claimed_run([note], BY_COMMAND, model_config())
    store(claimed, rows_of(claimed.run_id)[0], summarised())
    assert len(known_hashes([note, *notes("Another note.")], model_config())) == 1


@pytest.mark.parametrize("changed", [{"provider": "openai"}, {"model": "another"}, {"prompt_version": "1"}])
def test_a_note_is_not_known_under_another_provider_model_or_prompt(changed: dict[str, str]) -> None:
    [note] = notes("A note.")
    claimed = create_claimed_run([note], BY_COMMAND, model_config())
    store(claimed, rows_of(claimed.run_id)[0], summarised())
    steal(claimed.run_id)
    Run.objects.filter(pk=claimed.run_id).update(**changed)
    assert known_hashes([note], model_config()) == set()


def test_a_note_that_failed_or_waits_is_not_known() -> None:
    queued_run("A note.")
    assert known_hashes(notes("A note."), model_config()) == set()


def test_any_number_of_notes_can_be_looked_up() -> None:
    assert known_hashes(plain_notes(1_201), model_config()) == set()
