"""A person looks at a summary with a warning, sees what is doubtful, and decides once."""

from dataclasses import replace
from threading import Barrier, Thread
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from backoffice.audit.models import HistoryIsFinal
from backoffice.llm.client import model_config
from summarizer import reviews
from summarizer.admin import wording
from summarizer.admin.marking import amounts, marked_note, marked_summary
from summarizer.amounts import ERROR_CODES
from summarizer.models import Decision, Outcome, Review, RunState
from summarizer.runs.withdrawing import withdraw_next_attempts
from tests.admin.night import ended, summary, tool_run
from tests.admin.staff import make_person, said, signed_in, words

LIST = "admin:summarizer_rowtoreview_changelist"


def page_of(row: Outcome) -> str:
    return reverse("admin:summarizer_rowtoreview_change", args=[row.pk])


def listed(client: Client, **query: str) -> list[int]:
    return [row.pk for row in client.get(reverse(LIST), query).context["cl"].result_list]


def decide(client: Client, row: Outcome, button: str, reason: str = "As it should be.") -> Any:
    return client.post(page_of(row), {"reason": reason, button: "1"})


@pytest.fixture
def doubtful(db: None) -> Outcome:
    result = summary("Toner for 640.00 EUR.", "truncated", tool_runs=(tool_run("$640", "640.00", "USD"),))
    [row] = ended(result, texts=("Toner <b>$640</b> from Harbour",))
    return row


def test_rows_with_warnings_have_a_list_of_their_own(desk: Client, doubtful: Outcome) -> None:
    [other, _fine] = ended(summary("", "empty"), summary())
    assert listed(desk) == [other.pk, doubtful.pk]
    assert listed(desk, warning="truncated") == [doubtful.pk]
    assert listed(desk, warning="nonsense") == [other.pk, doubtful.pk]


def test_note_and_summary_stand_side_by_side_with_what_the_warning_means(desk: Client, doubtful: Outcome) -> None:
    page = words(desk.get(page_of(doubtful)))
    assert "Cut off. The summary reached the length limit and may lack its end." in page
    assert "Toner <b> $640 </b> from Harbour" in page
    assert "Toner for 640.00 EUR." in page


def test_the_tools_amounts_stand_beside_the_words_they_came_from(desk: Client, doubtful: Outcome) -> None:
    assert [(amount.words, amount.value) for amount in amounts(doubtful)] == [("$640", "640.00 USD")]
    assert "$640 640.00 USD" in words(desk.get(page_of(doubtful)))


def test_the_words_are_marked_in_the_note_and_nothing_of_it_is_html(doubtful: Outcome) -> None:
    expected = 'Toner &lt;b&gt;<mark class="desk-source">$640</mark>&lt;/b&gt; from Harbour'
    assert marked_note(doubtful) == expected


def test_the_number_to_doubt_is_marked_in_the_summary_and_no_other(desk: Client) -> None:
    said = "Toner <i>for</i> 640.00 USD, 64 boxes."
    [row] = ended(summary(said, "unsupported_number", tool_runs=(tool_run("$640", "640.00"),)), texts=("$640 toner",))
    expected = 'Toner &lt;i&gt;for&lt;/i&gt; 640.00 USD, <mark class="desk-doubt">64</mark> boxes.'
    assert marked_summary(row) == expected
    assert expected in desk.get(page_of(row)).content.decode()


FOR_THE_MODEL = "Your message was cut off by the length limit, so this call did not run."


@pytest.mark.parametrize("arguments", ['{"raw":"7', "no json", '["x"]', "{}"])
def test_a_call_that_was_cut_off_is_said_to_be_in_words_for_people(desk: Client, arguments: str) -> None:
    run = tool_run("x", "1.00") | {"arguments": arguments, "result": {"error": FOR_THE_MODEL}, "ran": False}
    [row] = ended(summary("A.", "truncated", tool_runs=(run,)))
    [amount] = amounts(row)
    assert (amount.words, amount.value) == ("", "")
    page = words(desk.get(page_of(row)))
    assert "– unclear: The call was cut off or unreadable, and did not run." in page
    assert FOR_THE_MODEL not in page.split("The exchange")[0]


def test_what_the_tool_was_not_certain_of_is_told_without_its_advice_to_the_model(db: None) -> None:
    assert set(wording.AMOUNTS) == ERROR_CODES
    result = {"error": "multiple_amounts", "message": "Call again with the text of one of them."}
    [row] = ended(summary("A.", "truncated", tool_runs=(tool_run("1 or 2", "1.00") | {"result": result},)))
    [amount] = amounts(row)
    assert (amount.words, amount.problem) == ("1 or 2", "There is more than one amount in these words.")


def test_a_refusal_is_shown_in_the_models_words(desk: Client) -> None:
    result = replace(summary("", "refused"), exchange=({"answer": {"refusal": "I <b>cannot</b> do that."}},))
    [row] = ended(result)
    assert "The model declined, in these words: I <b>cannot</b> do that." in words(desk.get(page_of(row)))


