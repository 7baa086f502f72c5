"""Fixtures that more than one room uses."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import replace

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.db.backends.postgresql.operations import DatabaseOperations
from django.test.utils import setup_databases, teardown_databases
from hypothesis import settings as hypothesis_settings
from openai import AsyncOpenAI, DefaultAioHttpClient
from pytest_django import DjangoDbBlocker, Settings

from backoffice.llm import client
from backoffice.llm.client import ModelConfig, close_clients, model_config
from backoffice.llm.scripted import ScriptedTransport
from backoffice.llm.scripted.doors import Handler

# No example fails because the machine was busy, and a change fails for what it changed: what nobody met yet is looked
# for with HYPOTHESIS_PROFILE=explore.
hypothesis_settings.register_profile("project", deadline=None, derandomize=True)
hypothesis_settings.register_profile("explore", deadline=None)
hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "project"))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long ones first, in random order among themselves: at the end no worker waits for another's."""
    items.sort(key=lambda item: item.get_closest_marker("process") is None)


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_modify_db_settings: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """Always: pytest-django makes no database where no test bears its mark, and some reach it from threads alone."""
    with django_db_blocker.unblock():
        made = setup_databases(verbosity=0, interactive=False)
    yield
    with django_db_blocker.unblock():
        _end_other_sessions()
        teardown_databases(made, verbosity=0)


def _end_other_sessions() -> None:
    """PostgreSQL drops no database that a process still holds which a test has killed, or a pool that is closing."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture(scope="session", autouse=True)
def no_signal_is_ignored() -> None:
    """Tests started by `nohup` or `&` ignore two, and so would the processes they start, which are sent them."""
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


@pytest.fixture(scope="session", autouse=True)
def emptying_tables_is_cheap() -> Iterator[None]:
    """After each test PostgreSQL would truncate every table, which costs it files and a flush of each; there is little
    to delete, and its foreign keys wait for the end of the transaction."""

    def deletes(self: DatabaseOperations, style: object, tables: Sequence[str], **options: object) -> list[str]:
        return [f"DELETE FROM {self.quote_name(table)};" for table in tables]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "sql_flush", deletes)
        yield


@pytest.fixture
async def config() -> AsyncIterator[ModelConfig]:
    """The scripted model, in process; its clients are closed with the test's loop."""
    yield model_config()
    await close_clients()


@pytest.fixture
async def config_for() -> AsyncIterator[Callable[..., ModelConfig]]:
    """`config_for(handler, **changes)`: a configuration whose calls a handler of the scripted server answers."""

    def configured(handler: Handler, **changes: object) -> ModelConfig:
        config = replace(model_config(), provider="openai", base_url=f"http://test-{id(handler)}.invalid/v1", **changes)
        http_client = DefaultAioHttpClient(transport=ScriptedTransport(handler))
        clients = client._clients.setdefault(asyncio.get_running_loop(), {})
        clients[config] = AsyncOpenAI(
            api_key="k", base_url=config.base_url, http_client=http_client, timeout=config.chunk_timeout, max_retries=2
        )
        return config

    yield configured
    await close_clients()


@pytest.fixture
async def serve_model(settings: Settings, config_for: Callable[..., ModelConfig]) -> Callable[[Handler], None]:
    """`serve_model(handler)`: from now on the product's own model calls are answered by the handler."""

    def serve(handler: Handler) -> None:
        settings.LLM_PROVIDER, settings.OPENAI_API_KEY = "openai", "k"
        settings.OPENAI_BASE_URL = config_for(handler, api_key="k").base_url

    return serve


@pytest.fixture
def operator(transactional_db: None) -> User:
    """A signed-up person who may do all that operators may, but not see everybody's runs."""
    user = User.objects.create_user("olga", password="olga", is_staff=True)
    wanted = ("add_run", "view_run", "operate_run", "view_outcome")
    user.user_permissions.set(Permission.objects.filter(content_type__app_label="summarizer", codename__in=wanted))
    return user
