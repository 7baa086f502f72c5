"""`uvicorn backoffice.asgi:application` serves everything."""

import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backoffice.settings")
django_application = get_asgi_application()

from backoffice.background import wind_down  # noqa: E402 - these need Django set up
from backoffice.llm.client import close_clients  # noqa: E402
from backoffice.middleware import spare_request_threads  # noqa: E402

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


spare_request_threads()


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await _live(receive, send)
    else:
        await django_application(scope, receive, send)


async def _live(receive: Receive, send: Send) -> None:
    """Background work and the model clients belong to the server's event loop and end with it."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.shutdown":
            await wind_down()
            await close_clients()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
