"""The chat as a customer's program meets it: over HTTP, with a model and a weather that the test decides on."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.core.cache import cache
from django.test import AsyncClient
from pytest_django import Settings

from backoffice.llm.scripted.doors import Handler
from backoffice.llm.scripted.script import Script
from backoffice.llm.sse import EventParser
from tests.weatherbot.playing import PlayedModel
from weatherbot import backends
from weatherbot.backends.mock import MockBackend
from weatherbot.backends.reports import Query

JSON = "application/json"


@pytest.fixture(autouse=True)
def _fresh_limits(settings: Settings) -> None:
    settings.WEATHER_RATE = "100000/s"
    cache.clear()


@pytest.fixture
def play(serve_model: Callable[[Handler], None]) -> Callable[..., PlayedModel]:
    """`play(script, …)`: the model that answers one script after another."""

    def played(*scripts: Script) -> PlayedModel:
        model = PlayedModel(*scripts)
        serve_model(model)
        return model

    return played


@dataclass
class Weather(MockBackend):
    """The mock weather, counted; `delays` are seconds by place."""

    lookups: list[Query] = field(default_factory=list)
    delays: dict[str, float] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)

    async def weather(self, query: Query) -> dict[str, Any]:
        self.lookups.append(query)
        await asyncio.sleep(self.delays.get(query.location, 0))
        self.done.append(query.location)
        return await super().weather(query)


@pytest.fixture
def weather(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Weather:
    """Every lookup of the test goes to this backend, which is configured like any other."""
    backend = Weather()
    monkeypatch.setitem(backends.BACKENDS, f"counted-{id(backend)}", lambda: backend)
    settings.WEATHER_BACKEND = f"counted-{id(backend)}"
    return backend


@dataclass
class Streamed:
    """A stream as a client reads it."""

    events: list[tuple[str, Any]]

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.events]

    @property
    def answer(self) -> str:
        """The chunks after the last `tool`, joined."""
        last_tool = max((number for number, kind in enumerate(self.kinds) if kind == "tool"), default=-1)
        return "".join(data["text"] for kind, data in self.events[last_tool + 1 :] if kind == "chunk")


class Customer:
    """A client of the open endpoints."""

    def __init__(self) -> None:
        self._client = AsyncClient()

    async def post(self, path: str, body: Any, content_type: str = JSON, **headers: str) -> Any:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await self._client.post(path, content, content_type, headers=headers)

    async def chat(self, message: str = "Weather in Oslo?") -> Any:
        return await self.post("/weather/chat", {"message": message})

    async def answer(self, message: str = "Weather in Oslo?") -> str:
        response = await self.chat(message)
        assert response.status_code == 200, response.content
        body: Mapping[str, str] = response.json()
        assert set(body) == {"answer"}
        return body["answer"]

    async def stream(self, message: str = "Weather in Oslo?") -> Streamed:
        response = await self.post("/weather/chat/stream", {"message": message})
        assert response.status_code == 200, response.content
        assert response["Content-Type"] == "text/event-stream"
        parser = EventParser()
        events = []
        async for data in response.streaming_content:
            events += [(event.event, event.json()) for event in parser.feed(data)]
        left, cut = parser.finish()
        assert not left
        assert not cut
        return Streamed(events)


@pytest.fixture
def customer(transactional_db: None) -> Customer:
    return Customer()


@pytest.fixture
def stranger() -> Customer:
    """A client whose requests must not reach the database: there is none in the test."""
    return Customer()
