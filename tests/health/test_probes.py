"""Probes: whether the process lives, and whether it can do its work and, where not, why."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import OperationalError, connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import AsyncClient, Client
from django.utils import timezone
from pytest_django import Settings

from backoffice.health import readiness
from summarizer.models import Run
from summarizer.runs import lease
from tests.audit.ageing import date_back
from tests.summarizer.making import claimed_run, queued_run

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _nothing_known() -> Iterator[None]:
    readiness._known.clear()
    yield
    readiness._known.clear()


def reasons(client: Client) -> list[str]:
    answer = client.get("/readyz")
    found: list[str] = answer.json()["reasons"]
    assert (answer.status_code, answer.json()["ready"]) == ((503, False) if found else (200, True))
    return found


@pytest.mark.parametrize("method", ["get", "head"])
async def test_a_process_that_lives_says_so_without_a_database(async_client: AsyncClient, method: str) -> None:
    answer = await getattr(async_client, method)("/healthz")
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_probes_only_read(client: Client, path: str) -> None:
    assert client.post(path).status_code == 405


@pytest.mark.django_db(transaction=True)
def test_a_service_that_can_do_its_work_is_ready(client: Client) -> None:
    assert reasons(client) == []


@pytest.mark.django_db(transaction=True)
def test_a_migration_that_is_not_applied_is_a_reason(client: Client) -> None:
    recorder = MigrationRecorder(connection)
    [(app, last)] = MigrationLoader(connection).graph.leaf_nodes("audit")
    recorder.record_unapplied(app, last)
    assert reasons(client) == ["Migrations are not applied (1): run manage.py migrate."]
    recorder.record_applied(app, last)
    assert reasons(client) == []


@pytest.mark.django_db(transaction=True)
def test_a_database_that_does_not_answer_is_a_reason_and_its_words_are_not(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> None:
        raise OperationalError("could not connect to db.internal as backoffice")

    monkeypatch.setattr(type(connections["default"]), "cursor", away)
    assert reasons(client) == ["The database does not answer (OperationalError)."]


@pytest.mark.django_db(transaction=True)
def test_a_run_that_has_waited_for_too_long_is_a_reason(client: Client, settings: Settings) -> None:
    settings.READY_MAX_QUEUE_SECONDS = 3600
    run = queued_run()
    assert reasons(client) == []
    date_back(run.pk, DAY)
    assert reasons(client) == ["The oldest run has waited for 24.0 h: does the nightly job run?"]


@pytest.mark.django_db(transaction=True)
def test_an_interrupted_run_waits_like_a_queued_one(client: Client, settings: Settings) -> None:
    settings.READY_MAX_QUEUE_SECONDS = 3600
    claimed = claimed_run()
    lease.end(claimed)
    queued_run()
    date_back(claimed.run_id, 2 * DAY)
    assert "48.0 h" in reasons(client)[0]


@pytest.mark.django_db(transaction=True)
def test_how_long_a_run_may_wait_is_a_setting_and_nought_is_for_ever(client: Client, settings: Settings) -> None:
    date_back(queued_run().pk, 30 * DAY)
    settings.READY_MAX_QUEUE_SECONDS = 0
    assert reasons(client) == []


@pytest.mark.django_db(transaction=True)
def test_a_run_that_is_worked_on_does_not_wait(client: Client) -> None:
    date_back(claimed_run().run_id, 30 * DAY)
    assert Run.objects.held(timezone.now()).count() == 1
    assert reasons(client) == []


@pytest.mark.django_db(transaction=True)
def test_a_run_that_the_nightly_job_will_never_take_is_no_reason(client: Client, settings: Settings) -> None:
    """One made while trying out, before the switch to a real provider."""
    date_back(queued_run().pk, 30 * DAY)
    settings.LLM_PROVIDER, settings.OPENAI_API_KEY = "openai", "k"
    assert reasons(client) == []
    date_back(queued_run().pk, 2 * DAY)
    assert "48.0 h" in reasons(client)[0]
