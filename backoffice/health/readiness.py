"""Whether the service can do its work, in words for whoever is called at night.

An app adds what only it knows in a module `health` of its own (`register_check`).
"""

from collections.abc import Callable

from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor

Check = Callable[[], str | None]
"""A short visit to the database: what is wrong, in one sentence, or None."""

_checks: list[Check] = []
_known: set[str] = set()
MIGRATED = "migrated"


def register_check(check: Check) -> None:
    _checks.append(check)


def reasons() -> list[str]:
    """Why the service is not ready; empty where it is."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        if missing := unapplied_migrations():
            return [f"Migrations are not applied ({missing}): run manage.py migrate."]
        return [reason for check in _checks if (reason := check()) is not None]
    except (DatabaseError, InterfaceError) as error:
        return [f"The database does not answer ({type(error).__name__})."]


def unapplied_migrations() -> int:
    """Reading all migrations takes tens of milliseconds, and what is applied stays so while this process runs."""
    if MIGRATED in _known:
        return 0
    executor = MigrationExecutor(connection)
    missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if not missing:
        _known.add(MIGRATED)
    return missing
