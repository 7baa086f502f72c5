"""The failed rows: found by what is known of them, queued again once, taken back, followed through their attempts."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from backoffice.llm.failures import FailureCode
from summarizer.models import Outcome, OutcomeState, Run, RunState
from summarizer.runs import lease
from summarizer.runs.queue import claim
from tests.admin.night import ended, failure, moved, queued, summary
from tests.admin.staff import make_person, said, words
from tests.summarizer.making import stored_run, taken

LIST = "admin:summarizer_failedrow_changelist"


def found(client: Client, **query: Any) -> list[Outcome]:
    return [*client.get(reverse(LIST), query).context["cl"].result_list]


def act(client: Client, action: str, *rows: Outcome, confirmed: bool = True, **more: str) -> Any:
    data = {"action": action, "_selected_action": [str(row.pk) for row in rows]} | more
    return client.post(reverse(LIST), data | ({"confirmed": "1"} if confirmed else {}))


def next_attempts(row: Outcome) -> list[str]:
    return [*Outcome.objects.filter(requeued_from=row).order_by("pk").values_list("state", flat=True)]


def test_it_lists_failed_rows_of_all_runs_the_last_first(desk: Client) -> None:
    [first], [second] = ended(failure()), ended(failure())
    ended(summary())
    assert [row.pk for row in found(desk)] == [second.pk, first.pk]


def test_it_shows_the_last_thirty_days_unless_told_otherwise(desk: Client) -> None:
    [old] = moved(ended(failure()), timedelta(days=40))
    [new] = ended(failure())
    assert [row.pk for row in found(desk)] == [new.pk]
    assert [row.pk for row in found(desk, period="all")] == [new.pk, old.pk]
    assert [row.pk for row in found(desk, period="90")] == [new.pk, old.pk]
    before = timezone.now() - timedelta(days=35)
    assert [row.pk for row in found(desk, to=f"{before:%Y-%m-%dT%H:%M}")] == [old.pk]
    assert [row.pk for row in found(desk, **{"from": f"{before:%Y-%m-%d}"})] == [new.pk]


UNKNOWN = ("period=x", "from=yesterday", "to=0001-01-01", "who=x", "model=x", "attempt=x", "next=x")


@pytest.mark.parametrize("query", UNKNOWN)
def test_a_filter_nobody_knows_changes_nothing(desk: Client, query: str) -> None:
    [row] = ended(failure())
    assert [listed.pk for listed in found(desk, **dict([query.split("=")]))] == [row.pk]


def test_it_filters_by_code_person_model_attempt_and_next_attempt(desk: Client) -> None:
    otto = make_person("otto", "operator")
    [late], [refused] = ended(failure(), user=otto), ended(failure(FailureCode.REJECTED), model="other")
    act(desk, "requeue", late)
    run = Run.objects.order_by("-pk")[0]
    expected = {
        ("failure", "rejected"): [refused.pk],
        ("who", str(otto.pk)): [late.pk],
        ("who", "nobody"): [refused.pk],
        ("model", "scripted:other"): [refused.pk],
        ("next", "none"): [refused.pk],
        ("next", "some"): [late.pk],
        ("attempt", "1"): [refused.pk, late.pk],
        ("attempt", "2"): [],
        ("attempt", "more"): [],
    }
    assert {query: [row.pk for row in found(desk, **dict([query]))] for query in expected} == expected
    assert run.state == RunState.QUEUED


SEARCHES = {
    "toner": 1, "TONER harbour": 1, "toner nobody": 0, "otto": 1, "Ottilie": 1, "1": 1, "\0": 1, "10001": 0, "%": 0,
}  # fmt: skip


@pytest.mark.parametrize(("text", "matches"), SEARCHES.items())
def test_it_searches_by_row_person_and_words(text: str, matches: int, desk: Client) -> None:
    otto = make_person("otto", "operator")
    User.objects.filter(pk=otto.pk).update(first_name="Ottilie")
    ended(failure(), user=otto, texts=("Toner from Harbour Office",))
    assert len(found(desk, q=text)) == matches


def test_queueing_again_asks_first_and_says_what_it_comes_to(desk: Client) -> None:
    rows = ended(failure(), failure(), failure())
    act(desk, "requeue", rows[0])
    page = words(act(desk, "requeue", *rows, confirmed=False))
    assert "Rows that will be queued 2" in page
    assert "Rows that will be skipped 1" in page
    assert "at most 0.0" in page
    assert next_attempts(rows[1]) == []


def test_a_row_has_one_next_attempt_however_often_one_presses(desk: Client, olga: User) -> None:
    rows = ended(failure(), failure())
    act(desk, "requeue", rows[0])
    response = act(desk, "requeue", *rows)
    told = said(desk, response)
    assert "1 row queued again in run " in told
    assert "Skipped: 1 row (they did not fail, have a next attempt already, or are" in told
    assert [next_attempts(row) for row in rows] == [["pending"], ["pending"]]
    assert Run.objects.latest("pk").created_by == olga
    assert LogEntry.objects.filter(user=olga, change_message__startswith="Queued rows").count() == 2


def test_all_rows_of_the_filter_can_be_queued_at_once(desk: Client) -> None:
    late, refused = ended(failure(), failure(FailureCode.REJECTED))
    query = {"failure": "timeout"}
    data = {"action": "requeue", "select_across": "1", "_selected_action": [str(late.pk)], "confirmed": "1"}
    desk.post(f"{reverse(LIST)}?failure={query['failure']}", data)
    assert (next_attempts(late), next_attempts(refused)) == (["pending"], [])


def test_without_a_model_nothing_is_queued(desk: Client, settings: Settings) -> None:
    [row] = ended(failure())
    settings.LLM_PROVIDER, settings.OPENAI_API_KEY = "openai", ""
    assert "No model is configured" in said(desk, act(desk, "requeue", row))
    assert next_attempts(row) == []


def test_a_re_queue_is_taken_back_while_it_waits_and_the_row_can_be_queued_again(desk: Client) -> None:
    [row] = ended(failure())
    act(desk, "requeue", row)
    assert "Taken back: 1 row." in said(desk, act(desk, "undo_requeue", row))
    assert next_attempts(row) == ["withdrawn"]
    assert Run.objects.latest("pk").state == RunState.CANCELLED
    act(desk, "requeue", row)
    assert next_attempts(row) == ["withdrawn", "pending"]
    history = desk.get(reverse("admin:summarizer_outcome_change", args=[row.pk])).context["attempts"]
    assert [line.number for line in history] == ["1", "not tried", "2"]


def entries(client: Client, name: str, key: int) -> str:
    return words(client.get(reverse(f"admin:summarizer_{name}_history", args=[key])))


def test_each_row_and_each_run_of_what_is_taken_back_has_it_in_its_history(desk: Client) -> None:
    first, second, third = *ended(failure(), failure()), *ended(failure())
    act(desk, "requeue", first, second, third)
    attempts = [Outcome.objects.get(requeued_from=row) for row in (first, second, third)]
    act(desk, "undo_requeue", first, second, third)
    for row, attempt in zip((first, second, third), attempts, strict=True):
        assert f"olga Took the next attempt in run {attempt.run_id} back." in entries(desk, "outcome", row.pk)
        assert "olga Took this attempt back." in entries(desk, "outcome", attempt.pk)
        history = desk.get(reverse("admin:summarizer_outcome_change", args=[row.pk])).context["attempts"]
        assert [line.withdrawal and line.withdrawal.who for line in history] == [None, "olga"]
        assert "Taken back by olga," in words(desk.get(reverse("admin:summarizer_outcome_change", args=[row.pk])))
    told = {run: entries(desk, "run", run) for run in {attempt.run_id for attempt in attempts}}
    assert all("Took back, by row number: " in page for page in told.values())
    rows_of_run = [attempt.row_id for attempt in attempts if attempt.run_id == attempts[0].run_id]
    assert f"Took back, by row number: {', '.join(map(str, rows_of_run))}." in told[attempts[0].run_id]


def test_each_row_and_each_run_of_what_is_queued_again_has_it_in_its_history(
    desk: Client, django_assert_max_num_queries: Any
) -> None:
    first, second, third = *ended(failure(), failure()), *ended(failure())
    with django_assert_max_num_queries(40):
        act(desk, "requeue", first, second, third)
    runs = {row.pk: row.next_attempts.get().run_id for row in (first, second, third)}
    for row in (first, second, third):
        assert f"olga Queued again as run {runs[row.pk]}." in entries(desk, "outcome", row.pk)
        assert f"Queued again as run {runs[row.pk]}, by row number: " in entries(desk, "run", row.run_id)
        assert f"olga Queued rows again as run {runs[row.pk]}." in entries(desk, "run", runs[row.pk])


def test_a_run_offers_another_attempt_only_while_rows_want_one_and_says_where_they_have_it(desk: Client) -> None:
    [row] = ended(failure())
    address = reverse("admin:summarizer_run_change", args=[row.run_id])
    assert "Queue failed rows again" in words(desk.get(address))
    act(desk, "requeue", row)
    again = Run.objects.latest("pk").pk
    page = desk.get(address)
    assert "Queue failed rows again" not in words(page)
    assert f"Rows of this run are queued again in run {again} ." in words(page)
    act(desk, "undo_requeue", row)
    assert "Queue failed rows again" in words(desk.get(address))


def test_an_attempt_withdrawn_with_its_run_names_who_cancelled_it(desk: Client) -> None:
    [row] = ended(failure())
    act(desk, "requeue", row)
    attempt = Outcome.objects.get(requeued_from=row)
    desk.post(reverse("admin:summarizer_run_cancel", args=[attempt.run_id]), {"confirmed": "1"})
    assert "Taken back by olga," in words(desk.get(reverse("admin:summarizer_outcome_change", args=[row.pk])))


def test_rows_that_never_began_are_queued_again_from_their_cancelled_run_once(desk: Client) -> None:
    run = queued("One.", "Two.")
    desk.post(reverse("admin:summarizer_run_cancel", args=[run.pk]), {"confirmed": "1"})
    assert "Queue unfinished rows again" in words(desk.get(reverse("admin:summarizer_run_change", args=[run.pk])))
    address = reverse("admin:summarizer_run_requeue", args=[run.pk])
    assert "Rows that will be queued 2" in words(desk.get(address))
    for _press in range(2):
        desk.post(address, {"confirmed": "1"})
    assert [next_attempts(row) for row in run.outcomes.all()] == [["pending"], ["pending"]]
    again = Run.objects.latest("pk")
    assert f"Where from rows of run {run.pk}" in words(
        desk.get(reverse("admin:summarizer_run_change", args=[again.pk]))
    )


def test_a_withdrawn_next_attempt_is_queued_again_through_its_row_alone(desk: Client) -> None:
    [row] = ended(failure())
    act(desk, "requeue", row)
    attempt = Outcome.objects.get(requeued_from=row)
    desk.post(reverse("admin:summarizer_run_cancel", args=[attempt.run_id]), {"confirmed": "1"})
    for name, key in (("run", attempt.run_id), ("outcome", attempt.pk)):
        desk.post(reverse(f"admin:summarizer_{name}_requeue", args=[key]), {"confirmed": "1"})
    assert next_attempts(attempt) == []
    assert "Queue unfinished" not in words(desk.get(reverse("admin:summarizer_run_change", args=[attempt.run_id])))
    act(desk, "requeue", row)
    assert next_attempts(row) == ["withdrawn", "pending"]


def test_rows_that_asking_again_will_not_help_are_named_before(desk: Client) -> None:
    late, refused = ended(failure(), failure(FailureCode.REJECTED))
    page = words(act(desk, "requeue", late, refused, confirmed=False))
    assert "Of these, refused by the provider 1 row: asking again will not help" in page
    assert "refused by the provider" not in words(act(desk, "requeue", late, confirmed=False)).split("Model")[0]


def test_taking_one_row_back_leaves_the_others_of_its_run_queued(desk: Client) -> None:
    rows = ended(failure(), failure())
    act(desk, "requeue", *rows)
    act(desk, "undo_requeue", rows[0])
    assert [next_attempts(row) for row in rows] == [["withdrawn"], ["pending"]]
    assert Run.objects.latest("pk").state == RunState.QUEUED


def test_what_a_worker_has_taken_is_not_taken_back(desk: Client) -> None:
    [row] = ended(failure())
    act(desk, "requeue", row)
    run = Run.objects.latest("pk")
    assert claim(run.pk, provider="scripted")
    assert "Left alone: 1 row without a queued next attempt." in said(desk, act(desk, "undo_requeue", row))
    assert (next_attempts(row), stored_run(run.pk).state) == (["pending"], RunState.RUNNING)


def test_a_rows_page_tells_all_its_attempts_with_who_why_and_what_it_cost(desk: Client) -> None:
    [row] = ended(failure(), texts=("Toner.",))
    ended(summary(), texts=("Toner.",))
    desk.post(reverse("admin:summarizer_outcome_requeue", args=[row.pk]), {"confirmed": "1"})
    [second] = Outcome.objects.filter(requeued_from=row)
    _end(second)
    response = desk.get(reverse("admin:summarizer_outcome_change", args=[row.pk]))
    attempts = response.context["attempts"]
    assert [(line.outcome.pk, line.who, line.state) for line in attempts] == [
        (row.pk, "Nightly job", "Failed"),
        (second.pk, "olga", "Summarised"),
    ]
    assert [line.cost for line in attempts] == ["unknown", "0.000210 USD"]
    assert "The model did not answer in time." in words(response)
    from_the_second = desk.get(reverse("admin:summarizer_outcome_change", args=[second.pk])).context["attempts"]
    assert [line.outcome.pk for line in from_the_second] == [row.pk, second.pk]


def test_a_rows_page_names_the_same_note_where_it_was_imported_again(desk: Client) -> None:
    [row] = ended(failure(), texts=("Toner.",))
    [again] = ended(summary(), texts=("Toner.",))
    ended(summary(), texts=("Another note.",))
    page = desk.get(reverse("admin:summarizer_outcome_change", args=[row.pk]))
    assert [line.outcome.pk for line in page.context["elsewhere"]] == [again.pk]
    assert [line.outcome.pk for line in page.context["attempts"]] == [row.pk]
    assert "The same note elsewhere" in words(page)


def _end(row: Outcome) -> None:
    claim = taken(row.run_id)
    lease.store(claim, row.pk, summary(), "gpt-4o-mini-2024-07-18", timezone.now())
    lease.end(claim)


def test_the_failed_rows_of_a_run_are_queued_from_its_page(desk: Client) -> None:
    rows = ended(failure(), summary())
    address = reverse("admin:summarizer_run_requeue", args=[rows[0].run_id])
    assert "Rows that will be queued 1" in words(desk.get(address))
    response = desk.post(address, {"confirmed": "1"})
    new = Run.objects.latest("pk")
    assert response.headers["Location"] == reverse("admin:summarizer_run_change", args=[new.pk])
    [again] = new.outcomes.all()
    assert (again.attempt, again.requeued_from_id, again.state) == (2, rows[0].pk, OutcomeState.PENDING)


def test_a_summarised_row_is_never_queued_again_from_a_run(desk: Client) -> None:
    [row] = ended(summary("Cut", "truncated"))
    desk.post(reverse("admin:summarizer_run_requeue", args=[row.run_id]), {"confirmed": "1"})
    assert next_attempts(row) == []


def test_a_queued_run_shows_its_rows_as_pending(desk: Client) -> None:
    queued("One.")
    listed = desk.get(reverse("admin:summarizer_outcome_changelist"), {"state": "pending"}).context["cl"].result_list
    assert [row.text for row in listed] == ["One."]
