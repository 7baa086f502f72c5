"""How asynchronous code reaches the database: through threads of its own, one short visit at a time.

Django's async ORM runs on the request's own thread and keeps its connection until the request ends, through the model's
wait; a transaction cannot span its calls. Here a service's synchronous function runs whole in a small pool of threads
and gives a pooled connection back before it returns, so no connection is held while a model is awaited.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError, connections
from django.db.backends.base.base import BaseDatabaseWrapper

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 8
PATIENCE_SECONDS = 30.0
"""How long work that has begun waits for a database that is away: a restart, another writer's lock."""
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.1, 2.0
_executor = ThreadPoolExecutor(THREADS, thread_name_prefix="database")


def visit(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What a thread that serves many does for one of them: it keeps no connection."""
    try:
        return function(*args, **kwargs)
    finally:
        for connection in connections.all(initialized_only=True):
            _let_go(connection)


def _let_go(connection: BaseDatabaseWrapper) -> None:
    """Give a pooled connection back; drop a broken one, so that the next visit opens a sound one."""
    if connection.settings_dict.get("OPTIONS", {}).get("pool"):
        connection.close()
    elif connection.errors_occurred:
        connection.close_if_unusable_or_obsolete()


async def in_database(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a synchronous function of the ORM in a database thread.

    A visit once begun is waited for even when the caller is cancelled, so that what it wrote is known to be written;
    the cancellation goes on afterwards.
    """
    visiting = asyncio.get_running_loop().run_in_executor(_executor, partial(visit, function, *args, **kwargs))
    try:
        return await asyncio.shield(visiting)
    except asyncio.CancelledError:
        await asyncio.wait([visiting])
        if not visiting.cancelled():
            visiting.exception()  # looked at, so that the loop does not complain of an error nobody asked for
        raise


async def patiently(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """`in_database`, tried again while the database is away, for as long as PATIENCE_SECONDS; then its error is raised.

    Only for functions that may run again after they seemed to fail: conditional updates and reads.
    """
    clock = asyncio.get_running_loop().time
    patient_until = clock() + PATIENCE_SECONDS
    pause = FIRST_PAUSE_SECONDS
    while True:
        try:
            return await in_database(function, *args, **kwargs)
        except (OperationalError, InterfaceError):
            if clock() + pause > patient_until:
                raise
        await asyncio.sleep(pause)
        pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
