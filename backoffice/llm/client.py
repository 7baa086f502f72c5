"""Which model is called and over what: the one file of the core that reads Django's settings.

An AsyncOpenAI belongs to the event loop it first ran on (shared across loops, most calls fail with a bare RuntimeError)
and costs tens of milliseconds to make, so there is one for each loop and configuration.
"""

import asyncio
import weakref
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeVar

import httpx2
from django.conf import settings
from openai import AsyncOpenAI, DefaultAioHttpClient

from backoffice.llm.failures import NotConfigured
from backoffice.llm.gate import Gate, gate_for, retry_after
from backoffice.llm.scripted import ScriptedTransport
from backoffice.llm.usage import Price

T = TypeVar("T")

CONNECT_TIMEOUT = 10.0
RATE_LIMITED = 429
SDK_RETRIES = 2
"""The only retries of a model call."""


@dataclass(frozen=True, slots=True)
class ModelConfig:
    provider: str
    """`openai` or `scripted`."""
    model: str
    """The pinned snapshot asked for."""
    api_key: str
    base_url: str
    chunk_timeout: float
    """Seconds between data events; comments do not count."""
    call_timeout: float
    """Seconds for the whole call, the SDK's retries and waits included."""
    max_in_flight: int = 32
    """Calls of one process that may be in flight at once, of those that pass the gate."""


def model_config() -> ModelConfig:
    """The configuration in force. Raises NotConfigured, whose message names the variable to set."""
    if settings.LLM_PROVIDER == "openai" and not settings.OPENAI_API_KEY:
        raise NotConfigured(
            "No model is configured: set OPENAI_API_KEY (any value will do for a server that asks for none), "
            "or LLM_PROVIDER=scripted to try everything without a key."
        )
    return ModelConfig(
        settings.LLM_PROVIDER,
        settings.LLM_MODEL,
        settings.OPENAI_API_KEY,
        settings.OPENAI_BASE_URL,
        settings.LLM_CHUNK_TIMEOUT,
        settings.LLM_CALL_TIMEOUT,
        settings.LLM_MAX_IN_FLIGHT,
    )


def price_of(model: str) -> Price | None:
    """The list price from the settings, None where nobody entered one."""
    price = settings.LLM_PRICES.get(model)
    if price is None:
        return None
    return Price(*(Decimal(str(price[name])) for name in ("input", "cached", "output")))


_clients: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[ModelConfig, AsyncOpenAI]] = (
    weakref.WeakKeyDictionary()
)


def client_for(config: ModelConfig) -> AsyncOpenAI:
    """The client of the running event loop."""
    clients = _clients.setdefault(asyncio.get_running_loop(), {})
    client = clients.get(config)
    if client is None:
        client = clients[config] = _new_client(config)
    return client


def _new_client(config: ModelConfig) -> AsyncOpenAI:
    timeout = httpx2.Timeout(
        config.chunk_timeout, connect=min(CONNECT_TIMEOUT, config.chunk_timeout), pool=config.call_timeout
    )
    scripted = config.provider == "scripted"
    hooks = {"response": [_heed_rate_limit(config)]}
    http_client = (
        DefaultAioHttpClient(transport=ScriptedTransport(), event_hooks=hooks)
        if scripted
        else DefaultAioHttpClient(event_hooks=hooks)
    )
    return AsyncOpenAI(
        api_key="scripted" if scripted else config.api_key,
        base_url="http://scripted.invalid/v1" if scripted else config.base_url,
        timeout=timeout,
        max_retries=SDK_RETRIES,
        http_client=http_client,
    )


def gate_of(config: ModelConfig) -> Gate:
    """Where calls that can wait, wait: rows do, a customer in a chat does not."""
    return gate_for(config.base_url, config.max_in_flight)


def _heed_rate_limit(config: ModelConfig) -> Callable[[httpx2.Response], Awaitable[None]]:
    """Every 429 is seen here, those that the SDK retries too. Nobody waits for one longer than a call may take."""

    async def heed(response: httpx2.Response) -> None:
        if response.status_code == RATE_LIMITED:
            gate = gate_of(config)
            gate.limited()
            gate.hold(min(retry_after(response.headers) or 0, config.call_timeout))

    return heed


async def close_clients() -> None:
    """Close the clients of the running loop; call it when the loop's work ends."""
    for client in _clients.pop(asyncio.get_running_loop(), {}).values():
        await client.close()


def run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """Enter the loop once, at the top of a command or a worker's task, and leave no client behind."""

    async def closing() -> T:
        try:
            return await work
        finally:
            await close_clients()

    return asyncio.run(closing())
