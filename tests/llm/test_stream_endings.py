"""What proves that a stream is complete, what fails it, and what its first failure is."""

import pytest

from backoffice.llm.events import Error, Status, StopReason
from backoffice.llm.failures import FailureCode
from tests.llm.streams import DONE, STOP, assembled, chunk, data, errors, failure_of, fragments, piece, read, usage

ERROR = data({"error": {"message": "engine overloaded", "code": 503}})


def test_a_stop_reason_is_the_proof_and_the_marker_is_not_needed() -> None:
    completion = assembled(chunk("ok"), STOP)
    assert (completion.status, completion.usable, completion.stop_reason) == (Status.COMPLETE, True, StopReason.END)


@pytest.mark.parametrize("received", [(chunk("half"),), (chunk("half"), DONE), (chunk("half"), usage(), DONE)])
def test_without_a_stop_reason_a_stream_is_interrupted(received: tuple[bytes, ...]) -> None:
    completion = assembled(*received)
    assert (completion.status, completion.usable, completion.text) == (Status.INTERRUPTED, False, "half")
    assert completion.failure is not None
    assert completion.failure.code is FailureCode.INTERRUPTED


def test_the_marker_alone_proves_nothing() -> None:
    completion = assembled(DONE)
    assert (completion.status, completion.usable) == (Status.EMPTY, False)
    assert failure_of(DONE) == "interrupted"


def test_no_text_at_all_is_empty_and_yet_complete() -> None:
    completion = assembled(chunk(""), STOP)
    assert (completion.status, completion.usable, completion.text) == (Status.EMPTY, True, "")


def test_calls_that_were_begun_are_interrupted_too() -> None:
    completion = assembled(fragments(piece("{", index=0, id="a", name="n")))
    assert (completion.status, completion.usable) == (Status.INTERRUPTED, False)


def test_calls_alone_are_complete() -> None:
    assert assembled(fragments(piece("{}", id="a")), chunk(finish="tool_calls")).status is Status.COMPLETE


def test_a_stream_is_read_on_after_its_stop_reason() -> None:
    received = (chunk("a", finish="stop"), chunk("b", finish="stop"), chunk("c", finish="stop"), usage(), DONE)
    completion = assembled(*received)
    assert (completion.text, completion.usage.output_tokens) == ("abc", 4)


def test_nothing_is_read_after_the_marker_that_follows_a_stop_reason() -> None:
    assert assembled(chunk("a"), STOP, DONE, chunk("b"), ERROR, b"data: {\n\n").text == "a"


def test_reading_goes_on_after_a_marker_that_came_too_early() -> None:
    completion = assembled(chunk("a"), DONE, chunk("b"), STOP)
    assert (completion.text, completion.usable) == ("ab", True)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("stop", "stop"), StopReason.END),
        (("stop", "length"), StopReason.LENGTH),
        (("length", "stop"), StopReason.LENGTH),
        (("content_filter", "stop"), StopReason.CONTENT_FILTER),
        (("stop", "content_filter"), StopReason.CONTENT_FILTER),
        (("tool_calls", "stop"), StopReason.END),
        (("stop", "tool_calls"), StopReason.TOOL_CALLS),
        (("stop", None, ""), StopReason.END),
    ],
)
def test_of_stop_reasons_that_differ_the_last_counts_unless_something_is_missing(
    words: tuple[str | None, ...], reason: StopReason
) -> None:
    assert assembled(*(chunk("a", finish=word) for word in words)).stop_reason is reason


def test_a_good_stop_reason_does_not_take_back_an_unknown_one() -> None:
    assert failure_of(chunk("a", finish="error"), STOP) == "provider_error"
    assert failure_of(chunk("a"), STOP, chunk(finish="error")) == "provider_error"


