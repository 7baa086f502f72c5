"""The project as it is deployed, for the benchmarks that need it: production settings, a scratch database, no key."""

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from benchmarks.contestants import ROOT

PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "backoffice.settings",
    "DJANGO_DEBUG": "false",
    "DJANGO_SECRET_KEY": secrets.token_hex(32),
    "DJANGO_ALLOWED_HOSTS": "127.0.0.1",
    "DJANGO_SECURE_SSL_REDIRECT": "false",
    "LLM_PROVIDER": "openai",
    "OPENAI_API_KEY": "k",
}
SCRATCH = "backoffice_benchmark"
POSTGRES = os.environ.get("BENCHMARK_POSTGRES", "postgres://postgres@127.0.0.1:5432/postgres")
"""A server on which a database may be made and dropped."""


def manage(environment: Mapping[str, str], *arguments: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=dict(environment), check=True, text=True, **options)


@contextmanager
def deployed(model_url: str, database: str = "sqlite") -> Iterator[dict[str, str]]:
    """The whole environment of a deployment with an empty database of its own: `sqlite` or `postgresql`."""
    scratch = _postgres() if database == "postgresql" else _sqlite()
    with scratch as url:
        environment = {**os.environ, **PRODUCTION, "OPENAI_BASE_URL": model_url, "DATABASE_URL": url}
        manage(environment, "migrate", "--verbosity", "0")
        yield environment


@contextmanager
def _sqlite() -> Iterator[str]:
    with TemporaryDirectory(prefix="backoffice-benchmark-") as folder:
        yield f"sqlite:///{Path(folder) / 'benchmark.sqlite3'}"


@contextmanager
def _postgres() -> Iterator[str]:
    with psycopg.connect(POSTGRES, autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {SCRATCH} WITH (FORCE)")
        server.execute(f"CREATE DATABASE {SCRATCH}")
        try:
            yield POSTGRES.rpartition("/")[0] + f"/{SCRATCH}"
        finally:
            server.execute(f"DROP DATABASE {SCRATCH} WITH (FORCE)")


def databases() -> list[str]:
    """Those that can be measured here."""
    try:
        psycopg.connect(**conninfo_to_dict(POSTGRES), connect_timeout=3).close()
    except psycopg.OperationalError as error:
        print(f"PostgreSQL is left out; BENCHMARK_POSTGRES may say where one is: {error}")
        return ["sqlite"]
    return ["sqlite", "postgresql"]


def token_of_an_operator(environment: Mapping[str, str]) -> str:
    """An API token that may do everything."""
    account = {"DJANGO_SUPERUSER_USERNAME": "operator", "DJANGO_SUPERUSER_PASSWORD": secrets.token_hex(16)}
    named = {**environment, **account, "DJANGO_SUPERUSER_EMAIL": "operator@example.org"}
    manage(named, "createsuperuser", "--noinput", "--verbosity", "0")
    return manage(environment, "create_api_token", "operator", capture_output=True).stdout.split()[-1]
