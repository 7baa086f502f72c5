"""The evidence desk over a small corpus of the tests' own; a test that asks for none gets the shipped one."""

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from django.core.cache import cache
from pytest_django import DjangoDbBlocker, Settings

from backoffice.evidencedesk.models import Answer
from backoffice.llm.client import close_clients
from backoffice.llm.scripted.script import Script
from tests.evidencedesk.desk import Desk, write_document
from tests.llm.streams import Player


@pytest.fixture
def answers_table(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """For code that writes from threads of its own; it empties one table after a test and not every one."""
    with django_db_blocker.unblock():
        yield
        Answer.objects.all().purge()


@pytest.fixture
async def desk(answers_table: None) -> AsyncIterator[Desk]:
    cache.clear()
    yield Desk()
    await close_clients()


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    """An empty corpus in force."""
    settings.EVIDENCE_CORPUS = str(tmp_path)
    return tmp_path


@pytest.fixture
def corpus(folder: Path) -> Path:
    """Terms that hold, terms that held, a draft, and something that shares no word with either."""
    write_document(
        folder,
        "terms",
        "Invoices are payable within 30 days. Amounts above 1,250.50 EUR are payable in 130 days.",
        title="Payment terms",
    )
    write_document(folder, "old-terms", "Invoices are payable within 45 days.", "superseded", "Old payment terms")
    write_document(folder, "next-terms", "Invoices will be payable within 20 days.", "draft", "Next payment terms")
    write_document(folder, "lunch", "Lunch costs 7 EUR.", title="Canteen")
    return folder


@pytest.fixture
async def play(serve_model: Callable[[Player], None], corpus: Path) -> Callable[..., Player]:
    """`play(script, …)`: over the small corpus, a model that answers one script after another."""

    def played(*scripts: Script) -> Player:
        player = Player(*scripts)
        serve_model(player)
        return player

    return played
