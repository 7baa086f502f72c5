"""A customer on a connection that the test cuts."""

import json

from asgiref.testing import ApplicationCommunicator
from django.core.handlers.asgi import ASGIHandler


class Leaving:
    def __init__(self, path: str) -> None:
        body = json.dumps({"message": "Weather in Oslo?"}).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}
        self._body = body
        self._connection = ApplicationCommunicator(ASGIHandler(), {**scope, "server": ("testserver", 80)})

    async def asks(self) -> None:
        await self._connection.send_input({"type": "http.request", "body": self._body})

    async def hears(self, text: bytes) -> None:
        heard = b""
        while text not in heard:
            heard += (await self._connection.receive_output(2)).get("body", b"")

    async def leaves(self) -> None:
        await self._connection.send_input({"type": "http.disconnect"})
        await self._connection.wait(2)
