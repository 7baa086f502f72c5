"""Server-sent events both ways: what is encoded reads back, and whatever real servers frame differently is read too."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backoffice.llm.sse import KEEP_ALIVE, EventParser, EventTooLong, ServerSentEvent, encode
from tests.llm.streams import cut
from tests.llm.values import json_values

PLACES = st.lists(st.integers(min_value=0), max_size=8)
LINE_ENDS = st.sampled_from([b"\n", b"\r", b"\r\n"])
FIELDS = [b"data: a", b"data:b", b"data", b"data:", b"event: x", b"event", b"id: 7", b"id", b"id: \0", b"retry: 10"]
OTHER = [b": ping", b"", b"retry: x", b"unknown: y", b"data: \xff", b" data: z", "data: zł 😀 \u2028".encode()]
LINES = st.sampled_from([*FIELDS, *OTHER])


def _parsed(pieces: Sequence[bytes]) -> list[ServerSentEvent]:
    parser = EventParser()
    events = [event for piece in pieces for event in parser.feed(piece)]
    return [*events, *parser.finish()[0]]


def _told(stream: bytes) -> list[tuple[str, str, str]]:
    return [(event.event, event.text, event.id) for event in _parsed([stream])]


def test_an_event_is_its_name_one_line_of_json_and_a_blank_line() -> None:
    encoded = encode("chunk", {"text": "zł\n😀"})
    assert encoded == 'event: chunk\ndata: {"text":"zł\\n😀"}\n\n'.encode()


@given(st.lists(st.tuples(st.from_regex(r"[a-z]{1,8}", fullmatch=True), json_values())), PLACES)
def test_what_is_encoded_reads_back_wherever_it_is_cut(sent: list[tuple[str, Any]], places: list[int]) -> None:
    stream = b"".join(KEEP_ALIVE + encode(name, value) for name, value in sent)
    assert [(event.event, event.json()) for event in _parsed(cut(stream, places))] == sent


@given(st.text())
def test_no_text_can_forge_an_event(text: str) -> None:
    encoded = encode("chunk", {"text": text})
    assert len(encoded.splitlines()) == 3
    assert len(encoded.decode("utf-8", "replace").splitlines()) == 3


@pytest.mark.parametrize("name", ["chunk\ndata: x", "a\rb"])
def test_an_event_name_of_two_lines_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="one line"):
        encode(name, {})


def test_half_a_character_does_not_break_the_stream() -> None:
    assert json.loads(_parsed([encode("chunk", {"text": "a\ud83d"})])[0].text) == {"text": "a\ufffd"}
    assert json.loads(_parsed([encode("chunk", {"text": "\ud83d\ude42"})])[0].text) == {"text": "🙂"}


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_json_is_refused_and_not_sent(number: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        encode("chunk", {"text": number})


@pytest.mark.parametrize(
    ("stream", "told"),
    [
        (b"data: a\n\n", [("message", "a", "")]),
        (b"data:a\n\n", [("message", "a", "")]),
        (b"data:  a\n\n", [("message", " a", "")]),
        (b"data: a\r\ndata: b\r\n\r\n", [("message", "a\nb", "")]),
        (b"data: a\rdata: b\r\r", [("message", "a\nb", "")]),
        (b"\xef\xbb\xbfdata: a\n\n", [("message", "a", "")]),
        (b"data: a\n\n\xef\xbb\xbfdata: b\n\n", [("message", "a", "")]),
        (b": comment\n\ndata: a\n: inside\n\n", [("message", "a", "")]),
        (b"event: x\ndata: a\n\ndata: b\n\n", [("x", "a", ""), ("message", "b", "")]),
        (b"event: x\n\ndata: b\n\n", [("message", "b", "")]),
        (b"event:\ndata: b\n\n", [("message", "b", "")]),
        (b"id: 1\ndata: a\n\ndata: b\n\n", [("message", "a", "1"), ("message", "b", "1")]),
        (b"id: 1\ndata: a\n\nid\ndata: b\n\n", [("message", "a", "1"), ("message", "b", "")]),
        (b"id: 1\0\ndata: a\n\n", [("message", "a", "")]),
        (b"data\n\n", [("message", "", "")]),
        (b"data\ndata\n\n", [("message", "\n", "")]),
        (b"Data: a\n data: a\ndatax: a\n\n", []),
        (b"\n\n\n", []),
        (b"data: a", [("message", "a", "")]),
        (b"data: a\n", [("message", "a", "")]),
        (b"data: a\n\ndata: \xff\xc3(", [("message", "a", ""), ("message", "\ufffd\ufffd(", "")]),
        ("data: a\u2028b\x85c\x0bd\n\n".encode(), [("message", "a\u2028b\x85c\x0bd", "")]),
        (b"", []),
        (b"\xef\xbb\xbf", []),
        (b"\xef\xbb", []),
    ],
)
def test_each_framing_is_read(stream: bytes, told: list[tuple[str, str, str]]) -> None:
    assert _told(stream) == told


@given(st.lists(st.tuples(LINES, LINE_ENDS)), st.booleans(), PLACES)
def test_it_does_not_matter_where_a_stream_is_cut(
    lines: list[tuple[bytes, bytes]], bom: bool, places: list[int]
) -> None:
    stream = (b"\xef\xbb\xbf" if bom else b"") + b"".join(line + end for line, end in lines)
    assert _parsed(cut(stream, places)) == _parsed([stream]) == _parsed([bytes([byte]) for byte in stream])


@given(st.binary(), PLACES)
def test_any_bytes_are_read_alike_wherever_they_are_cut(stream: bytes, places: list[int]) -> None:
    assert _parsed(cut(stream, places)) == _parsed([stream])


@pytest.mark.parametrize(
    ("stream", "cut_off"), [(b"data: a\n\n", False), (b"data: a\n", False), (b"data: a", True), (b"", False)]
)
def test_the_end_says_whether_the_last_line_was_cut_off(stream: bytes, cut_off: bool) -> None:
    parser = EventParser()
    parser.feed(stream)
    assert parser.finish()[1] is cut_off


@pytest.mark.parametrize(
    ("line", "milliseconds"),
    [(b"retry: 1500", 1500), (b"retry: 1.5", None), (b"retry", None), (b"retry: -1", None), (b"retry: \xb2", None)],
)
def test_a_reconnection_time_is_digits_alone(line: bytes, milliseconds: int | None) -> None:
    parser = EventParser()
    parser.feed(line + b"\n")
    assert parser.retry == milliseconds


def test_an_absurd_reconnection_time_is_none() -> None:
    parser = EventParser()
    parser.feed(b"retry: " + b"9" * 10_000 + b"\n\n")
    assert parser.retry is None


def test_the_last_event_id_is_known_for_a_reconnection() -> None:
    parser = EventParser()
    parser.feed(b"id: 7\ndata: a\n\n")
    assert parser.last_event_id == "7"


@pytest.mark.parametrize(
    "stream", [b"data: " + b"x" * 20, b"data: aaaaa\n" * 4, b"data\n" * 30, b": " + b"x" * 20, b"\xef\xbb" + b"x" * 20]
)
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_an_event_that_never_ends_is_given_up(stream: bytes, size: int) -> None:
    parser = EventParser(max_event_bytes=16)
    with pytest.raises(EventTooLong, match="more than 16 bytes"):
        for start in range(0, len(stream), size):
            parser.feed(stream[start : start + size])


def test_many_short_events_are_no_long_one() -> None:
    parser = EventParser(max_event_bytes=16)
    assert len([event for _ in range(100) for event in parser.feed(b"data: 12345\n\n")]) == 100
