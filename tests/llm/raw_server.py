"""A server on a real socket that says bytes of its own, for what no well-behaved server would do."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

HOLD = float("inf")
"""Nothing more is said until the client hangs up."""
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
CHUNKED = HEAD + b"transfer-encoding: chunked\r\n\r\n"
LAST_CHUNK = b"0\r\n\r\n"

RESET = struct.pack("ii", 1, 0)
"""SO_LINGER of no time at all: closing resets the connection (RFC 9293, section 3.10.4)."""

Part = bytes | float | asyncio.Event


def framed(*parts: bytes) -> bytes:
    """Chunked transfer coding (RFC 9112, section 7.1), without the last chunk."""
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts)


class RawServer:
    """Gives every request the same answer: bytes are sent, seconds and events are waited for, HOLD is held.

    After an answer the connection serves the next request; it is closed where `closes`, and reset where `resets`.
    """

    def __init__(self, *answer: Part, closes: bool = False, resets: bool = False) -> None:
        self._answer = answer
        self._closes = closes or resets
        self._resets = resets
        self.connections = 0
        self.requests = 0
        self.hung_up = asyncio.Event()
        """The client closed a connection."""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[str]:
        """Yields the base URL."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        try:
            yield "http://127.0.0.1:{1}/v1".format(*server.sockets[0].getsockname())
        finally:
            server.close()
            await server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while await self._request(reader):
                await self._respond(reader, writer)
                if self._closes:
                    break
        except ConnectionError:
            self.hung_up.set()
        finally:
            if self._resets:
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            writer.close()

    async def _request(self, reader: asyncio.StreamReader) -> bool:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return False
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        await reader.readexactly(int(length.partition(b":")[2]))
        self.requests += 1
        return True

    async def _respond(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for part in self._answer:
            if isinstance(part, bytes):
                writer.write(part)
                await writer.drain()
            elif isinstance(part, asyncio.Event):
                await part.wait()
            elif part == HOLD:
                await reader.read()
                self.hung_up.set()
            else:
                await asyncio.sleep(part)
