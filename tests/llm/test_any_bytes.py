"""Any bytes from the wire end in events and one last Done or Error, never in an exception that escapes."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from backoffice.llm.assembly import Assembly
from backoffice.llm.chunks import ChunkReader
from backoffice.llm.events import Completion, Done, Error
from backoffice.llm.streaming import JUST_ENDED
from tests.llm.streams import DONE, ENDED, STOP, assembled, chunk, cut, errors, fragments, piece, read, usage
from tests.llm.values import json_values, rough_text

PLACES = st.lists(st.integers(min_value=0), max_size=8)


def _wire(value: Any) -> bytes:
    return b"data: %b\n\n" % json.dumps(value).encode()


ANYTHING = json_values(rough_text())
LOOSE = st.one_of(
    ANYTHING,
    st.fixed_dictionaries(
        {}, optional={"role": ANYTHING, "content": ANYTHING, "refusal": ANYTHING, "reasoning_content": ANYTHING}
    ),
    st.lists(
        st.fixed_dictionaries(
            {}, optional={"index": ANYTHING, "id": ANYTHING, "function": ANYTHING, "extra_content": ANYTHING}
        )
    ),
)
CHUNKS = st.fixed_dictionaries(
    {},
    optional={
        "id": ANYTHING,
        "model": ANYTHING,
        "error": ANYTHING,
        "usage": ANYTHING,
        "choices": ANYTHING
        | st.lists(
            st.fixed_dictionaries(
                {},
                optional={
                    "index": st.sampled_from([0, None, 1, "0"]),
                    "delta": LOOSE | st.fixed_dictionaries({"tool_calls": LOOSE}),
                    "finish_reason": st.sampled_from([None, "", "stop", "length", "error"]) | ANYTHING,
                },
            ),
            max_size=3,
        ),
    },
)
PARTS = st.one_of(
    st.binary(max_size=40),
    CHUNKS.map(_wire),
    ANYTHING.map(_wire),
    st.sampled_from(
        [
            chunk("ok"),
            chunk("\ud83d"),
            chunk(finish="error"),
            fragments(piece("{", index=0, id="a")),
            STOP,
            DONE,
            usage(),
            b"event: error\ndata: x\n\n",
            b": ping\n\n",
            b"\xef\xbb\xbf",
            b"data: {\n\n",
            b"data: [",
            b"\n",
            b"\r",
        ]
    ),
)
STREAMS = st.lists(PARTS, max_size=10).map(b"".join)


def _ends_as_it_should(completion: Completion, ending: Done | Error) -> bool:
    if isinstance(ending, Done):
        return completion.usable and completion.stop_reason is ending.stop_reason
    return not completion.usable and ending == Error("upstream failed", completion.failure)  # type: ignore[arg-type]


@given(STREAMS, PLACES)
def test_any_stream_has_one_ending_that_agrees_with_its_completion(stream: bytes, places: list[int]) -> None:
    assembly = Assembly()
    events = read(*cut(stream, places))
    assembly.feed(events)
    ending = assembly.ending(JUST_ENDED)
    assert len(errors(events)) <= 1
    assert _ends_as_it_should(assembly.completion(), ending)


@given(STREAMS, PLACES)
def test_it_does_not_matter_where_the_bytes_are_cut(stream: bytes, places: list[int]) -> None:
    one, other = assembled(stream, tools={"n"}), assembled(*cut(stream, places), tools={"n"})
    assert (one.text, one.stop_reason, one.usage, one.status) == (
        other.text,
        other.stop_reason,
        other.usage,
        other.status,
    )
    assert one.failure == other.failure


def _sent_back(completion: Completion) -> list[str]:
    owned = json.dumps([call.extra_content for call in completion.tool_calls], ensure_ascii=False, allow_nan=False)
    return [completion.reasoning_content or "", owned]


@given(STREAMS)
def test_all_text_of_a_completion_can_be_sent_and_stored(stream: bytes) -> None:
    completion = assembled(stream)
    calls = [part for call in completion.tool_calls for part in (call.id, call.name, call.arguments)]
    for text in (
        completion.text,
        completion.refusal,
        completion.reasoning,
        completion.model,
        *calls,
        *_sent_back(completion),
    ):
        assert text.encode("utf-8").decode("utf-8") == text
        assert "\0" not in text


@given(st.binary())
def test_nothing_after_a_good_end_changes_it(rubbish: bytes) -> None:
    before = assembled(chunk("ok"), *ENDED)
    after = assembled(chunk("ok"), *ENDED, rubbish)
    assert (after.text, after.stop_reason, after.usage, after.failure) == (
        before.text,
        before.stop_reason,
        before.usage,
        None,
    )


@given(STREAMS)
def test_a_reader_that_has_ended_says_no_more(rest: bytes) -> None:
    reader = ChunkReader()
    reader.feed(b"data: {\n\n")
    assert reader.ended
    assert [*reader.feed(rest), *reader.finish()] == []