def test_accepting_is_recorded_with_its_reason_and_leads_to_the_next(
    desk: Client, olga: User, doubtful: Outcome
) -> None:
    [following] = ended(summary("", "empty"))
    response = decide(desk, doubtful, "accept", "Checked by phone.")
    assert response.headers["Location"] == page_of(following)
    review = Review.objects.get()
    assert (review.decision, review.reason, review.created_by) == (Decision.ACCEPTED, "Checked by phone.", olga)
    assert listed(desk) == [following.pk]
    assert listed(desk, decision="accepted") == [doubtful.pk]
    assert listed(desk, decision="all") == [following.pk, doubtful.pk]
    assert LogEntry.objects.get().change_message == "Accepted the summary: Checked by phone."
    assert decide(desk, following, "accept").headers["Location"] == reverse(LIST)


def test_asking_again_queues_a_next_attempt_and_is_recorded(desk: Client, doubtful: Outcome) -> None:
    decide(desk, doubtful, "again", "Wrong currency.")
    [attempt] = Outcome.objects.filter(requeued_from=doubtful)
    assert (attempt.attempt, attempt.text, attempt.run.state) == (2, doubtful.text, RunState.QUEUED)
    assert Review.objects.get().decision == Decision.REQUEUED
    assert listed(desk) == []
    history = words(desk.get(reverse("admin:summarizer_outcome_change", args=[doubtful.pk])))
    expected = f"Queued row 1 of run {doubtful.run_id} again after its review: Wrong currency."
    assert f"olga {expected}" in words(desk.get(reverse("admin:summarizer_run_history", args=[attempt.run_id])))
    assert f"Queued again as run {attempt.run_id}: Wrong currency." in words(
        desk.get(reverse("admin:summarizer_outcome_history", args=[doubtful.pk]))
    )
    assert "Re-queued (olga," in history
    assert "Wrong currency." in history


def test_an_attempt_taken_back_brings_the_row_back_for_review(desk: Client, doubtful: Outcome) -> None:
    decide(desk, doubtful, "again")
    [attempt] = withdraw_next_attempts([doubtful.pk])
    assert attempt.requeued_from_id == doubtful.pk
    assert listed(desk) == [doubtful.pk]
    decide(desk, doubtful, "accept")
    assert listed(desk) == []


@pytest.mark.parametrize("reason", ["", "   ", "x" * 501])
def test_a_decision_needs_a_reason(desk: Client, doubtful: Outcome, reason: str) -> None:
    assert decide(desk, doubtful, "accept", reason).status_code == 200
    assert not Review.objects.exists()


@pytest.mark.parametrize("second", ["accept", "again"])
@pytest.mark.parametrize("first", ["accept", "again"])
def test_whoever_comes_second_is_told_so(desk: Client, doubtful: Outcome, first: str, second: str) -> None:
    otto = signed_in(make_person("otto", "operator"))
    decide(otto, doubtful, first)
    assert "was decided meanwhile" in said(desk, decide(desk, doubtful, second))
    assert Review.objects.count() == 1


def test_a_row_without_a_warning_is_not_decided(olga: User) -> None:
    [row] = ended(summary())
    with pytest.raises(reviews.AlreadyDecided):
        reviews.accept(row.pk, olga, "Fine.")


def test_without_a_model_a_row_is_not_asked_again_but_may_be_accepted(
    desk: Client, doubtful: Outcome, settings: Settings
) -> None:
    settings.LLM_PROVIDER, settings.OPENAI_API_KEY = "openai", ""
    assert "No model is configured" in words(decide(desk, doubtful, "again"))
    assert not Review.objects.exists()
    decide(desk, doubtful, "accept")
    assert Review.objects.count() == 1


def test_a_decision_is_final(olga: User, doubtful: Outcome) -> None:
    review = reviews.accept(doubtful.pk, olga, "Fine.")
    review.reason = "Another."
    for change in (review.save, review.delete, Review.objects.all().delete):
        with pytest.raises(HistoryIsFinal):
            change()


@pytest.mark.django_db(transaction=True)
def test_two_people_who_decide_at_the_same_instant_decide_once() -> None:
    people = [make_person("olga", "operator"), make_person("otto", "operator")]
    [row] = ended(summary("Cut", "truncated"))
    barrier, refused = Barrier(2), []

    def press(user: User, again: bool) -> None:
        barrier.wait()
        try:
            if again:
                reviews.ask_again(row.pk, user, "Again.", model_config())
            else:
                reviews.accept(row.pk, user, "Fine.")
        except reviews.AlreadyDecided:
            refused.append(user)
        finally:
            connection.close()

    threads = [Thread(target=press, args=pair) for pair in zip(people, (False, True), strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (Review.objects.count(), len(refused)) == (1, 1)
