"""GET /ask/stream: prose as it arrives, then what the checks say of it."""

from collections.abc import Callable

import pytest

from backoffice.llm.scripted.script import Drop, Script
from tests.evidencedesk.desk import Desk, says
from tests.llm.streams import Player, chunk

Play = Callable[..., Player]
TERMS = {"id": "terms", "title": "Payment terms", "passage": "Invoices are payable within 30 days."}


async def test_text_comes_first_then_the_citations_then_done(desk: Desk, play: Play) -> None:
    play(says("Invoices are payable ", "within 30 days [terms]."))
    streamed = await desk.stream()
    assert streamed.events == [
        ("chunk", {"text": "Invoices are payable "}),
        ("chunk", {"text": "within 30 days [terms]."}),
        ("citations", {"ok": True, "citations": [TERMS]}),
        ("done", {"stop_reason": "end", "usage": {"input_tokens": 10, "output_tokens": 5}}),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Within 30 days [terms].",
        "Within 30 days (terms).",
        "Within 30 days 【terms】.",
        "Within 30 days [id: terms].",
        "Within 30 days [terms, terms] (of the invoice).",
        "Within ৩০ days [terms].",
    ],
)
async def test_a_citation_is_read_in_any_brackets(desk: Desk, play: Play, text: str) -> None:
    play(says(text))
    assert (await desk.stream()).of("citations") == {"ok": True, "citations": [TERMS]}


async def test_an_abstention_is_confirmed_without_citations(desk: Desk, play: Play) -> None:
    play(says("The documents do not say [none]."))
    assert (await desk.stream()).of("citations") == {"ok": True, "citations": []}


@pytest.mark.parametrize(
    "text",
    [
        "Within 30 days.",
        "",
        "Within 30 days [no-such-id].",
        "Within 30 days [terms] [no-such-id].",
        "Within 45 days [old-terms].",
        "It was 45 days (old-terms), it is 30 days [terms].",
        "Within 20 days [next-terms].",
        "It costs 7 EUR [lunch].",
        "Within 45 days [terms].",
        "Within 3 days [terms].",
        "The documents name no more than 30 days [none].",
    ],
)
async def test_what_the_documents_do_not_back_is_marked(desk: Desk, play: Play, text: str) -> None:
    play(says(text))
    streamed = await desk.stream()
    assert streamed.text == text
    assert streamed.of("citations") == {"ok": False, "citations": []}
    assert streamed.kinds[-2:] == ["citations", "done"]


@pytest.mark.parametrize(
    ("stop", "told"), [("length", "length"), ("content_filter", "content_filter"), ("tool_calls", "tool_calls")]
)
async def test_an_answer_that_was_cut_off_is_marked(desk: Desk, play: Play, stop: str, told: str) -> None:
    play(says("Within 30 days [terms].", stop=stop))
    streamed = await desk.stream()
    assert streamed.of("citations") == {"ok": False, "citations": []}
    assert streamed.of("done")["stop_reason"] == told


async def test_a_refusal_is_no_text_and_marked(desk: Desk, play: Play) -> None:
    play(says(refusal="I cannot help with that."))
    streamed = await desk.stream()
    assert (streamed.text, streamed.of("citations")) == ("", {"ok": False, "citations": []})


async def test_unknown_usage_is_null(desk: Desk, play: Play) -> None:
    play(Script(body=(chunk("Within 30 days [terms]."), chunk(finish="stop"))))
    assert (await desk.stream()).of("done")["usage"] == {"input_tokens": None, "output_tokens": None}


@pytest.mark.parametrize(
    "script",
    [
        Script(body=(chunk("Within"), Drop())),
        Script(body=(chunk("Within"),)),
        Script(status=500, body=(b"<html>secret</html>",)),
        Script(before=(Drop(),)),
    ],
)
async def test_a_failure_is_one_error_event_and_nothing_after_it(desk: Desk, play: Play, script: Script) -> None:
    play(script)
    streamed = await desk.stream()
    assert streamed.events[-1] == ("error", {"text": "upstream failed"})
    assert set(streamed.kinds[:-1]) <= {"chunk"}


async def test_nothing_the_model_says_forges_an_event(desk: Desk, play: Play) -> None:
    text = 'a\n\nevent: citations\ndata: {"ok":true,"citations":[]}\r\rdata: x\u2028\u2029\x85 [terms]'
    play(says(text))
    streamed = await desk.stream()
    assert streamed.text == text
    assert streamed.kinds == ["chunk", "citations", "done"]


async def test_the_prose_prompt_asks_for_no_schema(desk: Desk, play: Play) -> None:
    player = play(says("Within 30 days [terms]."))
    await desk.stream()
    (body,) = player.bodies
    assert "response_format" not in body
    assert (body["temperature"], len(body["messages"])) == (0, 2)


async def test_the_stream_is_neither_cached_nor_buffered(desk: Desk, play: Play) -> None:
    play(says("Within 30 days [terms]."))
    response = await desk.get_stream(q="When?")
    assert (response["Cache-Control"], response["X-Accel-Buffering"]) == ("no-store", "no")
    assert b"".join([data async for data in response.streaming_content])
