from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client

from tests.admin.staff import make_person, signed_in


@pytest.fixture
def olga(db: None) -> User:
    return make_person("olga", "operator")


@pytest.fixture
def desk(olga: User) -> Client:
    """Olga, an operator, at her desk."""
    return signed_in(olga)


@pytest.fixture
def auditor(db: None) -> Client:
    return signed_in(make_person("anton", "auditor"))


@pytest.fixture
async def in_thread() -> AsyncIterator[Callable[..., Any]]:
    """`await in_thread(function)`: what needs the database, from an asynchronous test; on the thread that serves an
    asynchronous client as well, whose connection would outlive the test."""

    async def run(function: Callable[[], Any]) -> Any:
        return await sync_to_async(function)()

    yield run
    await sync_to_async(connections.close_all)()
