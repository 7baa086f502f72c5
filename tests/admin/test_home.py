"""The first page answers at a glance: what ran, what failed and why, what waits, what it cost."""

import itertools
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from backoffice.llm.failures import FailureCode
from summarizer import drafts
from summarizer.models import Outcome, Run
from summarizer.runs import lease
from summarizer.runs.queue import claim
from summarizer.runs.starting import request_start
from summarizer.runs.statistics import last_noon, nights, noon_of_yesterday
from tests.admin.night import ONE_ROW_COST, ended, failure, free, moved, queued, summary
from tests.admin.staff import make_person, signed_in, words
from tests.summarizer.making import MODEL, let_lease_run_out, taken


def home(client: Client) -> str:
    return words(client.get(reverse("admin:index")))


def test_it_counts_what_ended_since_yesterday_noon(desk: Client) -> None:
    ended(summary(), summary(), failure())
    moved(ended(summary()), timedelta(days=3))
    page = home(desk)
    assert "2 rows summarised" in page
    assert "1 failed" in page


def test_it_says_why_rows_failed_what_to_do_and_leads_to_them(desk: Client) -> None:
    ended(failure(FailureCode.TIMEOUT), failure(FailureCode.REJECTED), failure(FailureCode.TIMEOUT))
    response = desk.get(reverse("admin:index"))
    assert "2 The model did not answer in time. Queue the row again." in words(response)
    assert "1 The provider refused the request. Asking again will not help" in words(response)
    listed = desk.get(response.context["desk"]["failures"][0][3]).context["cl"].result_list
    assert [row.failure for row in listed] == ["timeout", "timeout"]


def test_rows_of_unknown_cost_are_named_and_not_counted_as_costing_nothing(desk: Client) -> None:
    ended(summary(), summary())
    assert f"Cost: {2 * ONE_ROW_COST:.6f} USD" in home(desk)
    ended(failure())
    at_least = f"at least {2 * ONE_ROW_COST:.6f} USD (1 row of unknown cost)"
    page = home(desk)
    assert f"Cost: {at_least}" in page
    assert f"busiest night: 3 rows; {at_least} in all" in page
    assert at_least in desk.get(reverse("admin:index")).context["desk"]["bars"][-1].title


def test_a_cost_of_which_nothing_is_known_is_unknown(desk: Client) -> None:
    ended(failure())
    assert "Cost: unknown" in home(desk)
    assert "busiest night: 1 row; unknown in all" in home(desk)


def test_a_known_cost_of_nothing_beside_an_unknown_one_is_told_as_a_sum_on_every_page(desk: Client) -> None:
    [row, _unknown] = ended(free(), failure())
    at_least = "at least 0.00 USD (1 row of unknown cost)"
    page = home(desk)
    assert f"Cost: {at_least}" in page
    assert f"{at_least} in all" in page
    assert at_least in desk.get(reverse("admin:index")).context["desk"]["bars"][-1].title
    assert at_least in words(desk.get(reverse("admin:summarizer_run_changelist")))
    run = words(desk.get(reverse("admin:summarizer_run_change", args=[row.run_id])))
    assert f"Tokens out at least 0 (1 row of unknown use) Cost {at_least}" in run


def test_it_names_imports_that_were_read_and_not_queued_and_leads_to_them(desk: Client, olga: User) -> None:
    assert "not queued yet" not in home(desk)
    draft = drafts.store(olga, drafts.pasted("row_id,text\n1,Toner\n"))
    drafts.discard(drafts.store(olga, drafts.pasted("row_id,text\n1,Rent\n")))
    assert "1 import read and not queued yet" in home(desk)
    links = desk.get(reverse("admin:index")).context["desk"]["links"]
    assert list(desk.get(links["drafts"]).context["cl"].result_list) == [draft]


def test_it_says_what_waits(desk: Client) -> None:
    queued("One.", "Two.")
    queued("Three.")
    held = queued("Four.")
    assert claim(held.pk, provider="scripted")
    page = home(desk)
    assert "3 rows queued in 2 runs" in page
    assert "1 run going on" in page
    assert "stalled" not in page


def test_one_row_that_waits_is_told_as_one(desk: Client) -> None:
    queued("One.")
    assert "1 row queued in 1 run" in home(desk)


def test_it_names_stalled_runs_and_runs_that_no_worker_takes(desk: Client) -> None:
    stalled, started = queued("One."), queued("Two.")
    assert claim(stalled.pk, provider="scripted")
    let_lease_run_out(stalled.pk)
    request_start([started.pk])
    page = home(desk)
    assert "1 run stalled" in page
    assert "1 run was started and waits for a worker" in page
    assert "manage.py db_worker" in page


