"""Counts, costs and the number of queries do not depend on how much history there is."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.core.paginator import Page
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from backoffice.audit.paging import BoundedPaginator
from backoffice.llm.client import model_config
from summarizer.costing import most_cost
from summarizer.models import Outcome
from summarizer.runs.job import work_chosen
from summarizer.runs.statistics import Tally, tallies
from tests.admin.night import ONE_ROW_COST, ended, failure, queued, summary
from tests.admin.staff import make_person, words

MODELS = ("run", "outcome", "failedrow", "rowtoreview", "importdraft")
LISTS = [f"admin:summarizer_{model}_changelist" for model in MODELS]


def queries(client: Client, address: str, **query: str) -> int:
    client.get(address, query)
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address, query).status_code == 200
    return len(captured)


def night() -> None:
    ended(summary(), summary("Cut", "truncated"), failure())
    queued("Waiting.")


@pytest.mark.parametrize("address", ["admin:index", *LISTS])
def test_a_page_takes_as_many_queries_for_ten_nights_as_for_one(desk: Client, address: str) -> None:
    night()
    before = queries(desk, reverse(address), q="note")
    assert before <= 12
    for _night in range(9):
        night()
    assert queries(desk, reverse(address), q="note") == before


def test_a_runs_page_takes_as_many_queries_for_fifty_rows_as_for_one(desk: Client) -> None:
    small, large = queued("One."), queued(*(f"Note {number}." for number in range(50)))
    pages = [reverse("admin:summarizer_run_change", args=[run.pk]) for run in (small, large)]
    assert queries(desk, pages[0]) == queries(desk, pages[1])


def test_no_list_counts_more_rows_than_it_pages_through(desk: Client) -> None:
    night()
    for address in LISTS:
        with CaptureQueriesContext(connection) as captured:
            desk.get(reverse(address))
        counts = [query["sql"] for query in captured if query["sql"].startswith("SELECT COUNT(*)")]
        assert counts, address
        assert [sql for sql in counts if "LIMIT 10000" not in sql] == []


def test_pages_end_where_counting_ends(desk: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ended(*[summary()] * 4)
    monkeypatch.setattr(BoundedPaginator, "MOST", 3)
    paginator = BoundedPaginator(Outcome.objects.order_by("pk"), 2)
    assert (paginator.count, paginator.num_pages, paginator.is_cut) == (3, 2, True)
    assert isinstance(paginator.page(2), Page)
    assert "The first 3; a filter shows others" in words(desk.get(reverse("admin:summarizer_outcome_changelist")))


def test_tallies_count_each_run_and_name_what_is_unknown(db: None) -> None:
    [first, *_rest] = ended(summary(), summary("Cut", "truncated"), failure())
    empty = queued("One.", "Two.")
    counted = tallies([first.run_id, empty.pk, 0])
    assert counted[first.run_id] == Tally(
        rows=3, summarised=2, failed=1, warned=1, input_tokens=2000, output_tokens=200, cost=2 * ONE_ROW_COST,
        rows_of_unknown_cost=1, rows_of_unknown_tokens=1,
    )  # fmt: skip
    assert (counted[empty.pk], counted[0]) == (Tally(rows=2, pending=2), Tally())
    assert (counted[first.run_id].done, counted[empty.pk].done) == (3, 0)


HAND_MADE = (
    {"who": str(2**63)}, {"who": "9" * 400}, {"pk__in": "9" * 400}, {"created_by": str(2**63)}, {"text__regex": "["},
    {"text__iregex": "(a+)+$"}, {"name__regex": "["}, {"run__created_by__password__startswith": "p"}, {"nonsense": "1"},
)  # fmt: skip


@pytest.mark.parametrize("query", HAND_MADE, ids=lambda query: next(iter(query)))
@pytest.mark.parametrize("address", LISTS)
def test_an_address_made_by_hand_breaks_no_list_and_asks_nothing_that_no_filter_offers(
    address: str, query: dict[str, str], client: Client, db: None
) -> None:
    client.force_login(make_person("root", "superuser"))
    night()
    with CaptureQueriesContext(connection) as captured:
        response = client.get(reverse(address), query)
    assert response.status_code in (200, 302, 400)
    conditions = [query["sql"].partition(" WHERE ")[2] for query in captured]
    assert not [sql for sql in conditions if any(word in sql for word in ("REGEXP", "~", "password"))]


@given(st.lists(st.text(min_size=1, max_size=60), max_size=5), st.text(min_size=1, max_size=60))
def test_the_most_it_can_cost_grows_with_every_note(texts: list[str], another: str) -> None:
    model = model_config().model
    less, more = most_cost(texts, model), most_cost([*texts, another], model)
    assert less is not None
    assert more is not None
    assert Decimal(0) <= less < more


def test_a_model_without_a_price_has_no_most() -> None:
    assert most_cost(["A note."], "nobody-entered-me") is None


@pytest.mark.django_db(transaction=True)
async def test_no_row_costs_more_than_was_said_before(config: Any, in_thread: Callable[..., Any]) -> None:
    texts = ("Rechnung 4711 über 1.200,50 EUR und 3,20 EUR.", "No amount.", "চালান নং ৪৪১, মোট ৳85,000.00")
    run = await in_thread(lambda: queued(*texts))
    await work_chosen(run.pk, config)
    tally = (await in_thread(lambda: tallies([run.pk])))[run.pk]
    most = most_cost(texts, run.model)
    assert tally.summarised == 3
    assert most is not None
    assert 0 < tally.cost < most
