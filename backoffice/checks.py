"""`manage.py check` says in words what is missing, or cannot work, before anything fails for want of it."""

import re
from collections.abc import Iterator
from decimal import InvalidOperation
from tempfile import TemporaryFile
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core import checks

from backoffice.llm.client import model_config, price_of
from backoffice.llm.failures import NotConfigured

LLM = "llm"
"""The tag of the checks that whatever calls a model rests on."""

MODEL_NUMBERS: dict[str, tuple[float, float]] = {
    "LLM_CHUNK_TIMEOUT": (0.001, 86_400),
    "LLM_CALL_TIMEOUT": (0.001, 86_400),
    "LLM_MAX_IN_FLIGHT": (1, 10_000),
    "RUN_LEASE_SECONDS": (0.1, 86_400),
    "RUN_GRACE_SECONDS": (0, 86_400),
    "SUMMARISE_DAILY_COST_LIMIT": (0, 1_000_000_000),
}
"""The least and the most that each may be; one that is None is no limit."""
OTHER_NUMBERS: dict[str, tuple[float, float]] = {
    "SSE_KEEPALIVE_SECONDS": (0.001, 30),  # the chat page takes 60 s of silence for a lost connection
    "RETENTION_DAYS": (1, 100_000),
    "READY_MAX_QUEUE_SECONDS": (0, 1_000_000_000),
    "API_TOKEN_DAYS": (1, 100_000),
    "WEATHER_DAILY_LOOKUPS": (0, 1_000_000_000),
    "WEATHER_CONCURRENT_LOOKUPS": (1, 1_000),
    "WEATHER_LOOKUP_SECONDS": (0.001, 3_600),
    "DATABASE_POOL_SIZE": (1, 10_000),
    "DJANGO_NUM_PROXIES": (0, 100),
    "DJANGO_SECURE_HSTS_SECONDS": (0, 1_000_000_000),
}
RATES = ("SUMMARIES_RATE", "WEATHER_RATE", "ASK_RATE")
_RATE = re.compile(r"0*[1-9][0-9]{0,14}/(?:s|sec|second|m|min|minute|h|hour|d|day)")


@checks.register(LLM)
def model_is_configured(**_: Any) -> list[checks.CheckMessage]:
    if settings.LLM_PROVIDER not in {"openai", "scripted"}:
        return [
            checks.Error(
                f"LLM_PROVIDER is '{settings.LLM_PROVIDER}'.", hint="Set it to openai or scripted.", id="llm.E001"
            )
        ]
    try:
        model_config()
    except NotConfigured as error:
        return [
            checks.Warning(
                error.failure.detail, hint="Reading and migrating work; nothing that calls a model does.", id="llm.W001"
            )
        ]
    return []


@checks.register(LLM)
def model_settings_are_usable(**_: Any) -> list[checks.CheckMessage]:
    return [*_provider_problems(), *_numbers_out_of_range(MODEL_NUMBERS), *_unusable_prices()]


@checks.register()
def settings_are_usable(**_: Any) -> list[checks.CheckMessage]:
    return [
        *_unusable_rates(),
        *_unsendable("METRICS_TOKEN"),
        *_numbers_out_of_range(OTHER_NUMBERS),
        *_unusable_shared_folder(),
    ]


def _provider_problems() -> Iterator[checks.Error]:
    if settings.LLM_PROVIDER == "openai":
        yield from _unsendable("OPENAI_API_KEY")
        if not _is_address(settings.OPENAI_BASE_URL):
            hint = "Write it as https://host/v1, with http or https, a host, and a port where it needs one."
            yield checks.Error(
                f"OPENAI_BASE_URL is '{settings.OPENAI_BASE_URL}', no address.", hint=hint, id="llm.E002"
            )


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        is_place = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    is_plain = url.isprintable() and " " not in url and not parts.query and not parts.fragment
    return is_place and is_plain and parts.scheme in {"http", "https"}


def _unsendable(name: str) -> Iterator[checks.Error]:
    """A secret is not quoted."""
    secret: str = getattr(settings, name)
    if not (secret.isascii() and secret.isprintable() and secret == secret.strip()):
        hint = "Copy it again: ASCII letters, digits and signs, no line break, no space at its ends."
        yield checks.Error(f"{name} holds what no HTTP header can carry.", hint=hint, id="backoffice.E002")


def _unusable_rates() -> Iterator[checks.Error]:
    for name in RATES:
        rate = str(getattr(settings, name))
        if not _RATE.fullmatch(rate):
            hint = "Write a whole number above 0 for each s, min, hour or day, such as 120/min."
            yield checks.Error(f"{name} is '{rate}', no rate.", hint=hint, id="backoffice.E003")


def _unusable_shared_folder() -> Iterator[checks.Error]:
    """It was made as the process started, where it could be."""
    folder = settings.PROMETHEUS_MULTIPROC_DIR
    if not folder:
        return
    try:
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        hint = "Name a folder that every process may write to; until then no model call is counted, and /metrics fails."
        problem = f"PROMETHEUS_MULTIPROC_DIR is '{folder}', where nothing can be written ({error.strerror})."
        yield checks.Error(problem, hint=hint, id="backoffice.E004")


def _numbers_out_of_range(numbers: dict[str, tuple[float, float]]) -> Iterator[checks.Error]:
    for name, (least, most) in numbers.items():
        value = _value_of(name)
        if value is not None and not least <= float(value) <= most:
            hint = f"Set it to a number from {least:g} to {most:,.0f}."
            yield checks.Error(f"{name} is {value}, out of range.", hint=hint, id="backoffice.E001")


def _value_of(name: str) -> Any:
    """What is in force; None where there is no such limit."""
    if name == "DJANGO_NUM_PROXIES":
        return settings.REST_FRAMEWORK["NUM_PROXIES"]
    if name == "DATABASE_POOL_SIZE":
        pool = settings.DATABASES["default"].get("OPTIONS", {}).get("pool")
        return pool["max_size"] if pool else None
    return getattr(settings, name.removeprefix("DJANGO_"), None)


def _unusable_prices() -> Iterator[checks.Error]:
    for model in settings.LLM_PRICES:
        if not _has_usable_price(model):
            hint = 'Write {"input": "0.15", "cached": "0.075", "output": "0.60"}, in USD per million tokens.'
            yield checks.Error(f"LLM_PRICES has no usable price of '{model}'.", hint=hint, id="llm.E003")


def _has_usable_price(model: str) -> bool:
    try:
        price = price_of(model)
    except (KeyError, TypeError, InvalidOperation):
        return False
    parts = (price.input, price.cached, price.output) if price else ()
    return bool(parts) and all(part.is_finite() and part >= 0 for part in parts)
