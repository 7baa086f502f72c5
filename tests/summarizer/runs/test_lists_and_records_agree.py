"""What a list is filtered by, a record at hand says of itself, whatever has become of it."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from backoffice.llm.client import model_config
from summarizer.admin.requeueing import wants_another
from summarizer.models import ImportDraft, Outcome, Run
from summarizer.runs import lease
from summarizer.runs.queue import cancel, requeue
from tests.summarizer.making import (
    BY_COMMAND,
    claimed_run,
    failed_rows,
    let_lease_run_out,
    queued_run,
    rows_of,
    store,
    summarised,
)

pytestmark = pytest.mark.django_db


def stalled() -> int:
    run_id = claimed_run().run_id
    let_lease_run_out(run_id)
    return run_id


def stalled_and_ending() -> int:
    run_id = claimed_run().run_id
    cancel(run_id)
    let_lease_run_out(run_id)
    return run_id


def ended(*, done: bool) -> int:
    claimed = claimed_run()
    if done:
        store(claimed, rows_of(claimed.run_id)[0], summarised())
    lease.end(claimed)
    return claimed.run_id


def cancelled() -> int:
    run_id = queued_run().pk
    cancel(run_id)
    return run_id


RUNS: dict[str, tuple[Callable[[], int], set[str]]] = {
    "queued": (lambda: queued_run().pk, {"idle", "claimable"}),
    "held": (lambda: claimed_run().run_id, {"held"}),
    "stalled": (stalled, {"stalled", "idle", "claimable"}),
    "stalled, to be cancelled": (stalled_and_ending, {"stalled", "idle"}),
    "interrupted": (lambda: ended(done=False), {"idle", "claimable"}),
    "completed": (lambda: ended(done=True), set()),
    "cancelled": (cancelled, set()),
}


@pytest.mark.parametrize(("make", "expected"), RUNS.values(), ids=RUNS)
def test_a_run_is_in_the_lists_that_it_says_it_belongs_to(make: Callable[[], int], expected: set[str]) -> None:
    run, now = Run.objects.get(pk=make()), timezone.now()
    lists = {"stalled", "held", "idle", "claimable"}
    assert {name for name in lists if getattr(Run.objects.all(), name)(now).exists()} == expected
    assert (run.is_stalled, run.is_claimable) == ("stalled" in expected, "claimable" in expected)


def next_run(row: Outcome) -> Run:
    [run] = requeue([row], BY_COMMAND, model_config()).runs
    return run


def test_rows_that_want_another_attempt_are_those_that_say_so_and_have_none() -> None:
    [asked_again], [failed] = failed_rows("Asked again."), failed_rows("Failed.")
    run = next_run(asked_again)
    [attempt], [never_begun] = rows_of(run.pk), rows_of(cancelled())
    cancel(run.pk)
    [done] = rows_of(ended(done=True))
    assert list(Outcome.objects.wanting().order_by("pk")) == [asked_again, failed, never_begun]
    assert [wants_another(row) for row in (failed, never_begun, done)] == [True, True, False]
    attempt.refresh_from_db()
    assert (attempt.state, wants_another(attempt)) == ("withdrawn", False)
    next_run(asked_again)
    assert list(Outcome.objects.with_next_attempt()) == [asked_again]


@pytest.mark.parametrize(("column", "place"), [(None, "open"), ("queued_at", "queued"), ("discarded_at", "discarded")])
def test_an_import_is_in_the_list_of_its_state_alone(column: str | None, place: str, admin_user: object) -> None:
    moment = {} if column is None else {column: timezone.now()}
    draft = ImportDraft.objects.create(created_by=admin_user, name="night.csv", note_format="csv", file=b"", **moment)
    drafts = ImportDraft.objects.all()
    assert [name for name in ("open", "queued", "discarded") if getattr(drafts, name)().exists()] == [place]
    assert draft.is_open is (place == "open")
