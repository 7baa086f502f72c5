"""`uvicorn backoffice.asgi:application` serves everything."""

import asyncio
import os
from typing import Any

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backoffice.settings")
django_application = get_asgi_application()

from backoffice import background, open_requests  # noqa: E402 - these need Django set up
from backoffice.health import tracing  # noqa: E402
from backoffice.llm.client import close_clients  # noqa: E402
from backoffice.middleware import spare_request_threads  # noqa: E402
from backoffice.open_requests import Receive, Send  # noqa: E402

spare_request_threads()

ON_THE_LOOP = ("/summaries/", "/weather/", "/ask")
"""Django gives each request a thread context, and with its last step, closing the response, a thread. These have
nothing to do there: they share one thread, so that a thousand customers answered at once are not a thousand threads."""


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await _live(receive, send)
        return
    on_the_loop = scope["path"].startswith(ON_THE_LOOP)
    handler = django_application.handle if on_the_loop else django_application
    await open_requests.serve(handler, scope, receive, send)


async def _live(receive: Receive, send: Send) -> None:
    """Requests, background work and the model clients belong to the server's event loop and end with it."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.shutdown":
            await asyncio.gather(open_requests.wind_down(), background.wind_down())
            await close_clients()
            await asyncio.to_thread(tracing.flush)
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
