"""No run is started that could pass a limit on money, and what is behind it stays queued."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backoffice import database
from backoffice.database import in_database
from backoffice.llm.client import ModelConfig, close_clients, model_config
from summarizer.costing import most_cost, most_of_rows
from summarizer.models import Outcome, OutcomeState, Run, RunState
from summarizer.runs import lease
from summarizer.runs.budget import Budget, PriceUnknown, budget_for, in_progress, spent_today
from summarizer.runs.execution import Stop
from summarizer.runs.job import Job, JobReport
from summarizer.runs.queue import cancel, create_runs
from tests.summarizer.making import (
    BY_COMMAND,
    MODEL,
    claimed_run,
    let_lease_run_out,
    plain_notes,
    queued_run,
    rows_of,
    summarised,
)
from tests.summarizer.runs.trouble import trouble

pytestmark = pytest.mark.django_db(transaction=True)


def most_of_a_run(rows: int = 50) -> Decimal:
    bound = most_cost([note.text for note in plain_notes(rows)], MODEL)
    assert bound is not None
    return bound


async def worked_off(config: ModelConfig, budget: Budget, concurrency: int = 1) -> JobReport:
    report = await Job(config, Stop(), concurrency, budget=budget).work_off()
    await close_clients()
    return report


def states() -> list[str]:
    return list(Run.objects.order_by("pk").values_list("state", flat=True))


@pytest.fixture
def queue_of() -> Callable[[int], None]:
    def queue(runs: int) -> None:
        for _ in range(runs):
            create_runs(plain_notes(3), BY_COMMAND, model_config())

    return queue


async def test_a_job_stops_before_the_run_that_could_pass_its_limit(
    config: ModelConfig, queue_of: Callable[[int], None]
) -> None:
    await in_database(queue_of, 4)
    report = await worked_off(config, Budget(limit=most_of_a_run(3)))
    assert (report.runs, report.left, report.cost_limit) == (1, 3, "--max-cost")
    assert await in_database(states) == [RunState.COMPLETED] + [RunState.QUEUED] * 3


async def test_a_limit_of_nothing_starts_nothing(config: ModelConfig, queue_of: Callable[[int], None]) -> None:
    await in_database(queue_of, 2)
    report = await worked_off(config, Budget(limit=Decimal(0)))
    assert (report.runs, report.left) == (0, 2)


async def test_a_limit_that_holds_everything_changes_nothing(
    config: ModelConfig, queue_of: Callable[[int], None]
) -> None:
    await in_database(queue_of, 3)
    report = await worked_off(config, Budget(limit=Decimal(10)), concurrency=3)
    assert (report.runs, report.left, report.cost_limit) == (3, 0, "")


async def test_runs_side_by_side_do_not_set_the_same_money_aside(
    config: ModelConfig, queue_of: Callable[[int], None]
) -> None:
    await in_database(queue_of, 4)
    report = await worked_off(config, Budget(limit=most_of_a_run(3)), concurrency=4)
    assert (report.runs, report.left) == (1, 3)


async def test_a_row_of_unknown_cost_counts_as_the_most_it_could_have_cost(config: ModelConfig) -> None:
    await in_database(queued_run, "Broken. [[fault: drop-mid]]")
    budget = Budget(limit=Decimal(1))
    await worked_off(config, budget)
    assert budget.spent == most_cost(["Broken. [[fault: drop-mid]]"], MODEL)


async def test_the_daily_limit_counts_what_others_spent_since_midnight(config: ModelConfig) -> None:
    await in_database(queued_run, "A note: 5 EUR.")
    await worked_off(config, Budget())
    spent = await in_database(spent_today)
    assert spent > 0
    await in_database(queued_run, "Another note.")
    report = await worked_off(config, Budget(daily_limit=spent))
    assert report.cost_limit == "SUMMARISE_DAILY_COST_LIMIT"
    assert await in_database(states) == [RunState.COMPLETED, RunState.QUEUED]


async def test_what_was_spent_yesterday_is_not_of_today(config: ModelConfig) -> None:
    run = await in_database(queued_run, "A note.")
    yesterday = timezone.now() - timedelta(days=1)
    await in_database(
        lambda: Outcome.objects.filter(run=run).update(
            state=OutcomeState.SUMMARISED, summary="x", cost=Decimal(9), finished_at=yesterday
        )
    )
    assert await in_database(spent_today) == 0


def test_a_limit_for_a_model_of_unknown_price_is_refused() -> None:
    with pytest.raises(PriceUnknown, match="LLM_PRICES"):
        budget_for(Decimal(1), "somebody-elses-model")
    assert not budget_for(None, "somebody-elses-model").is_limited
    with override_settings(SUMMARISE_DAILY_COST_LIMIT=Decimal(5)), pytest.raises(PriceUnknown):
        budget_for(None, "somebody-elses-model")


async def test_a_queued_run_whose_model_has_no_price_stays_queued_under_a_limit(config: ModelConfig) -> None:
    run = await in_database(queued_run, "A note.")
    await in_database(lambda: Run.objects.filter(pk=run.pk).update(model="somebody-elses-model"))
    report = await worked_off(config, Budget(limit=Decimal(100)))
    assert (report.unpriced, report.cost_limit, report.left) == ([run.pk], "", 1)
    assert await in_database(states) == [RunState.QUEUED]


async def test_it_does_not_hold_up_what_is_queued_behind_it(config: ModelConfig) -> None:
    run = await in_database(queued_run, "A note.")
    await in_database(lambda: Run.objects.filter(pk=run.pk).update(model="somebody-elses-model"))
    await in_database(queued_run, "Another note.")
    report = await worked_off(config, Budget(limit=Decimal(100)))
    assert (report.runs, report.left) == (1, 1)


async def test_a_limit_is_used_up_by_what_runs_do_cost_and_not_by_the_most_they_could(
    config: ModelConfig, queue_of: Callable[[int], None]
) -> None:
    await in_database(queue_of, 4)
    report = await worked_off(config, Budget(limit=most_of_a_run(3) * Decimal("1.9")), concurrency=4)
    assert (report.runs, report.left, report.cost_limit) == (4, 0, "")


@pytest.mark.parametrize("oldest_first", [(claimed_run, queued_run), (queued_run, claimed_run)])
async def test_the_daily_limit_counts_what_others_have_before_them(
    config: ModelConfig, oldest_first: tuple[Callable[[str], object], ...]
) -> None:
    for make in oldest_first:
        await in_database(make, "Somebody else's: 5 EUR.")
    most = await in_database(in_progress)
    assert most == most_cost(["Somebody else's: 5 EUR."], MODEL)
    report = await worked_off(config, Budget(daily_limit=most * Decimal("1.5")))
    assert (report.runs, report.cost_limit) == (0, "SUMMARISE_DAILY_COST_LIMIT")


async def test_of_runs_claimed_at_the_same_moment_the_daily_limit_keeps_the_oldest(config: ModelConfig) -> None:
    claims = [await in_database(claimed_run, "A note: 5 EUR.") for _ in range(3)]
    budget = Budget(daily_limit=(await in_database(in_progress)) / 2)
    assert [await in_database(budget.still_holds, claim.run_id) for claim in claims] == [True, False, False]


async def test_an_abandoned_run_counts_once_against_the_daily_limit(config: ModelConfig) -> None:
    claims = [await in_database(claimed_run, "A note: 5 EUR.") for _ in range(4)]
    most = await in_database(in_progress)
    for claim in claims:
        await in_database(let_lease_run_out, claim.run_id)
    assert await in_database(in_progress) == 0
    report = await worked_off(config, Budget(daily_limit=most))
    assert (report.runs, report.left, report.cost_limit) == (4, 0, "")


async def test_what_rows_of_unknown_cost_can_have_cost_counts_against_the_daily_limit(config: ModelConfig) -> None:
    text = "A note of unknown cost: 5 €. [[fault: no-usage]]"
    most = most_cost([text], MODEL)
    assert most is not None
    await in_database(queued_run, text)
    await worked_off(config, Budget())
    assert await in_database(spent_today) == most
    await in_database(queued_run, text)
    report = await worked_off(config, Budget(daily_limit=most * Decimal("1.5")))
    assert (report.runs, report.cost_limit) == (0, "SUMMARISE_DAILY_COST_LIMIT")


async def test_what_was_withdrawn_before_it_began_has_cost_nothing(config: ModelConfig) -> None:
    run = await in_database(queued_run, "A note.")
    await in_database(cancel, run.pk)
    assert await in_database(spent_today) == 0


@pytest.mark.parametrize("sums", [spent_today, in_progress])
def test_sums_take_as_many_queries_for_many_rows_and_models_as_for_one(sums: Callable[[], Decimal]) -> None:
    counts = []
    for _ in range(2):
        for model in (MODEL, "gpt-4o-2024-08-06", "somebody-elses-model"):
            run_of_unknown_cost(model, *"abc")
            claimed_run("d", config=replace(model_config(), model=model))
        with CaptureQueriesContext(connection) as queries:
            assert sums() > 0
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 2


def run_of_unknown_cost(model: str, *texts: str) -> None:
    claimed = claimed_run(*texts, config=replace(model_config(), model=model))
    for row in rows_of(claimed.run_id):
        lease.store(claimed, row.pk, summarised(), model, timezone.now())
    lease.end(claimed)


async def test_a_claim_that_breaks_leaves_nothing_set_aside(
    config: ModelConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PATIENCE_SECONDS", 0.2)
    await in_database(queued_run, "A note: 5 EUR.")
    budget = Budget(limit=most_cost(["A note: 5 EUR."], MODEL))
    async with trouble("is away", "NEW.state = 'running'", table="summarizer_run"):
        report = await worked_off(config, budget)
    assert (report.runs, report.left, report.cost_limit, budget.is_in_use) == (0, 1, "", False)
    report = await worked_off(config, budget)
    assert (report.runs, report.left, report.cost_limit) == (1, 0, "")


async def test_no_row_of_the_scripted_model_costs_more_than_its_bound(config: ModelConfig) -> None:
    texts = ["A note: 5 EUR.", "৳ ১,২০০ এবং ৳ ৫০০", "Rechnung: " + ", ".join(f"{n},50 EUR" for n in range(1, 9))]
    run = await in_database(queued_run, *texts)
    await worked_off(config, Budget())
    rows = await in_database(lambda: list(Outcome.objects.filter(run=run)))
    for row in rows:
        most_in, most_out = most_of_rows(1, len(row.text.encode()))
        assert row.input_tokens is not None
        assert row.output_tokens is not None
        assert row.input_tokens <= most_in
        assert row.output_tokens <= most_out


def test_the_most_that_a_row_can_cost_grows_with_its_text_and_is_unknown_without_a_price() -> None:
    short, long_ = (most_cost([text], MODEL) for text in ("a", "a" * 4000))
    assert short is not None
    assert long_ is not None
    assert short < long_
    assert most_cost(["a"], "nobody-entered-me") is None
