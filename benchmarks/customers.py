"""Customers of a chat: each holds one connection and asks again as soon as it is answered.

As cheap as the model server, since what is measured stands between the two.
"""

import asyncio
import json
import statistics
import time
from dataclasses import dataclass, field
from typing import Any

BODY = json.dumps({"message": "Do I need an umbrella in Oslo today?"}).encode()
HEAD = (
    "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    "Content-Length: {length}\r\nX-Forwarded-For: {address}\r\n\r\n"
)
UNANSWERED_SECONDS = 240


@dataclass(slots=True)
class Load:
    """What so many customers met."""

    customers: int
    wall: float = 0.0
    """Seconds."""
    waits: list[float] = field(default_factory=list)
    """Seconds from each request to its answer."""
    errors: int = 0

    @property
    def a_second(self) -> float:
        return len(self.waits) / self.wall

    @property
    def p50(self) -> float:
        return statistics.median(self.waits)

    @property
    def p99(self) -> float:
        return sorted(self.waits)[int(len(self.waits) * 0.99)]


class Customer(asyncio.Protocol):
    """Asks `chats` times, one after another; `ended` is done when the last answer has come."""

    def __init__(self, number: int, chats: int, load: Load) -> None:
        head = HEAD.format(path="/weather/chat", length=len(BODY), address=f"10.{number >> 8 & 255}.{number & 255}.1")
        self._request = head.encode() + BODY
        self._left, self._load = chats, load
        self._received = b""
        self._asked = 0.0
        self._transport: Any = None
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._ask()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.ended.done():
            self._load.errors += self._left
            self.ended.set_result(None)

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, blank, body = self._received.partition(b"\r\n\r\n")
        if not blank:
            return
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        if len(body) >= length:
            self._received = b""
            self._answered(good=head.startswith(b"HTTP/1.1 200 ") and b'"answer":"' in body.replace(b": ", b":"))

    def _ask(self) -> None:
        self._asked = time.perf_counter()
        self._transport.write(self._request)

    def _answered(self, *, good: bool) -> None:
        self._load.waits.append(time.perf_counter() - self._asked)
        self._load.errors += not good
        self._left -= 1
        if self._left:
            self._ask()
        else:
            self.ended.set_result(None)
            self._transport.close()


async def _all(port: int, load: Load, chats: int) -> None:
    loop = asyncio.get_running_loop()
    started = time.perf_counter()
    customers = [Customer(number, chats, load) for number in range(load.customers)]
    for customer in customers:
        await loop.create_connection(lambda customer=customer: customer, "127.0.0.1", port)
    async with asyncio.timeout(UNANSWERED_SECONDS):
        await asyncio.gather(*(customer.ended for customer in customers))
    load.wall = time.perf_counter() - started


def ask_all(port: int, customers: int, chats: int) -> Load:
    """So many customers at once, each with so many chats."""
    load = Load(customers)
    asyncio.run(_all(port, load, chats))
    return load