@pytest.mark.parametrize(
    "event",
    [
        ERROR,
        data({"error": "overloaded"}),
        data({"error": {"message": "x"}, "choices": [{"index": 0, "delta": {"content": "y"}}]}),
        data({"object": "error", "message": "overloaded", "code": 400}),
        data({"type": "error", "error": {"type": "overloaded_error"}}),
        b'event: error\ndata: {"message": "overloaded", "code": "529"}\n\n',
        b"event: error\ndata: overloaded\n\n",
        b"event: error\ndata:\n\n",
        b"event: error\ndata: \xff\n\n",
    ],
)
@pytest.mark.parametrize("before", [(), (chunk("half"),), (chunk("half"), STOP)])
def test_an_error_event_fails_the_stream_wherever_it_stands(event: bytes, before: tuple[bytes, ...]) -> None:
    completion = assembled(*before, event, chunk("not read"), STOP)
    assert completion.failure is not None
    assert (completion.failure.code, completion.status) == (FailureCode.PROVIDER_ERROR, Status.ERROR)
    assert completion.text == ("half" if before else "")


@pytest.mark.parametrize("event", [b"event: error\n\n", b"event: ping\ndata: {}\n\n", b"event: close\ndata: {}\n\n"])
def test_events_of_other_names_and_events_without_data_are_no_errors(event: bytes) -> None:
    assert assembled(chunk("ok"), event, STOP).text == "ok"
    assert failure_of(chunk("ok"), event, STOP) is None


@pytest.mark.parametrize(
    "payload",
    [
        *(b"{", b"null", b"[]", b'"x"', b"5", b"x", b"[done]", b"{} {}", b'{"a": NaN}', b'{"a": \xff}'),
        b"\xef\xbb\xbf{}",
        '{"choices":[]}'.encode("utf-16"),
        b"[" * 50_000,
        b'{"created": %b}' % (b"9" * 5_000),
    ],
    ids=lambda payload: repr(payload[:12]),
)
@pytest.mark.parametrize("before", [(), (chunk("half"),), (STOP,)])
def test_data_that_is_no_json_object_or_no_utf8_is_a_malformed_chunk(payload: bytes, before: tuple[bytes, ...]) -> None:
    assert failure_of(*before, b"data: %b\n\n" % payload, STOP) == "malformed_chunk"


def test_the_first_failure_is_the_one_a_stream_has() -> None:
    assert failure_of(chunk("a"), b"data: {\n\n", ERROR) == "malformed_chunk"
    assert len(errors(read(chunk("a"), b"data: {\n\n" + ERROR, ERROR))) == 1


def test_what_an_error_says_to_everybody_holds_no_word_of_the_providers() -> None:
    error = errors(read(data({"error": {"message": "key sk-123 is wrong"}})))[0]
    assert error == Error("upstream failed", error.failure)
    assert "sk-123" not in error.failure.detail


@pytest.mark.parametrize(
    ("last", "code"),
    [
        (STOP.strip(), None),
        (STOP.strip() + b"\n", None),
        (b'data: {"choi', "interrupted"),
        (b"da", "interrupted"),
        (b"data: [DO", "interrupted"),
        (b": comm", "interrupted"),
        (b'data: {"choices":[]', "interrupted"),
        (b'event: error\ndata: {"mess', "provider_error"),
        (b"data: [DONE]", "interrupted"),
        (b"data: {]\n", "malformed_chunk"),
    ],
)
def test_a_last_line_that_was_cut_off_is_a_stream_that_just_ended(last: bytes, code: str | None) -> None:
    assert failure_of(chunk("half"), last) == code


def test_the_marker_counts_even_without_its_blank_line() -> None:
    assert assembled(chunk("ok"), STOP, b"data: [DONE]").usable


def test_a_cut_off_event_after_the_stop_reason_takes_nothing_away() -> None:
    assert assembled(chunk("ok"), STOP, b'data: {"usage": {"pro').usable


def test_half_a_character_at_the_end_of_a_stream_is_replaced() -> None:
    assert assembled(chunk("ok \ud83d"), STOP).text == "ok \ufffd"


def test_half_a_character_waits_for_its_other_half_over_chunks_without_text() -> None:
    assert assembled(chunk("ok \ud83d"), chunk(None), usage(), chunk("\ude42"), STOP).text == "ok 🙂"


def test_a_chunk_of_nul_alone_is_no_text() -> None:
    assert assembled(chunk("\0"), STOP).status is Status.EMPTY


def test_an_event_without_end_is_a_malformed_chunk() -> None:
    endless = (b"data: " + b"x" * 1_000_000 for _ in range(40))
    assert failure_of(chunk("half"), *endless) == "malformed_chunk"
