"""A database in trouble, made in the database itself: it refuses some writes, or is away for a while."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from itertools import count
from typing import Literal

from django.db import connection, connections

from backoffice.database import in_database

Kind = Literal["refuses", "is away"]

_SQLITE = {
    "refuses": "SELECT RAISE(ABORT, 'refused')",
    "is away": "SELECT abs(NEW.id - NEW.id - 9223372036854775807 - 1)",
}
"""Neither is known before the row is: an integer overflow is an OperationalError like any other."""
_numbers = count()
"""A name is used once: SQLite's other connections go on believing in a trigger that was dropped."""
_SQLSTATE = {"refuses": "23514", "is away": "57P01"}


@asynccontextmanager
async def trouble(kind: Kind, writes: str, table: str = "summarizer_outcome") -> AsyncIterator[None]:
    """Updates of the table's rows for which `writes`, a condition over NEW and OLD, is true fail.

    `refuses` is an IntegrityError, `is away` an OperationalError.
    """
    name = f"trouble_{next(_numbers)}"
    await in_database(_execute, *_trigger(name, kind, writes, table))
    try:
        yield
    finally:
        on_table = f" ON {table}" if connection.vendor == "postgresql" else ""
        await in_database(_execute, f"DROP TRIGGER {name}{on_table}")


def _execute(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _trigger(name: str, kind: Kind, writes: str, table: str) -> Iterator[str]:
    if connection.vendor == "sqlite":
        yield f"CREATE TRIGGER {name} BEFORE UPDATE ON {table} WHEN {writes} BEGIN {_SQLITE[kind]}; END"
        return
    yield (
        "CREATE OR REPLACE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION 'refused: %', to_json(NEW) USING ERRCODE = '{_SQLSTATE[kind]}'; END $$"
    )
    yield f"CREATE TRIGGER {name} BEFORE UPDATE ON {table} FOR EACH ROW WHEN ({writes}) EXECUTE FUNCTION trouble()"


_LOCKING = {
    "sqlite": ["BEGIN IMMEDIATE"],
    "postgresql": ["BEGIN", "LOCK TABLE summarizer_run, summarizer_outcome IN EXCLUSIVE MODE"],
}


@asynccontextmanager
async def tables_held() -> AsyncIterator[None]:
    """Another writer's transaction keeps everybody else from writing within the block."""
    held, free = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def hold() -> None:
        with closing(connections["default"].copy()) as writer, writer.cursor() as cursor:
            for statement in _LOCKING[writer.vendor]:
                cursor.execute(statement)
            loop.call_soon_threadsafe(held.set)
            asyncio.run_coroutine_threadsafe(free.wait(), loop).result(10)
            cursor.execute("COMMIT")

    holding = asyncio.create_task(asyncio.to_thread(hold))
    await held.wait()
    try:
        yield
    finally:
        free.set()
        await holding
