"""`manage.py check` names a weather backend that does not exist before a customer meets it."""

from typing import Any

from django.conf import settings
from django.core import checks

from weatherbot.backends import BACKENDS


@checks.register()
def weather_backend_exists(**_: Any) -> list[checks.CheckMessage]:
    if settings.WEATHER_BACKEND in BACKENDS:
        return []
    hint = f"Set it to one of: {', '.join(BACKENDS)}."
    return [checks.Error(f"WEATHER_BACKEND is '{settings.WEATHER_BACKEND}'.", hint=hint, id="weatherbot.E001")]
