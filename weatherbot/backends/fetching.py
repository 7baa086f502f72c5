"""One answer of a weather service over HTTP: so long, so large, and no more.

The timeouts of `requests` hold between two reads, so a server that sends a byte a second would hold a thread for as
long as it likes. Here the connection is cut when the whole time is up, wherever the answer has got to.
"""

import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Self

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPResponse, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

from weatherbot.backends.reports import TOO_SLOW, LookupFailed

TIMEOUTS = (3.05, 5.0)
"""Seconds to connect, and between two reads."""
MOST_BYTES = 1_000_000
"""A forecast is some ten thousand."""
PIECE = 65_536
UNREACHABLE = "The weather service cannot be reached at the moment. Try again later."
BUSY = "The weather service is busy at the moment. Try again later."
REFUSED = "The weather service could not answer. Try again later."
UNREADABLE = "The weather service gave an answer that cannot be read. Try again later."

_thread = threading.local()
"""Which watch a thread is under."""


class Fetcher:
    """For all threads: one session, with a pool of connections."""

    def __init__(self, connections: int) -> None:
        self._session = requests.Session()
        for scheme in ("https://", "http://"):
            self._session.mount(scheme, _WatchedAdapter(pool_maxsize=connections))

    def get(self, url: str, parameters: Mapping[str, Any], seconds: float) -> bytes:
        """The body of an answer with status 200 that was whole within `seconds`. Raises LookupFailed."""
        with Watch(seconds) as watch:
            try:
                status, content = self._get(url, parameters)
            except requests.RequestException as error:
                slow = watch.time_is_up or isinstance(error, requests.Timeout)
                raise LookupFailed(TOO_SLOW if slow else UNREACHABLE) from None
        if watch.time_is_up:
            raise LookupFailed(TOO_SLOW)
        if status != 200:
            raise LookupFailed(BUSY if status == 429 else REFUSED)
        return content

    def _get(self, url: str, parameters: Mapping[str, Any]) -> tuple[int, bytes]:
        asked = self._session.get(url, params=parameters, timeout=TIMEOUTS, allow_redirects=False, stream=True)
        content = bytearray()
        with asked as response:
            for piece in response.iter_content(PIECE):
                content += piece
                if len(content) > MOST_BYTES:
                    raise LookupFailed(UNREADABLE)
        return response.status_code, bytes(content)


class Watch:
    """`with Watch(seconds):` cuts the connection that this thread reads from when the time is up."""

    def __init__(self, seconds: float) -> None:
        self.time_is_up = False
        self._timer = threading.Timer(seconds, self._cut)
        self._timer.daemon = True
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        _thread.watch = self
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        _thread.watch = None
        with self._lock:  # the connection goes back to its pool, and is somebody else's from there on
            self._socket = None

    def over(self, connection: socket.socket) -> None:
        with self._lock:
            self._socket = connection
            if self.time_is_up:
                _shut(connection)

    def _cut(self) -> None:
        with self._lock:
            self.time_is_up = True
            if self._socket is not None:
                _shut(self._socket)


def _shut(connection: socket.socket) -> None:
    """Whoever reads from it finds its end. The method of a TLS socket would take its state away from that thread."""
    with suppress(OSError):
        socket.socket.shutdown(connection, socket.SHUT_RDWR)


class _WatchedHTTP(HTTPConnection):
    """A connection whose answer is under the watch of the thread that reads it, from the first header on."""

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]
        _thread.watch.over(self.sock)
        return super().getresponse()


class _WatchedHTTPS(HTTPSConnection):
    def getresponse(self) -> HTTPResponse:  # type: ignore[override]
        _thread.watch.over(self.sock)
        return super().getresponse()


class _HTTPPool(HTTPConnectionPool):
    ConnectionCls = _WatchedHTTP


class _HTTPSPool(HTTPSConnectionPool):
    ConnectionCls = _WatchedHTTPS


class _WatchedAdapter(HTTPAdapter):
    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        super().init_poolmanager(*arguments, **options)
        self.poolmanager.pool_classes_by_scheme = {"http": _HTTPPool, "https": _HTTPSPool}
