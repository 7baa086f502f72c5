"""What the tests of the batch endpoint's headers share: a client of the real ASGI path, and batches to post."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from django.contrib.auth.models import User
from django.test import AsyncClient
from knox.models import AuthToken

from backoffice.background import wind_down
from backoffice.database import in_database
from summarizer.models import FINISHED_RUN
from tests.summarizer.making import stored_run

JSON = "application/json"
SLOW = "Delivery arrived. [[fault: ttft=0.3]]"
ENDLESS = "Delivery arrived. [[fault: stall=60]]"


def batch(*texts: str) -> dict[str, Any]:
    return {"rows": [{"row_id": row_id, "text": text} for row_id, text in enumerate(texts, 1)]}


class Caller:
    """A program with a token."""

    def __init__(self, user: User) -> None:
        _, self.token = AuthToken.objects.create(user)
        self.client = AsyncClient()

    async def post(self, body: dict[str, Any] | None = None, path: str = "/summaries/batch", **headers: str) -> Any:
        return await self.send(None if body is None else json.dumps(body), path, **headers)

    async def send(
        self, content: str | bytes | None, path: str = "/summaries/batch", content_type: str = JSON, **headers: str
    ) -> Any:
        """Post a body as it is."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()} | self._authorization
        return await self.client.post(path, content, content_type=content_type, headers=headers)

    async def get(self, path: str) -> Any:
        return await self.client.get(path, headers=self._authorization)

    @property
    def _authorization(self) -> dict[str, str]:
        return {"Authorization": f"Token {self.token}"}


async def ended(run_id: int, seconds: float = 8.0) -> str:
    """The state in which a run ends, once it has."""
    async with asyncio.timeout(seconds):
        while (run := await in_database(stored_run, run_id)).state not in FINISHED_RUN:
            await asyncio.sleep(0.02)
    return run.state


def run_id_of(response: Any) -> int:
    location = response.headers.get("Location") or response.headers["Content-Location"]
    return int(location.rsplit("/", 1)[1])


async def hang_up(request: Callable[[], Awaitable[Any]], after: Callable[[], Awaitable[Any]]) -> None:
    """Make a request, and leave when `after` has come true."""
    task = asyncio.ensure_future(request())
    await after()
    task.cancel()
    await asyncio.wait([task])


__all__ = ["ENDLESS", "SLOW", "Caller", "batch", "ended", "hang_up", "run_id_of", "wind_down"]
