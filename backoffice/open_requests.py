"""The requests that a server is still working on when it stops.

A server cancels what outlasts its grace. Django's handler then leaves the view behind, to die with the loop, so nothing
of it would be stored. Here a request that is cancelled hears what it hears when its client hangs up: the view stops its
model call and stores what there is, and a client that has heard nothing yet is told so in the API's own words.
"""

import asyncio
import json
import logging
import weakref
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from backoffice.llm.failures import FailureCode

logger = logging.getLogger(__name__)

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Send], Awaitable[Any]]

LAST_SECONDS = 5.0
"""How long a request may take to store what there is of it."""
RETRY_AFTER_SECONDS = 5
HUNG_UP: Message = {"type": "http.disconnect"}
STOPPED = json.dumps(
    {"detail": "The server stopped before it had answered. Please ask again.", "code": FailureCode.INTERRUPTED.value}
).encode()

_open: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict["_OpenRequest", asyncio.Task[Any]]] = (
    weakref.WeakKeyDictionary()
)


async def serve(application: Application, scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """One request, to its end."""
    loop = asyncio.get_running_loop()
    request = _OpenRequest(receive, send, loop.create_future())
    answering = loop.create_task(request.answered_by(application, scope))
    requests = _open.setdefault(loop, {})
    requests[request] = answering
    answering.add_done_callback(lambda _: requests.pop(request))
    try:
        await asyncio.shield(answering)
    except asyncio.CancelledError:
        # The server's last word to a request of its own, which now ends as if nobody had waited for it.
        request.stop()
        await asyncio.wait([answering])
        if answering.cancelled():
            raise
        if error := answering.exception():
            logger.error("a request failed as the server stopped", exc_info=error)  # noqa: TRY400 - it is not this one


async def wind_down() -> None:
    """Stop what is still open on this loop, and wait until it has left its state, for so long and no longer."""
    requests = _open.get(asyncio.get_running_loop(), {})
    for request in requests:
        request.stop()
    if requests:
        await asyncio.wait(requests.values(), timeout=LAST_SECONDS)


class _OpenRequest:
    def __init__(self, receive: Receive, send: Send, stopped: asyncio.Future[None]) -> None:
        self._receive = receive
        self._send = send
        self._stopped = stopped
        self._begun = False
        """Whether the client has heard anything yet."""

    def stop(self) -> None:
        if not self._stopped.done():
            self._stopped.set_result(None)

    async def answered_by(self, application: Application, scope: dict[str, Any]) -> None:
        await application(scope, self._hear, self._say)
        if self._stopped.done() and not self._begun:
            await self._refuse()

    async def _hear(self) -> Message:
        heard: asyncio.Future[Message] = asyncio.ensure_future(self._receive())
        try:
            either: list[asyncio.Future[Any]] = [heard, self._stopped]
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            return heard.result() if heard.done() else HUNG_UP
        finally:
            heard.cancel()

    async def _say(self, message: Message) -> None:
        self._begun = True
        await self._send(message)

    async def _refuse(self) -> None:
        headers = {
            "content-type": "application/json",
            "content-length": str(len(STOPPED)),
            "retry-after": str(RETRY_AFTER_SECONDS),
            "connection": "close",
        }
        encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
        await self._send({"type": "http.response.start", "status": 503, "headers": encoded})
        await self._send({"type": "http.response.body", "body": STOPPED})
