from collections.abc import AsyncIterator

import pytest
from django.contrib.auth.models import User

from backoffice.background import wind_down
from backoffice.database import in_database
from backoffice.llm.client import close_clients
from tests.summarizer.http.standards import Caller


@pytest.fixture
async def caller(operator: User) -> AsyncIterator[Caller]:
    """An operator's program; whatever it left running ends with the test."""
    yield await in_database(Caller, operator)
    await wind_down()
    await close_clients()
