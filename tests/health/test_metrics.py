"""Metrics for Prometheus: what this process did, what the database knows, and who may read them."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import OperationalError, connection, connections
from django.test import Client
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from backoffice.llm.client import ModelConfig
from backoffice.llm.scripted import Options, ScriptedModel
from backoffice.llm.scripted.faults import parse_faults
from backoffice.llm.streaming import ModelRequest, ModelStream, complete
from summarizer.health import rows_ended, runs_unfinished, waiting_since
from summarizer.models import Outcome
from tests.audit.ageing import COST, date_back, finished_run
from tests.summarizer.making import claimed_run, let_lease_run_out, queued_run

HELLO = ModelRequest([{"role": "user", "content": "Hello."}], 50)
Sample = dict[tuple[str, ...], float]


def scraped(client: Client, name: str) -> Sample:
    """The samples of one metric, by the values of their labels, in the order of the labels' names."""
    answer = client.get("/metrics")
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.content.decode())
    samples = (sample for family in families for sample in family.samples if sample.name == name)
    return {tuple(value for _, value in sorted(sample.labels.items())): sample.value for sample in samples}


def counted(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


class Grown:
    """By how much a sample of this process has grown since."""

    def __init__(self, name: str, **labels: str) -> None:
        self._name, self._labels = name, labels
        self._before = counted(name, **labels)

    @property
    def by(self) -> float:
        return counted(self._name, **self._labels) - self._before


def asked(config: ModelConfig) -> dict[str, str]:
    return {"provider": config.provider, "model": config.model}


async def test_every_call_is_counted_with_how_long_it_took(config: ModelConfig) -> None:
    calls = Grown("backoffice_model_call_seconds_count", **asked(config), code="ok")
    texts = Grown("backoffice_model_first_text_seconds_count", **asked(config))
    await complete(HELLO, config)
    assert (calls.by, texts.by) == (1, 1)


@pytest.mark.parametrize(("fault", "code"), [("drop-mid", "connection"), ("400", "rejected"), ("eof", "interrupted")])
async def test_a_call_that_failed_is_counted_under_its_code(
    config_for: Callable[..., ModelConfig], fault: str, code: str
) -> None:
    config = config_for(ScriptedModel(Options(faults=parse_faults(fault))))
    calls = Grown("backoffice_model_call_seconds_count", **asked(config), code=code)
    await complete(HELLO, config)
    assert calls.by == 1


async def test_a_call_whose_caller_left_is_counted_once(config_for: Callable[..., ModelConfig]) -> None:
    config = config_for(ScriptedModel(Options(faults=parse_faults("stall-mid"))))
    calls = Grown("backoffice_model_call_seconds_count", **asked(config), code="left")
    async with ModelStream(HELLO, config) as stream:
        async for _ in stream:
            break
    call = asyncio.create_task(complete(HELLO, config))
    await asyncio.sleep(0.05)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert calls.by == 2


async def test_tokens_and_cost_are_added_up(config: ModelConfig) -> None:
    read = Grown("backoffice_model_tokens_total", **asked(config), kind="input")
    written = Grown("backoffice_model_tokens_total", **asked(config), kind="output")
    cost = Grown("backoffice_model_cost_usd_total", **asked(config))
    usage = (await complete(HELLO, config)).usage
    assert (read.by, written.by) == (usage.input_tokens, usage.output_tokens)
    assert cost.by == pytest.approx((read.by * 0.15 + written.by * 0.60) / 1e6)


async def test_a_call_of_unknown_cost_is_counted_as_that(config_for: Callable[..., ModelConfig]) -> None:
    config = config_for(ScriptedModel(Options(faults=parse_faults("no-usage"))))
    unknown = Grown("backoffice_model_calls_of_unknown_cost_total", **asked(config))
    cost = Grown("backoffice_model_cost_usd_total", **asked(config))
    await complete(HELLO, config)
    assert (unknown.by, cost.by) == (1, 0)


@pytest.mark.django_db(transaction=True)
def test_a_scrape_has_what_the_process_did_and_what_it_is(client: Client) -> None:
    assert scraped(client, "backoffice_database_up") == {(): 1}
    assert client.get("/metrics")["Content-Type"].startswith("text/plain")
    assert "python_info" in client.get("/metrics").content.decode()


@pytest.mark.django_db(transaction=True)
def test_the_queue_is_measured_at_the_scrape(client: Client) -> None:
    queued_run("One.", "Two.")
    queued_run("Three.")
    claimed_run("Four.")
    let_lease_run_out(claimed_run("Five.").run_id)
    runs = {("scripted", "queued"): 2, ("scripted", "interrupted"): 0, ("scripted", "running"): 2}
    assert scraped(client, "backoffice_queue_runs") == runs
    assert scraped(client, "backoffice_queue_stalled_runs") == {(): 1}
    assert scraped(client, "backoffice_queue_rows") == {(): 5}


@pytest.mark.django_db(transaction=True)
def test_the_age_of_the_queue_is_that_of_its_oldest_run(client: Client) -> None:
    assert scraped(client, "backoffice_queue_oldest_seconds") == {(): 0}
    date_back(queued_run().pk, timedelta(hours=2))
    queued_run()
    assert scraped(client, "backoffice_queue_oldest_seconds")[()] == pytest.approx(7200, abs=60)


@pytest.mark.django_db(transaction=True)
def test_what_another_provider_left_behind_is_counted_by_its_name_and_alerts_nobody(
    client: Client, settings: Settings
) -> None:
    date_back(queued_run().pk, timedelta(hours=40))
    let_lease_run_out(claimed_run().run_id)
    settings.LLM_PROVIDER, settings.OPENAI_API_KEY = "openai", "k"
    assert scraped(client, "backoffice_queue_oldest_seconds") == {(): 0}
    assert scraped(client, "backoffice_queue_stalled_runs") == {(): 0}
    counts = scraped(client, "backoffice_queue_runs")
    assert (counts["scripted", "queued"], counts["scripted", "running"]) == (1, 1)
    assert {count for (provider, _), count in counts.items() if provider == "openai"} == {0}


@pytest.mark.django_db(transaction=True)
def test_rows_of_the_last_day_are_measured_by_outcome_and_code(client: Client) -> None:
    finished_run("One.", "Two.", "unknown", "fails timeout", "fails timeout", "fails rejected", ago=timedelta(hours=1))
    finished_run("Long ago.", ago=timedelta(hours=25))
    assert scraped(client, "backoffice_rows_last_day") == {
        ("", "summarised"): 3,
        ("timeout", "failed"): 2,
        ("rejected", "failed"): 1,
    }
    assert scraped(client, "backoffice_tokens_last_day") == {("input",): 2_000, ("output",): 200}
    assert scraped(client, "backoffice_cost_usd_last_day") == {(): pytest.approx(float(2 * COST))}
    assert scraped(client, "backoffice_rows_of_unknown_cost_last_day") == {(): 4}


@pytest.mark.django_db
def test_the_questions_asked_of_the_database_are_answered_by_indexes() -> None:
    finished_run(ago=timedelta(hours=1))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
    since = Outcome.objects.values_list("finished_at", flat=True)[0]
    assert "outcome_state" in rows_ended(since).explain()
    assert "outcome_state" in Outcome.objects.pending().order_by().explain()
    assert "run_state" in runs_unfinished().explain()
    assert waiting_since("scripted") is None


@pytest.mark.django_db(transaction=True)
def test_a_database_that_does_not_answer_is_a_measurement_too(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object, **__: object) -> None:
        raise OperationalError("gone")

    monkeypatch.setattr(type(connections["default"]), "cursor", away)
    assert scraped(client, "backoffice_database_up") == {(): 0}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("headers", "status"),
    [({}, 401), ({"Authorization": "Bearer wrong"}, 401), ({"Authorization": "Bearer s3cret"}, 200)],
)
def test_where_a_token_is_set_its_bearer_may_scrape(
    client: Client, settings: Settings, headers: dict[str, str], status: int
) -> None:
    settings.METRICS_TOKEN = "s3cret"
    answer = client.get("/metrics", headers=headers)
    assert answer.status_code == status
    assert ("WWW-Authenticate" in answer) == (status == 401)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("address", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("10.0.0.7", {}, 401),
        ("127.0.0.1", {"X-Forwarded-For": "10.0.0.7"}, 401),
        ("127.0.0.1", {"Forwarded": "for=10.0.0.7"}, 401),
    ],
)
def test_without_a_token_whoever_asks_from_this_machine_may(
    client: Client, address: str, headers: dict[str, str], status: int
) -> None:
    assert client.get("/metrics", REMOTE_ADDR=address, headers=headers).status_code == status
