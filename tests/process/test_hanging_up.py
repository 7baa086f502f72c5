"""A client that drops the connection in the middle of a batch, over a real server and real sockets."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest
from django.contrib.auth.models import User
from knox.models import AuthToken

from summarizer.models import Outcome, Run, RunState
from tests.process.programs import ModelLog, Programs, finished, wait_until
from tests.summarizer.making import states_of

pytestmark = pytest.mark.process

OverModel = Callable[..., Programs]


@contextmanager
def web_server(programs: Programs) -> Iterator[int]:
    """uvicorn on a free port, as `make serve` runs it."""
    with closing(socket.socket()) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(16)
        listening.set_inheritable(True)
        descriptor = listening.fileno()
        arguments = ("-m", "uvicorn", "backoffice.asgi:application", "--fd", str(descriptor))
        server = programs.start(*arguments, pass_fds=(descriptor,))
        port: int = listening.getsockname()[1]
        answered(port)
        yield port
        server.terminate()
        finished(server, 30)


def answered(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(b"GET /api/schema HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 200")


def posted(port: int, token: str, texts: list[str]) -> socket.socket:
    """A connection on which a whole batch was sent and nothing was read yet."""
    body = json.dumps({"rows": [{"row_id": row_id, "text": text} for row_id, text in enumerate(texts, 1)]})
    head = (
        f"POST /summaries/batch HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Token {token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    connection.sendall((head + body).encode())
    return connection


def test_the_run_is_interrupted_with_its_finished_rows_and_the_upstream_is_closed_at_once(
    over_model: OverModel, model_log: ModelLog, operator: User
) -> None:
    programs = over_model(RUN_LEASE_SECONDS="60")
    token = AuthToken.objects.create(operator)[1]
    texts = ["One.", "Two. [[fault:stall-mid*1]]", "Three."]
    with web_server(programs) as port:
        connection = posted(port, token, texts)
        wait_until(lambda: Outcome.objects.filter(state="summarised").exists())
        time.sleep(0.2)
        connection.close()
        began = time.monotonic()
        wait_until(lambda: len(model_log.lines) == 2, 5)
        assert time.monotonic() - began < 1
        assert [line["ended"] for line in model_log.lines] == ["sent", "hung_up"]
        wait_until(lambda: Run.objects.get().state == RunState.INTERRUPTED, 5)
    run = Run.objects.get()
    assert states_of(run.pk) == ["summarised", "pending", "pending"]
    status, said = finished(programs.job())
    assert status == 0, said
    assert [model_log.begun(text) for text in texts] == [1, 2, 1]
