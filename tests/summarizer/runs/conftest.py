"""What the tests of a run's life share."""

from collections.abc import Callable

import pytest
from pytest_django import Settings

from backoffice.database import in_database
from backoffice.llm.client import ModelConfig
from summarizer.models import RunState
from summarizer.runs.execution import EndedRow, Stop, work
from summarizer.runs.queue import Claim
from tests.summarizer.making import claimed_run


class Working:
    """Works claimed runs with one configuration and one stop, and keeps who ended when."""

    def __init__(self, config: ModelConfig) -> None:
        self.config = config
        self.stop = Stop()
        self.ended: list[EndedRow] = []

    async def claimed(self, *texts: str) -> Claim:
        return await in_database(claimed_run, *texts, config=self.config)

    async def __call__(self, claimed: Claim) -> RunState | None:
        return await work(claimed, self.config, self.stop, self.ended.append)

    @property
    def order(self) -> list[int]:
        return [row.row_id for row in self.ended]


@pytest.fixture
def working(config: ModelConfig) -> Working:
    return Working(config)


@pytest.fixture
def lease_of(settings: Settings) -> Callable[[float], None]:
    """`lease_of(seconds)`: how long a lease lasts from now on."""

    def lasts(seconds: float) -> None:
        settings.RUN_LEASE_SECONDS = seconds

    return lasts