def test_it_counts_summaries_to_review(desk: Client) -> None:
    ended(summary("Cut", "truncated"), summary())
    assert "1 summary to review" in home(desk)


def test_failed_rows_that_nobody_queued_again_stand_under_what_to_do_until_somebody_does(desk: Client) -> None:
    rows = ended(failure(), failure())
    moved(ended(failure()), timedelta(days=31))
    assert "2 failed rows without a next attempt" in home(desk)
    address = desk.get(reverse("admin:index")).context["desk"]["links"]["left_behind"]
    assert {row.pk for row in desk.get(address).context["cl"].result_list} == {row.pk for row in rows}
    desk.post(reverse("admin:summarizer_run_requeue", args=[rows[0].run_id]), {"confirmed": "1"})
    page = home(desk)
    assert "without a next attempt" not in page
    assert "counts once for each attempt" not in page
    claimed = taken(Run.objects.latest("pk").pk)
    lease.store(claimed, Outcome.objects.pending()[0].pk, failure(), MODEL, timezone.now())
    assert "counts once for each attempt" in home(desk)


def test_an_auditor_is_told_to_do_nothing(auditor: Client, olga: User) -> None:
    ended(failure(), summary("Cut", "truncated"))
    drafts.store(olga, drafts.pasted("row_id,text\n1,Toner\n"))
    page = home(auditor)
    assert "1 failed" in page
    for word in ("What to do", "to review", "without a next attempt", "not queued yet"):
        assert word not in page


def test_a_started_run_waits_its_turn_while_a_worker_is_busy(desk: Client) -> None:
    busy, started = queued("One."), queued("Two.")
    taken(busy.pk)
    request_start([started.pk])
    page = home(desk)
    assert "1 run was started and waits its turn." in page
    assert "db_worker" not in page


def test_a_bar_of_the_chart_leads_to_the_rows_of_its_night(desk: Client) -> None:
    moved(ended(summary(), failure()), timedelta(days=5))
    ended(failure())
    bars = desk.get(reverse("admin:index")).context["desk"]["bars"]
    assert len(bars) == 30
    [bar] = [bar for bar in bars[:-1] if bar.failed_height]
    assert "1 summarised, 1 failed" in bar.title
    assert len(desk.get(bar.url).context["cl"].result_list) == 1


def test_it_shows_their_own_alone_to_those_who_may_not_view_all_runs(db: None) -> None:
    user = make_person("otto", "operator")
    user.groups.clear()
    permissions = ("view_run", "view_outcome")
    user.user_permissions.set(make_person("x", "operator").groups.get().permissions.filter(codename__in=permissions))
    ended(summary(), user=user)
    ended(summary(), summary(), failure())
    page = home(signed_in(user))
    assert "1 row summarised" in page
    assert "Nothing failed." in page


def test_staff_without_a_group_see_no_figures(db: None) -> None:
    ended(failure())
    assert "failed" not in home(signed_in(make_person("paul", "staff")))


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata"])
def test_nights_go_from_noon_to_noon_and_follow_each_other(zone: str, db: None) -> None:
    with timezone.override(zone):
        past = nights(Outcome.objects.all(), 200, timezone.now())
        assert all(timezone.localtime(night.start).hour == 12 for night in past)
        assert all(one.end == following.start for one, following in itertools.pairwise(past))
        assert past[-1].start <= timezone.now() < past[-1].end


@pytest.mark.parametrize("hour", [0, 11, 12, 23])
def test_yesterday_noon_is_where_last_night_began(hour: int) -> None:
    now = timezone.now().replace(hour=hour, minute=30)
    since = noon_of_yesterday(now)
    assert since.hour == 12
    assert since.date() == (now - timedelta(days=1)).date()
    assert last_noon(now).date() == (now if hour >= 12 else now - timedelta(days=1)).date()


def test_each_row_is_counted_in_the_night_it_ended_in(db: None) -> None:
    ages = (0, 1, 1, 29)
    for age in ages:
        moved(ended(summary()), timedelta(days=age))
    moved(ended(summary()), timedelta(days=31))
    counts = [night.summarised for night in nights(Outcome.objects.all(), 30, timezone.now())]
    assert (counts[-1], counts[-2], counts[0], sum(counts)) == (1, 2, 1, 4)
    assert Run.objects.count() == 5
