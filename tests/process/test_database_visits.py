"""Asynchronous code visits the database in threads of their own, and holds no connection while it waits."""

import asyncio
import threading

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection, transaction

from backoffice import database
from backoffice.database import in_database, patiently

pytestmark = pytest.mark.django_db(transaction=True)


def name_of_thread() -> str:
    return threading.current_thread().name


async def test_a_visit_takes_place_in_a_thread_of_the_database() -> None:
    assert (await in_database(name_of_thread)).startswith("database")


async def test_what_a_visit_returns_and_raises_reaches_the_caller() -> None:
    assert await in_database(divmod, 7, 2) == (3, 1)
    with pytest.raises(User.DoesNotExist):
        await in_database(User.objects.get, username="nobody")


def store_slowly(begun: threading.Event, go_on: threading.Event) -> None:
    with transaction.atomic():
        User.objects.create_user("olga")
        begun.set()
        go_on.wait(5)


async def test_a_visit_that_has_begun_is_waited_for_when_its_caller_is_cancelled() -> None:
    begun, go_on = threading.Event(), threading.Event()
    visit = asyncio.create_task(in_database(store_slowly, begun, go_on))
    await asyncio.to_thread(begun.wait, 5)
    visit.cancel()
    await asyncio.sleep(0.05)
    assert not visit.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await visit
    assert await in_database(User.objects.filter(username="olga").exists)


async def test_an_error_that_nobody_waits_for_any_more_does_not_hide_the_cancellation() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def fails() -> None:
        begun.set()
        go_on.wait(5)
        raise ZeroDivisionError

    visit = asyncio.create_task(in_database(fails))
    await asyncio.to_thread(begun.wait, 5)
    visit.cancel()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await visit


def break_connection() -> None:
    """As a restart of the database does: the socket is gone, and the next statement notices."""
    connection.ensure_connection()
    assert connection.connection is not None
    connection.connection.close()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


async def test_after_a_visit_on_a_broken_connection_the_next_ones_have_sound_ones() -> None:
    for _ in range(database.THREADS):
        with pytest.raises(Exception, match="closed"):
            await in_database(break_connection)
    assert await asyncio.gather(*(in_database(User.objects.count) for _ in range(database.THREADS))) == [0] * 8


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no pool to give connections back to")
async def test_a_pooled_connection_is_given_back_after_each_visit() -> None:
    def is_held() -> bool:
        return connection.connection is not None

    await in_database(User.objects.count)
    assert not any(await asyncio.gather(*(in_database(is_held) for _ in range(database.THREADS))))


async def test_a_database_that_is_away_is_asked_again() -> None:
    asked: list[int] = []

    def away_twice() -> str:
        asked.append(1)
        if len(asked) < 3:
            raise OperationalError("the database is starting up")
        return "back"

    assert await patiently(away_twice) == "back"


async def test_a_database_that_stays_away_is_given_up_with_its_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "PATIENCE_SECONDS", 0.2)

    def away() -> None:
        raise OperationalError("the database is starting up")

    with pytest.raises(OperationalError, match="starting up"):
        await patiently(away)


async def test_other_errors_are_not_waited_for() -> None:
    with pytest.raises(ZeroDivisionError):
        await patiently(divmod, 1, 0)
