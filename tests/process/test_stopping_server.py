"""A web server that is stopped while customers wait: each of them is stored as left, and hears no server error."""

import json
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from urllib.parse import quote

import pytest
from django.contrib.auth.models import User
from knox.models import AuthToken

from backoffice.evidencedesk.models import Answer
from summarizer.models import Run, RunState
from tests.process.programs import ModelLog, Programs, finished, wait_until
from tests.process.test_hanging_up import answered
from tests.summarizer.making import states_of
from weatherbot.models import Chat

pytestmark = pytest.mark.process

OverModel = Callable[..., Programs]

GRACE_SECONDS = 1
CHAT = {"message": "Weather in Oslo? [[fault: stall-mid@2]]"}
QUESTION = "When are customer invoices payable? [[fault: stall-mid]]"


@contextmanager
def server(programs: Programs) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """uvicorn, which waits for GRACE_SECONDS when it is stopped, and its port."""
    with closing(socket.socket()) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(16)
        listening.set_inheritable(True)
        descriptor = str(listening.fileno())
        arguments = ("-m", "uvicorn", "backoffice.asgi:application", "--fd", descriptor)
        grace = ("--timeout-graceful-shutdown", str(GRACE_SECONDS))
        process = programs.start(*arguments, *grace, pass_fds=(int(descriptor),))
        port: int = listening.getsockname()[1]
        answered(port)
        yield process, port


def _sent(port: int, request: str, body: object = None, **headers: str) -> socket.socket:
    """A connection on which a request was sent and nothing was read yet."""
    content = b"" if body is None else json.dumps(body).encode()
    lines = [f"{request} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Content-Type: application/json"]
    lines += [f"Content-Length: {len(content)}", *(f"{name}: {value}" for name, value in headers.items())]
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    connection.sendall("\r\n".join([*lines, "", ""]).encode() + content)
    return connection


def _hears(connection: socket.socket, words: bytes) -> None:
    heard = b""
    while words not in heard:
        heard += connection.recv(65_536)


def _all(connection: socket.socket) -> str:
    heard = b""
    while more := connection.recv(65_536):
        heard += more
    return heard.decode()


def _check_told_to_ask_again(answer: str) -> None:
    head, _, body = answer.partition("\r\n\r\n")
    assert head.startswith("HTTP/1.1 503 ")
    assert "retry-after: 5" in head
    assert json.loads(body)["code"] == "interrupted"


def test_every_chat_and_question_in_flight_is_stored_as_left(over_model: OverModel, model_log: ModelLog) -> None:
    with server(over_model()) as (process, port), ExitStack() as stack:
        asked = [
            _sent(port, "POST /weather/chat", CHAT),
            _sent(port, "POST /ask", {"question": QUESTION}),
            _sent(port, "POST /weather/chat/stream", CHAT),
            _sent(port, f"GET /ask/stream?q={quote(QUESTION)}"),
        ]
        for connection in asked:
            stack.enter_context(closing(connection))
        for stream in asked[2:]:
            _hears(stream, b"event: chunk")
        process.send_signal(signal.SIGTERM)
        began = time.monotonic()
        answers = [_all(connection) for connection in asked]
        status, said = finished(process, 15)
        took = time.monotonic() - began
    for answer in answers[:2]:
        _check_told_to_ask_again(answer)
    for rest in answers[2:]:
        assert "event: done" not in rest
        assert not rest.endswith("0\r\n\r\n")  # it is cut off, and does not seem complete
    assert (status, took < GRACE_SECONDS + 3) == (-signal.SIGTERM, True), said
    assert "Traceback" not in said
    assert [chat.state for chat in Chat.objects.all()] == ["left", "left"]
    assert [answer.state for answer in Answer.objects.all()] == ["left", "left"]
    assert [chat.exchange[-1]["answer"]["status"] for chat in Chat.objects.all()] == ["interrupted", "interrupted"]
    wait_until(lambda: len(model_log.lines) == 6, 5)
    assert sorted(line["ended"] for line in model_log.lines) == ["hung_up"] * 4 + ["sent"] * 2


def test_a_batch_in_flight_is_interrupted_and_the_next_job_goes_on(
    over_model: OverModel, model_log: ModelLog, operator: User
) -> None:
    token = AuthToken.objects.create(operator)[1]
    texts = ["One.", "Two: 5 EUR. [[fault:stall-mid*1@2]]", "Three."]
    rows = [{"row_id": row_id, "text": text} for row_id, text in enumerate(texts, 1)]
    programs = over_model(RUN_LEASE_SECONDS="60", RUN_GRACE_SECONDS="0.2")
    with server(programs) as (process, port):
        with closing(_sent(port, "POST /summaries/batch", {"rows": rows}, Authorization=f"Token {token}")) as waiting:
            wait_until(lambda: model_log.begun(texts[1]) == 1)
            process.send_signal(signal.SIGTERM)
            _check_told_to_ask_again(_all(waiting))
        finished(process, 15)
    assert Run.objects.get().state == RunState.INTERRUPTED
    assert states_of(Run.objects.get().pk) == ["summarised", "pending", "pending"]


def test_an_answer_that_comes_within_the_grace_is_given(over_model: OverModel) -> None:
    chat = {"message": "Hello. [[fault: delay=0.02]]"}
    with server(over_model()) as (process, port):
        with closing(_sent(port, "POST /weather/chat/stream", chat)) as stream:
            _hears(stream, b"event: chunk")
            process.send_signal(signal.SIGTERM)
            assert "event: done" in _all(stream)
        finished(process, 15)
    assert [chat.state for chat in Chat.objects.all()] == ["answered"]
