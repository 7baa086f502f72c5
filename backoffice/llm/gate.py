"""How many calls may be in flight, and when the next may start: one gate for each event loop and provider.

A 429 speaks to the whole process, not to the call that got it. Whoever waits at the gate starts when the provider said
it may; nothing here retries anything.
"""

import asyncio
import email.utils
import time
import weakref
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

LONGEST_HOLD_SECONDS = 120.0
"""As long as the SDK itself is willing to wait."""


class Gate:
    def __init__(self, places: int) -> None:
        self._places = asyncio.Semaphore(places)
        self._opens_at = 0.0

    def hold(self, seconds: float) -> None:
        """Let nobody start for so long; a shorter hold never ends a longer one."""
        until = asyncio.get_running_loop().time() + min(seconds, LONGEST_HOLD_SECONDS)
        self._opens_at = max(self._opens_at, until)

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """A place among the calls in flight, held to the end of the block."""
        async with self._places:
            await self._opening()
            yield

    async def _opening(self) -> None:
        clock = asyncio.get_running_loop().time
        while (wait := self._opens_at - clock()) > 0:  # noqa: ASYNC110 - a moment in time, and it may move on
            await asyncio.sleep(wait)


_gates: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[str, int], Gate]] = weakref.WeakKeyDictionary()


def gate_for(base_url: str, places: int) -> Gate:
    """The gate of the running event loop to this provider."""
    gates = _gates.setdefault(asyncio.get_running_loop(), {})
    return gates.setdefault((base_url, places), Gate(places))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds, from `retry-after-ms` or `Retry-After` (RFC 9110: seconds or a date); None where unreadable."""
    try:
        if "retry-after-ms" in headers:
            return _not_negative(float(headers["retry-after-ms"]) / 1000)
        value = headers.get("retry-after", "")
        if value.strip().replace(".", "", 1).isdecimal():
            return _not_negative(float(value))
        return _not_negative(email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def _not_negative(seconds: float) -> float | None:
    return seconds if seconds >= 0 else None
