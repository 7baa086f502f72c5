"""Work that a web process goes on with after it has answered, on the server's own event loop.

It is for work that survives the process: whatever is spawned here must leave a state that somebody else can take up
when it is cancelled, since a server that shuts down cancels it.
"""

import asyncio
import weakref
from collections.abc import Coroutine
from typing import Any

_tasks: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, set[asyncio.Task[Any]]] = weakref.WeakKeyDictionary()


def spawn(work: Coroutine[Any, Any, Any]) -> None:
    tasks = _tasks.setdefault(asyncio.get_running_loop(), set())
    task = asyncio.create_task(work)
    tasks.add(task)
    task.add_done_callback(tasks.discard)


async def wind_down() -> None:
    """Cancel what still runs on this loop, and wait until it has left its state."""
    tasks = _tasks.pop(asyncio.get_running_loop(), set())
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
