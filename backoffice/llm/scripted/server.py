"""The stand-in's door on a port: what `manage.py scripted_model` and the tests' own server processes run."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from backoffice.llm.scripted.connection import Connection
from backoffice.llm.scripted.doors import Handler


@dataclass(frozen=True, slots=True)
class Address:
    host: str
    port: int

    @property
    def base_url(self) -> str:
        """What OPENAI_BASE_URL is set to."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}/v1"


@asynccontextmanager
async def serving(handler: Handler, host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[Address]:
    """Serve within the block; port 0 takes any free one. Raises OSError where the port is taken.

    Leaving cuts what is still being answered.
    """
    opened: set[Connection] = set()
    server = await asyncio.get_running_loop().create_server(lambda: Connection(handler, opened), host, port)
    try:
        yield Address(host, server.sockets[0].getsockname()[1])
    finally:
        server.close()
        for connection in list(opened):
            connection.close()
        await server.wait_closed()


async def serve(handler: Handler, host: str, port: int, announce: Callable[[Address], None]) -> None:
    """Serve until SIGTERM or SIGINT. Raises OSError where the port is taken."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    async with serving(handler, host, port) as address:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stopped.set)
        announce(address)
        await stopped.wait()
