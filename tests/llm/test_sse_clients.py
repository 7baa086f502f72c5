"""What we send is read by others' parsers as it is by ours, and a client that reconnects knows where it was."""

from typing import Any

import httpx
import pytest
from httpx_sse import EventSource

from backoffice.llm.sse import KEEP_ALIVE, MEDIA_TYPE, EventParser, encode

TEXTS = [
    "plain",
    "zł 😀 টাকা",
    "a\nb\rc\r\nd\n\n",
    "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg",
    'event: done\ndata: {"x":1}\n\n',
    ": comment",
    "\ufeff",
    "",
    " leading",
]


@pytest.mark.parametrize("text", TEXTS)
def test_httpx_sse_reads_what_we_send(text: str) -> None:
    data: dict[str, Any] = {"text": text}
    stream = KEEP_ALIVE + encode("chunk", data) + KEEP_ALIVE + encode("done", {"stop_reason": None})
    response = httpx.Response(200, headers={"content-type": MEDIA_TYPE}, content=stream)
    received = [(event.event, event.json()) for event in EventSource(response).iter_sse()]
    assert received == [("chunk", data), ("done", {"stop_reason": None})]


def test_an_id_counts_once_its_event_has_ended() -> None:
    parser = EventParser()
    parser.feed(b"id: 1\ndata: a\n\nid: 2\ndata: b\n")
    assert parser.last_event_id == "1"
    parser.feed(b"\n")
    assert parser.last_event_id == "2"


def test_an_event_without_data_moves_the_id_all_the_same() -> None:
    parser = EventParser()
    assert parser.feed(b"id: 3\n\n") == []
    assert parser.last_event_id == "3"
