"""A request that its server gives up hears what it would hear if its client hung up, and its client hears a 503."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from backoffice import open_requests
from backoffice.open_requests import Application, Message, Receive, Send

START: Message = {"type": "http.response.start", "status": 200, "headers": []}
PIECE: Message = {"type": "http.response.body", "body": b"It is", "more_body": True}


class Connection:
    """A client at the other end, and the request that the server serves it with."""

    def __init__(self, application: Application) -> None:
        self.heard: list[Message] = []
        self.to_say: asyncio.Queue[Message] = asyncio.Queue()
        self.request = asyncio.create_task(
            open_requests.serve(application, {"type": "http"}, self.to_say.get, self._hears)
        )

    async def _hears(self, message: Message) -> None:
        self.heard.append(message)

    @property
    def kinds(self) -> list[str]:
        return [message["type"] for message in self.heard]


class View:
    """Begins its answer or does not, waits until the client is gone, and needs a moment to leave its state."""

    def __init__(self, *said: Message, needs: float = 0.01, ends: Callable[[], None] = lambda: None) -> None:
        self.said, self.needs, self.ends = said, needs, ends
        self.left: list[str] = []
        self.waiting = asyncio.Event()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        for message in self.said:
            await send(message)
        self.waiting.set()
        heard = await receive()
        await asyncio.sleep(self.needs)
        self.left.append(heard["type"])
        self.ends()


async def _stopped(view: View) -> Connection:
    connection = Connection(view)
    await view.waiting.wait()
    await asyncio.sleep(0)
    connection.request.cancel()
    await asyncio.wait([connection.request])
    return connection


async def test_a_request_that_is_cancelled_leaves_its_state_and_its_client_may_ask_again() -> None:
    view = View()
    connection = await _stopped(view)
    assert view.left == ["http.disconnect"]
    assert connection.kinds == ["http.response.start", "http.response.body"]
    start, body = connection.heard
    assert (start["status"], dict(start["headers"])[b"retry-after"]) == (503, b"5")
    assert json.loads(body["body"])["code"] == "interrupted"


async def test_an_answer_that_was_begun_is_cut_off() -> None:
    view = View(START, PIECE)
    connection = await _stopped(view)
    assert view.left == ["http.disconnect"]
    assert connection.heard == [START, PIECE]


async def test_whoever_winds_down_waits_for_what_is_open() -> None:
    views = [View(), View(START)]
    connections = [Connection(view) for view in views]
    for view in views:
        await view.waiting.wait()
    await open_requests.wind_down()
    assert [view.left for view in views] == [["http.disconnect"]] * 2
    await asyncio.gather(*(connection.request for connection in connections))
    assert connections[0].kinds == ["http.response.start", "http.response.body"]
    await open_requests.wind_down()


async def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_requests, "LAST_SECONDS", 0.01)
    view = View(needs=60)
    connection = Connection(view)
    await view.waiting.wait()
    await open_requests.wind_down()
    assert not connection.request.done()
    connection.request.cancel()
    await asyncio.sleep(0)
    connection.request.cancel()
    with pytest.raises(asyncio.CancelledError):
        await connection.request


async def test_what_the_client_says_reaches_the_view() -> None:
    view = View()
    connection = Connection(view)
    connection.to_say.put_nowait({"type": "http.request", "body": b""})
    await connection.request
    assert view.left == ["http.request"]


async def test_an_error_of_the_application_is_the_servers_to_tell() -> None:
    def breaks() -> None:
        raise ZeroDivisionError

    connection = Connection(View(ends=breaks))
    connection.to_say.put_nowait({"type": "http.disconnect"})
    with pytest.raises(ZeroDivisionError):
        await connection.request


async def test_an_error_while_a_request_leaves_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    def breaks() -> None:
        raise ZeroDivisionError

    await _stopped(View(ends=breaks))
    assert "a request failed as the server stopped" in caplog.text


async def test_an_application_that_cancels_itself_is_cancelled() -> None:
    def cancels() -> None:
        raise asyncio.CancelledError

    connection = Connection(View(ends=cancels))
    connection.to_say.put_nowait({"type": "http.disconnect"})
    with pytest.raises(asyncio.CancelledError):
        await connection.request
