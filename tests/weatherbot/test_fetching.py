"""An answer over HTTP is whole in its time and of a size, or it is an error: over real sockets."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from weatherbot.backends import fetching
from weatherbot.backends.fetching import BUSY, REFUSED, UNREACHABLE, UNREADABLE, Fetcher
from weatherbot.backends.reports import TOO_SLOW, LookupFailed

Speak = Callable[[socket.socket], None]

SOON = 0.3
"""Seconds: the whole time of an answer that will not be whole in it."""


class Server:
    """Answers each request of each connection in the same way."""

    def __init__(self, speak: Speak) -> None:
        self._speak = speak
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.connections: list[socket.socket] = []
        self.requests = 0
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}/"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                self.connections.append(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError), connection:
            while connection.recv(65_536):
                self.requests += 1
                self._speak(connection)

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)  # whoever waits in it would hold it open
        self._listening.close()
        for connection in self.connections:
            connection.close()


@contextmanager
def _serving(speak: Speak) -> Iterator[Server]:
    server = Server(speak)
    try:
        yield server
    finally:
        server.close()


def _whole(body: bytes, status: str = "200 OK") -> Speak:
    head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    return lambda connection: connection.sendall(head + body)


def _dripping(begun: bytes, drop: bytes) -> Speak:
    """Sends its beginning, and then drop after drop for as long as anybody listens."""

    def speak(connection: socket.socket) -> None:
        connection.sendall(begun)
        for _ in range(1_000):
            time.sleep(0.02)
            connection.sendall(drop)

    return speak


OK = b"HTTP/1.1 200 OK\r\n"
DRIPS = {
    "a body of a length": _dripping(OK + b"Content-Length: 100000\r\n\r\n", b" "),
    "a body in chunks": _dripping(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "a body up to the end": _dripping(OK + b"Connection: close\r\n\r\n", b" "),
    "a status line": _dripping(b"", b"H"),
    "headers": _dripping(OK, b"X: 1\r\n"),
    "a header": _dripping(OK + b"X: ", b"1"),
}


@pytest.mark.parametrize("drips", DRIPS.values(), ids=DRIPS)
def test_an_answer_that_drips_is_too_slow_when_its_time_is_up(drips: Speak) -> None:
    began = time.monotonic()
    with _serving(drips) as server, pytest.raises(LookupFailed, match=TOO_SLOW):
        Fetcher(1).get(server.url, {}, SOON)
    assert SOON <= time.monotonic() - began < SOON + 4


def test_a_server_that_says_nothing_is_too_slow() -> None:
    with _serving(lambda _: time.sleep(SOON * 2)) as server, pytest.raises(LookupFailed, match=TOO_SLOW):
        Fetcher(1).get(server.url, {}, SOON)


@pytest.mark.filterwarnings("error")
def test_the_next_answer_comes_over_the_same_connection_and_has_its_own_time() -> None:
    with _serving(_whole(b"{}")) as server:
        fetcher = Fetcher(1)
        for _ in range(3):
            assert fetcher.get(server.url, {"name": "Oslo"}, SOON) == b"{}"
            time.sleep(SOON)
        assert (len(server.connections), server.requests) == (1, 3)


def test_a_connection_that_was_cut_is_not_used_again() -> None:
    answers = iter([_dripping(OK + b"Content-Length: 100\r\n\r\n", b" "), _whole(b"{}")])

    def speak(connection: socket.socket) -> None:
        next(answers)(connection)

    with _serving(speak) as server:
        fetcher = Fetcher(1)
        with pytest.raises(LookupFailed):
            fetcher.get(server.url, {}, SOON)
        assert fetcher.get(server.url, {}, 5) == b"{}"


@pytest.mark.parametrize(
    ("speak", "words"),
    [
        (_whole(b"", "500 No"), REFUSED),
        (_whole(b"", "302 Found"), REFUSED),
        (_whole(b"", "429 No"), BUSY),
        (_whole(b"x" * (fetching.MOST_BYTES + 1)), UNREADABLE),
        (lambda connection: connection.sendall(OK + b"Content-Length: 9\r\n\r\n{"), TOO_SLOW),
        (lambda connection: connection.close(), UNREACHABLE),
    ],
)
def test_what_is_no_answer_is_an_error(speak: Speak, words: str) -> None:
    with _serving(speak) as server, pytest.raises(LookupFailed, match=words):
        Fetcher(1).get(server.url, {}, 1)


def test_an_answer_as_large_as_may_be_is_read_whole() -> None:
    with _serving(_whole(b"x" * fetching.MOST_BYTES)) as server:
        assert len(Fetcher(1).get(server.url, {}, 5)) == fetching.MOST_BYTES


def test_a_service_that_is_not_there_is_unreachable() -> None:
    with _serving(_whole(b"")) as server:
        url = server.url
    with pytest.raises(LookupFailed, match=UNREACHABLE):
        Fetcher(1).get(url, {}, 1)
