"""How one setting is read from the environment: a variable left blank is one not set, and a value that cannot be read
is refused with its name, what is wrong with it and what to write. What may hold a password is never quoted."""

import json
import os
from collections.abc import Callable, Collection, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import environ
from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")

ON, OFF = ("true", "on", "yes", "y", "ok", "1"), ("false", "off", "no", "n", "0", "")
DATABASE_SCHEMES = ("sqlite", "postgres", "postgresql", "psql", "pgsql")
PASSWORD_SIGNS = "in a password @ is %40, / is %2F, # is %23 and : is %3A"  # noqa: S105


class _Unusable(ValueError):
    """The message says what is wrong with a URL, and quotes nothing of it."""


def text(name: str, default: str = "") -> str:
    """As it was written."""
    value = os.environ.get(name, "")
    return value if value.strip() else default


def listed(name: str, default: Sequence[str] = ()) -> list[str]:
    """Comma-separated."""
    return [part.strip() for part in text(name).split(",") if part.strip()] or list(default)


def choice(name: str, default: str, choices: Collection[str]) -> str:
    value = text(name, default)
    if value not in choices:
        raise ImproperlyConfigured(f"{name} is '{value}'; set it to one of: {', '.join(choices)}.")
    return value


def switch(name: str, *, default: bool) -> bool:
    """On or off. Here alone blank is not the default but off, so that `DJANGO_DEBUG=` is production."""
    value = os.environ.get(name, str(default)).strip().lower()
    if value not in ON and value not in OFF:
        raise ImproperlyConfigured(f"{name} must be true or false, not '{value}'.")
    return value in ON


def number(name: str, default: float) -> float:
    return _parsed(name, text(name, str(default)), float, "a number")


def whole(name: str, default: int) -> int:
    return _parsed(name, text(name, str(default)), int, "a whole number")


def positive(name: str, default: float) -> float:
    """Seconds."""
    value = number(name, default)
    if value <= 0:
        raise ImproperlyConfigured(f"{name} must be a number of seconds above 0, not {value:g}.")
    return value


def amount(name: str) -> Decimal | None:
    value = text(name)
    return _parsed(name, value, Decimal, "an amount such as 2.50") if value else None


def _parsed(name: str, value: str, parse: Callable[[str], T], kind: str) -> T:
    try:
        return parse(value)
    except (ValueError, InvalidOperation):
        raise ImproperlyConfigured(f"{name} must be {kind}, not '{value}'.") from None


def json_object(name: str, example: str) -> dict[str, Any]:
    """Empty where there is none."""
    try:
        value = json.loads(text(name, "{}"))
    except (ValueError, RecursionError) as error:
        raise ImproperlyConfigured(f"{name} must be JSON such as {example}: {error}.") from None
    if not isinstance(value, dict):
        raise ImproperlyConfigured(f"{name} must be a JSON object such as {example}, not a {type(value).__name__}.")
    return value


def time_zone(name: str, default: str) -> str:
    value = text(name, default)
    try:
        ZoneInfo(value)
    except (OSError, ValueError, KeyError):
        raise ImproperlyConfigured(f"{name} is '{value}', no time zone; write it as Europe/Berlin or UTC.") from None
    return value


def make_folder(name: str, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"{name}: the folder {folder} cannot be made ({error.strerror}).") from None


def database(name: str, default: str) -> dict[str, Any]:
    """Django's settings of it. SQLite or PostgreSQL."""
    example = "sqlite:////absolute/path or postgres://user:password@host:5432/name"
    return _address(name, default, DATABASE_SCHEMES, _database, example)


def cache(name: str, default: str) -> dict[str, Any]:
    example = "rediscache://user:password@host:6379/1 or locmemcache://"
    return _address(name, default, environ.Env.CACHE_SCHEMES, environ.Env.cache_url_config, example)


def mail_server(name: str, default: str) -> dict[str, Any]:
    """Django's `EMAIL_…` settings."""
    example = "smtp+tls://user:password@host:587"
    return _address(name, default, environ.Env.EMAIL_SCHEMES, environ.Env.email_url_config, example)


def redis_address(name: str, default: str) -> str:
    return _address(name, default, ("redis", "rediss", "unix"), str, "redis://user:password@host:6379/0")


def _address(name: str, default: str, schemes: Collection[str], read: Callable[[str], T], example: str) -> T:
    url = text(name, default)
    try:
        _check(url, schemes)
        return read(url)
    except (ValueError, ImproperlyConfigured) as error:
        fault = error if isinstance(error, _Unusable) else "it cannot be read"
        # From None: what the parser says may quote a password.
        raise ImproperlyConfigured(f"{name}: {fault}. Write it as {example}; {PASSWORD_SIGNS}.") from None


def _check(url: str, schemes: Collection[str]) -> None:
    scheme, has_scheme, rest = url.partition("://")
    if not has_scheme or scheme not in schemes:
        raise _Unusable("its scheme, the part before ://, is none that is known")
    if "," in rest or rest == ":memory:":  # several hosts, each with a port; SQLite's word for none
        return
    try:
        _ = urlsplit(url).port
    except ValueError:
        raise _Unusable("its host or its port cannot be read") from None


def _database(url: str) -> dict[str, Any]:
    host = urlsplit(url).netloc
    if url.startswith("sqlite:") and host not in {"", ":memory:"}:
        raise _Unusable("a path follows sqlite:///, an absolute one with a slash of its own")
    settings: dict[str, Any] = environ.Env.db_url_config(url)
    return settings
