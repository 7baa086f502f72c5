"""A visit to the cache of this process is on the event loop; one to any other holds up nobody."""

import threading

import pytest
from django.core.cache import cache
from pytest_django import Settings

from backoffice.caching import IN_THIS_PROCESS, in_cache
from backoffice.settings import CACHES
from tests.slow_cache import BACKEND


async def test_the_cache_of_this_process_costs_no_thread() -> None:
    assert CACHES["default"]["BACKEND"] in IN_THIS_PROCESS
    assert await in_cache(threading.get_ident) == threading.get_ident()


async def test_any_other_cache_is_visited_in_a_thread(settings: Settings) -> None:
    settings.CACHES = {"default": {"BACKEND": BACKEND}}
    assert await in_cache(threading.get_ident) != threading.get_ident()


@pytest.mark.django_db(transaction=True)
async def test_an_error_of_the_cache_is_the_callers(settings: Settings) -> None:
    settings.CACHES = {"default": {"BACKEND": BACKEND}}
    with pytest.raises(ValueError, match="not found"):
        await in_cache(cache.incr, "nothing")
