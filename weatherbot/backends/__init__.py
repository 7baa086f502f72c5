"""Where the weather comes from: `WEATHER_BACKEND` names one of these."""

from collections.abc import Callable
from functools import cache

from django.conf import settings

from weatherbot.backends.mock import MockBackend
from weatherbot.backends.open_meteo import OpenMeteoBackend
from weatherbot.backends.reports import Backend

BACKENDS: dict[str, Callable[[], Backend]] = {"mock": MockBackend, "open_meteo": OpenMeteoBackend}


@cache
def backend_called(name: str) -> Backend:
    """One for the life of the process: a backend keeps its connections and knows what is being looked up."""
    return BACKENDS[name]()


def configured_backend() -> Backend:
    return backend_called(settings.WEATHER_BACKEND)
