"""How many calls may be in flight, and when the next may start: one gate for each event loop and provider.

A 429 speaks to the whole process, not to the call that got it. Whoever waits at the gate starts when the provider said
it may, after the calls that were limited are through, and with fewer beside it than before; nothing here retries
anything.
"""

import asyncio
import email.utils
import time
import weakref
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass

LONGEST_HOLD_SECONDS = 120.0
"""As long as the SDK itself is willing to wait."""


@dataclass(slots=True)
class _Call:
    """A call in flight. `limited`: whether the provider has answered it with a 429 at least once."""

    gate: "Gate"
    number: int
    limited: bool = False


_call: ContextVar[_Call | None] = ContextVar("call", default=None)


FIRST_PLACES = 4
RESOLUTION = 1e-6
"""Seconds; less than that is no time to wait."""


class Gate:
    """Calls in flight grow and shrink as TCP's packets do (RFC 5681): a few at first, one more for each that is not
    limited; half of them where some are, and from then on one more for each round that is not. A herd that starts
    together would be limited together, and again together when the hold ends."""

    def __init__(self, places: int) -> None:
        self._places = max(1, places)
        self._wanted = float(min(self._places, FIRST_PLACES))
        self._in_flight = 0
        self._limited = 0
        self._begun = 0
        self._cut = 0
        """Calls that had begun when the places were last halved: one herd halves them once."""
        self._opens_at = 0.0
        self._changed = asyncio.Event()

    def hold(self, seconds: float) -> None:
        """Let nobody start for so long; a shorter hold never ends a longer one."""
        until = asyncio.get_running_loop().time() + min(seconds, LONGEST_HOLD_SECONDS)
        self._opens_at = max(self._opens_at, until)

    def limited(self) -> None:
        """The provider has answered the call of this context with a 429; one that holds no place changes nothing."""
        call = _call.get()
        if call is None or call.gate is not self or call.limited:
            return
        call.limited = True
        self._limited += 1
        if call.number > self._cut:
            self._cut = self._begun
            self._wanted = max(1.0, min(self._wanted, self._in_flight) / 2)

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """A place among the calls in flight, held to the end of the block."""
        while not self._is_open():
            await self._change()
        self._in_flight += 1
        self._begun += 1
        call = _Call(self, self._begun)
        token = _call.set(call)
        try:
            yield
        finally:
            _call.reset(token)
            self._left(call)

    def _is_open(self) -> bool:
        held = self._opens_at - asyncio.get_running_loop().time() > RESOLUTION
        return not held and not self._limited and self._in_flight < int(self._wanted)

    async def _change(self) -> None:
        """Wait for the hold to end, or else for a call to leave."""
        wait = self._opens_at - asyncio.get_running_loop().time()
        if wait > RESOLUTION:
            await asyncio.sleep(wait)
        else:
            await self._changed.wait()

    def _left(self, call: _Call) -> None:
        self._in_flight -= 1
        if call.limited:
            self._limited -= 1
        else:
            more = 1 / self._wanted if self._cut else 1.0
            self._wanted = min(self._places, self._wanted + more)
        self._changed.set()
        self._changed = asyncio.Event()


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
