"""Both doors of the scripted model, opened to the real SDK, so that each test holds for either."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

import openai
import pytest

from backoffice.llm.scripted import Options, ScriptedModel, ScriptedTransport
from backoffice.llm.scripted.doors import Exchange, Handler
from backoffice.llm.scripted.server import serving


class Door:
    """Opens clients of the SDK to a stand-in; `exchanges` is what its observer saw."""

    def __init__(self, in_process: bool, stack: AsyncExitStack) -> None:
        self.in_process = in_process
        self.exchanges: list[Exchange] = []
        self._stack = stack

    async def open(self, options: Options | None = None, **client: Any) -> openai.AsyncOpenAI:
        return await self.open_to(ScriptedModel(options, self.exchanges.append), **client)

    async def open_to(self, handler: Handler, **client: Any) -> openai.AsyncOpenAI:
        if self.in_process:
            client |= {"base_url": "http://scripted.invalid/v1"}
            http_client = openai.DefaultAioHttpClient(transport=ScriptedTransport(handler))
        else:
            address = await self._stack.enter_async_context(serving(handler))
            client |= {"base_url": address.base_url}
            http_client = openai.DefaultAioHttpClient()
        sdk = openai.AsyncOpenAI(api_key="none", http_client=http_client, **client)
        return await self._stack.enter_async_context(sdk)


@pytest.fixture(params=["in process", "on a port"])
async def door(request: pytest.FixtureRequest) -> AsyncIterator[Door]:
    async with AsyncExitStack() as stack:
        yield Door(request.param == "in process", stack)
