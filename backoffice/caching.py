"""How asynchronous code visits the cache, which counts rates and remembers the weather.

The cache of this process is a look into a dictionary, on the event loop. Any other one may be slow or away, and a visit
would hold up every customer: it goes through a small pool of threads. Django's own asynchronous methods would use the
one thread that a request has, and keep it.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.conf import settings

from backoffice.database import visit

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 8
IN_THIS_PROCESS = {
    "django.core.cache.backends.locmem.LocMemCache",
    "django.core.cache.backends.dummy.DummyCache",
}
_executor = ThreadPoolExecutor(THREADS, thread_name_prefix="cache")


async def in_cache(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a synchronous function that visits the cache, and may visit it again after its caller has left."""
    if settings.CACHES["default"]["BACKEND"] in IN_THIS_PROCESS:
        return function(*args, **kwargs)
    visiting = partial(visit, function, *args, **kwargs)  # a cache may lie in the database
    return await asyncio.get_running_loop().run_in_executor(_executor, visiting)
