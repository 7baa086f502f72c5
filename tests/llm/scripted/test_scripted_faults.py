"""Each fault, seen by the real SDK through both doors, and again in how the exchange is noted."""

from typing import Any

import openai
import pytest

from backoffice.llm.scripted import ScriptedModel
from backoffice.llm.scripted.faults import known_names
from backoffice.llm.scripted.misbehaviour import REFUSAL
from tests.llm.scripted.asking import NORMALIZE, body, posted, stream, with_faults
from tests.llm.scripted.conftest import Door

AT_ONCE = 0.001
"""Seconds in `Retry-After`, so that the SDK's retries do not wait."""


@pytest.mark.parametrize(
    ("status", "error", "attempts"),
    [
        (400, openai.BadRequestError, 1),
        (401, openai.AuthenticationError, 1),
        (404, openai.NotFoundError, 1),
        (429, openai.RateLimitError, 3),
        (500, openai.InternalServerError, 3),
        (503, openai.InternalServerError, 3),
        (529, openai.InternalServerError, 3),
    ],
)
async def test_a_status_is_the_sdks_error_after_its_own_retries(
    door: Door, status: int, error: type[Exception], attempts: int
) -> None:
    received = await stream(await door.open(), body(), faults=f"{status}={AT_ONCE}")
    assert type(received.error) is error
    assert [exchange.attempt for exchange in door.exchanges] == list(range(1, attempts + 1))
    assert {(exchange.status, exchange.ended) for exchange in door.exchanges} == {(status, "sent")}


@pytest.mark.parametrize("fault", ["429", "500", "503"])
async def test_a_fault_that_lasts_two_attempts_is_overcome_by_the_third(door: Door, fault: str) -> None:
    received = await stream(await door.open(), body(), faults=f"{fault}={AT_ONCE}*2")
    assert received.error is None
    assert received.stop_reasons == ["stop"]
    assert [exchange.status for exchange in door.exchanges] == [int(fault), int(fault), 200]


@pytest.mark.parametrize(
    ("fault", "headers"),
    [("429", {}), ("429=2", {"retry-after": "2"}), ("503=0.25", {"retry-after-ms": "250"})],
)
async def test_retry_after_is_sent_where_it_was_asked_for(door: Door, fault: str, headers: dict[str, str]) -> None:
    received = await stream(await door.open(max_retries=0), body(), faults=fault)
    assert isinstance(received.error, openai.APIStatusError)
    sent = received.error.response.headers
    assert {name: sent[name] for name in ("retry-after", "retry-after-ms") if name in sent} == headers


async def test_a_long_retry_after_is_not_waited_for(door: Door) -> None:
    received = await stream(await door.open(), body(), faults="429=300")
    assert isinstance(received.error, openai.RateLimitError)
    assert len(door.exchanges) == 1


async def test_a_drop_before_the_answer_is_a_connection_error(door: Door) -> None:
    received = await stream(await door.open(max_retries=0), body(), faults="drop")
    assert isinstance(received.error, openai.APIConnectionError)
    assert received.chunks == []
    assert [exchange.ended for exchange in door.exchanges] == ["dropped"]


async def test_a_drop_before_the_answer_is_retried_by_the_sdk(door: Door) -> None:
    received = await stream(await door.open(max_retries=1), body(), faults="drop*1")
    assert received.error is None
    assert [exchange.ended for exchange in door.exchanges] == ["dropped", "sent"]


@pytest.mark.parametrize("fault", ["drop-mid", "reset-mid"])
async def test_a_drop_inside_the_answer_is_a_connection_error_that_is_not_retried(door: Door, fault: str) -> None:
    received = await stream(await door.open(), body(), faults=fault)
    assert type(received.error) is openai.APIConnectionError
    assert received.stop_reasons == []
    assert [exchange.ended for exchange in door.exchanges] == ["dropped"]


async def test_what_was_sent_before_a_drop_arrives(door: Door) -> None:
    whole = await stream(await door.open(), body())
    cut = await stream(await door.open(), body(), faults="drop-mid")
    assert cut.text
    assert whole.text.startswith(cut.text)


async def test_a_clean_end_without_a_stop_reason_raises_nothing(door: Door) -> None:
    received = await stream(await door.open(), body(), faults="eof")
    assert received.error is None
    assert received.text
    assert received.stop_reasons == []


@pytest.mark.parametrize(
    ("fault", "error"),
    [("malformed", ValueError), ("bad-utf8", UnicodeDecodeError), ("error-event", openai.APIError)],
)
async def test_a_broken_event_surfaces_half_way(door: Door, fault: str, error: type[Exception]) -> None:
    received = await stream(await door.open(), body(), faults=fault)
    assert isinstance(received.error, error)
    assert received.text
    assert received.stop_reasons == []


@pytest.mark.parametrize(
    ("fault", "stop_reason"), [("length", "length"), ("content-filter", "content_filter"), ("stop=abort", "abort")]
)
async def test_another_stop_reason_is_sent(door: Door, fault: str, stop_reason: str) -> None:
    received = await stream(await door.open(), body(), faults=fault)
    assert received.stop_reasons == [stop_reason]


async def test_an_answer_that_was_cut_off_is_half_of_the_answer(door: Door) -> None:
    client = await door.open()
    whole, cut = await stream(client, body()), await stream(client, body(), faults="length")
    assert whole.text.startswith(cut.text)
    assert 0 < len(cut.text) < len(whole.text)


