"""A web server that is stopped sends the spans of its last calls before it ends."""

import signal
from collections.abc import Callable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.process.programs import Programs, finished
from tests.process.test_stopping_server import _all, _sent, server

pytestmark = pytest.mark.process
pytest.importorskip("opentelemetry.sdk", reason="the extra `tracing` is not installed")


class Collector(ThreadingHTTPServer):
    """Takes what comes by OTLP over HTTP."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Taking)
        self.paths: list[str] = []


class _Taking(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.paths.append(self.path)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def collector() -> Iterator[Collector]:
    with Collector() as collecting:
        thread = Thread(target=collecting.serve_forever)
        thread.start()
        yield collecting
        collecting.shutdown()
        thread.join()


def test_what_no_batch_has_taken_yet_is_sent_as_the_server_stops(
    over_model: Callable[..., Programs], collector: Collector
) -> None:
    endpoint = f"http://127.0.0.1:{collector.server_port}"
    programs = over_model(LLM_TRACING="true", OTEL_EXPORTER_OTLP_ENDPOINT=endpoint, OTEL_BSP_SCHEDULE_DELAY="600000")
    with server(programs) as (process, port):
        with closing(_sent(port, "POST /weather/chat", {"message": "Hello."}, Connection="close")) as connection:
            assert _all(connection).startswith("HTTP/1.1 200 ")
        assert collector.paths == []
        process.send_signal(signal.SIGTERM)
        status, said = finished(process, 15)
    assert status == -signal.SIGTERM, said
    assert collector.paths == ["/v1/traces"], said