async def test_a_tool_call_that_was_cut_off_has_half_of_its_arguments(door: Door) -> None:
    received = await stream(await door.open(), body("5 EUR", tools=[NORMALIZE]), faults="length")
    assert received.arguments == {0: '{"raw":"5 EUR"}'[:7]}
    assert received.stop_reasons == ["length"]


async def test_a_refusal_is_no_text(door: Door) -> None:
    received = await stream(await door.open(), body(tools=[NORMALIZE]), faults="refusal")
    assert (received.text, received.refusal, received.fragments) == ("", REFUSAL, [])
    assert received.stop_reasons == ["stop"]


async def test_an_empty_answer_has_a_stop_reason_alone(door: Door) -> None:
    received = await stream(await door.open(), body(tools=[NORMALIZE]), faults="empty")
    assert (received.text, received.fragments, received.stop_reasons) == ("", [], ["stop"])


async def test_usage_can_be_left_out(door: Door) -> None:
    received = await stream(await door.open(), body(), faults="no-usage")
    assert received.usage is None
    assert received.stop_reasons == ["stop"]


async def test_a_whole_answer_can_lack_its_usage(door: Door) -> None:
    client = await door.open(with_faults("no-usage"))
    assert (await client.chat.completions.create(**body())).usage is None


async def test_the_end_marker_can_be_left_out(door: Door) -> None:
    client = await door.open(with_faults("no-done"))
    async with client.chat.completions.with_streaming_response.create(**body(stream=True)) as response:
        content = b"".join([piece async for piece in response.iter_bytes()])
    assert b'"finish_reason":"stop"' in content
    assert b"[DONE]" not in content


async def _fragments(door: Door, fault: str) -> list[dict[str, Any]]:
    received = await stream(await door.open(), body("5 EUR and 6 EUR", tools=[NORMALIZE]), faults=fault)
    assert received.error is None
    assert received.stop_reasons == ["tool_calls"]
    return received.fragments


async def test_id_and_name_can_be_repeated_in_every_fragment(door: Door) -> None:
    fragments = await _fragments(door, "id-repeated")
    assert {fragment["function"]["name"] for fragment in fragments} == {"normalize_amount"}
    assert len({fragment["id"] for fragment in fragments}) == 2


async def test_every_call_can_be_numbered_zero(door: Door) -> None:
    fragments = await _fragments(door, "index-zero")
    assert {fragment["index"] for fragment in fragments} == {0}
    assert len([fragment for fragment in fragments if "id" in fragment]) == 2


@pytest.mark.parametrize(("fault", "key"), [("no-index", "index"), ("no-id", "id")])
async def test_fragments_can_lack_what_tells_them_apart(door: Door, fault: str, key: str) -> None:
    assert not any(key in fragment for fragment in await _fragments(door, fault))


async def test_a_fault_can_be_kept_for_the_follow_up(door: Door) -> None:
    client = await door.open(with_faults("400@2"))
    first = await stream(client, body(tools=[NORMALIZE]))
    call = {"id": "call_1", "type": "function", "function": {"name": "normalize_amount", "arguments": "{}"}}
    told = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": "{}"},
    ]
    second = await stream(client, body("5 EUR", *told, tools=[NORMALIZE]))
    assert first.error is None
    assert isinstance(second.error, openai.BadRequestError)
    assert [exchange.call for exchange in door.exchanges] == [1, 2]


async def test_a_marker_in_the_users_text_asks_for_a_fault(door: Door) -> None:
    received = await stream(await door.open(), body("Invoice [[fault: eof]] of Acme"))
    assert received.stop_reasons == []
    assert [exchange.faults for exchange in door.exchanges] == [("eof",)]


async def test_faults_of_options_header_and_text_add_up(door: Door) -> None:
    client = await door.open(with_faults("no-usage"))
    received = await stream(client, body("Bill [[fault: length]]"), faults="delay=0.001")
    assert (received.usage, received.stop_reasons) == (None, ["length"])
    assert door.exchanges[0].faults == ("no-usage", "delay=0.001", "length")


@pytest.mark.parametrize(("header", "text"), [("teapot", "Bill"), ("", "Bill [[fault: teapot]]")])
async def test_an_unknown_fault_is_refused_by_name(door: Door, header: str, text: str) -> None:
    received = await stream(await door.open(), body(text), faults=header)
    assert isinstance(received.error, openai.BadRequestError)
    assert "unknown fault 'teapot'" in received.error.message


@pytest.mark.parametrize("fault", ["drop-mid", "eof", "malformed", "bad-utf8", "error-event"])
async def test_a_whole_answer_can_be_broken_too(door: Door, fault: str) -> None:
    client = await door.open(with_faults(fault), max_retries=0)
    with pytest.raises((openai.OpenAIError, ValueError)):
        await client.chat.completions.create(**body())


STATUSES = "400 to 599"


@pytest.mark.parametrize("name", [*sorted(set(known_names()) - {STATUSES}), *STATUSES.split(" to ")])
def test_every_known_fault_changes_what_is_sent(name: str) -> None:
    payload = body("5 EUR and 6 EUR", tools=[NORMALIZE], stream=True, stream_options={"include_usage": True})
    value = {"ttft": "=0.5", "delay": "=0.5"}.get(name, "")
    good, faulty = posted(ScriptedModel(), payload), posted(ScriptedModel(), payload, name + value)
    assert faulty.script != good.script
