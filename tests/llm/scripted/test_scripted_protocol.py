"""The scripted model speaks the chat-completions protocol, streamed and whole, through both doors."""

from typing import Any

import httpx2
import openai
import pytest

from backoffice.llm.scripted import ScriptedModel, ScriptedTransport
from backoffice.llm.scripted.doors import HttpCall
from backoffice.llm.scripted.script import DONE
from tests.llm.scripted.asking import MODEL, NORMALIZE, body, chat_request, posted, stream
from tests.llm.scripted.conftest import Door


async def test_a_stream_begins_with_the_role_and_ends_with_stop_and_usage(door: Door) -> None:
    received = await stream(await door.open(), body())
    first, *_, last, usage = received.chunks
    assert received.error is None
    assert first.choices[0].delta.role == "assistant"
    assert first.choices[0].delta.content == ""
    assert last.choices[0].finish_reason == "stop"
    assert usage.choices == []
    assert usage.usage is not None
    assert usage.usage.total_tokens == usage.usage.prompt_tokens + usage.usage.completion_tokens


async def test_the_model_that_was_asked_for_answers(door: Door) -> None:
    received = await stream(await door.open(), {**body(), "model": "some-other-model"})
    assert {chunk.model for chunk in received.chunks} == {"some-other-model"}


async def test_a_tool_call_comes_in_fragments_as_the_provider_sends_them(door: Door) -> None:
    received = await stream(await door.open(), body("Bill over 5 EUR", tools=[NORMALIZE]))
    opening, *pieces = received.fragments
    assert received.chunks[0].choices[0].delta.content is None
    assert opening["index"] == 0
    assert opening["id"].startswith("call_")
    assert opening["function"] == {"name": "normalize_amount", "arguments": ""}
    assert len(pieces) > 1
    assert all(set(piece) == {"index", "function"} and set(piece["function"]) == {"arguments"} for piece in pieces)
    assert "".join(piece["function"]["arguments"] for piece in pieces) == '{"raw":"5 EUR"}'
    assert received.stop_reasons == ["tool_calls"]


async def test_parallel_calls_come_one_after_another_by_index(door: Door) -> None:
    received = await stream(await door.open(), body(tools=[NORMALIZE]))
    indices = [fragment["index"] for fragment in received.fragments]
    assert indices == sorted(indices)
    assert set(indices) == {0, 1}
    assert len({fragment["id"] for fragment in received.fragments if "id" in fragment}) == 2


async def test_a_whole_answer_says_what_the_stream_says(door: Door) -> None:
    client = await door.open()
    received = await stream(client, body())
    whole = await client.chat.completions.create(**body())
    assert whole.choices[0].message.content == received.text
    assert whole.choices[0].finish_reason == "stop"
    assert whole.usage is not None
    assert whole.usage.completion_tokens == received.usage.completion_tokens


async def test_a_whole_answer_carries_tool_calls(door: Door) -> None:
    client = await door.open()
    whole = await client.chat.completions.create(**body("Bill over 5 EUR", tools=[NORMALIZE]))
    calls = whole.choices[0].message.tool_calls or []
    assert [(call.function.name, call.function.arguments) for call in calls if call.type == "function"] == [
        ("normalize_amount", '{"raw":"5 EUR"}')
    ]
    assert whole.choices[0].finish_reason == "tool_calls"


async def test_models_are_listed(door: Door) -> None:
    client = await door.open()
    assert [model.id async for model in client.models.list()] == [MODEL]


async def test_the_same_request_gets_the_same_bytes_from_any_stand_in(door: Door) -> None:
    one, other = await door.open(), await door.open()
    assert (await stream(one, body())).chunks == (await stream(other, body())).chunks


def test_ids_differ_between_requests() -> None:
    bodies = [b"".join(_sent(body(user, tools=[NORMALIZE], stream=True))) for user in ("5 EUR", "6 EUR")]
    ids = [chunk.split(b'"id":"')[1].split(b'"')[0] for chunk in bodies]
    assert ids[0] != ids[1]


def test_the_usage_chunk_comes_only_where_it_was_asked_for() -> None:
    plain, asked = (_sent(body(stream=True, **fields)) for fields in ({}, {"stream_options": {"include_usage": True}}))
    assert b'"usage"' not in b"".join(plain)
    assert b'"usage":null' in asked[0]
    assert b'"completion_tokens"' in asked[-2]
    assert plain[-1] == asked[-1] == DONE


@pytest.mark.parametrize("limit", ["max_tokens", "max_completion_tokens"])
async def test_an_answer_beyond_the_token_limit_is_cut_and_says_so(door: Door, limit: str) -> None:
    client = await door.open()
    full = await stream(client, body())
    cut = await stream(client, body(**{limit: 3}))
    assert cut.stop_reasons == ["length"]
    assert cut.usage.completion_tokens == 3
    assert full.text.startswith(cut.text)
    assert full.text != cut.text


@pytest.mark.parametrize(
    ("limit", "kept"),
    [
        (5, []),
        (11, ['{"raw":"']),
        (24, ['{"raw":"1 200,50 EUR"}']),
        (25, ['{"raw":"1 200,50 EUR"}', ""]),
    ],
)
async def test_tool_calls_beyond_the_token_limit_are_cut(door: Door, limit: int, kept: list[str]) -> None:
    received = await stream(await door.open(), body(tools=[NORMALIZE], max_tokens=limit))
    assert list(received.arguments.values()) == kept
    assert received.stop_reasons == ["length"]
    assert received.usage.completion_tokens <= limit


async def test_tool_calls_within_the_token_limit_are_whole(door: Door) -> None:
    received = await stream(await door.open(), body(tools=[NORMALIZE], max_tokens=200))
    assert list(received.arguments.values()) == ['{"raw":"1 200,50 EUR"}', '{"raw":"$7"}']
    assert received.stop_reasons == ["tool_calls"]


async def test_an_answer_within_the_token_limit_is_whole(door: Door) -> None:
    received = await stream(await door.open(), body(max_tokens=200))
    assert received.stop_reasons == ["stop"]
    assert received.usage.completion_tokens < 200


async def test_text_in_every_script_arrives_unharmed(door: Door) -> None:
    note = "চালান from Größe & Żółć AB, naïve 🙂 café"
    received = await stream(await door.open(), body(note, tools=[NORMALIZE]))
    assert "Größe & Żółć AB" in received.text


def test_a_lone_surrogate_in_a_note_breaks_nothing() -> None:
    answer = posted(ScriptedModel(), body("Bill \ud83d for 5 EUR", stream=True))
    assert answer.script.status == 200
    assert DONE in answer.script.body


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/v1/nothing", 404), ("GET", "/v1/chat/completions", 405), ("POST", "/v1/models", 405)],
)
def test_other_paths_and_methods_are_refused(method: str, path: str, status: int) -> None:
    assert ScriptedModel().handle(HttpCall(method, path)).script.status == status


async def test_a_refused_request_is_a_bad_request_error_of_the_sdk(door: Door) -> None:
    client = await door.open()
    with pytest.raises(openai.BadRequestError, match="at least one message"):
        await client.chat.completions.create(model=MODEL, messages=[])


async def test_an_answer_names_its_media_type(door: Door) -> None:
    client = await door.open()
    async with client.chat.completions.with_streaming_response.create(**body(stream=True)) as response:
        assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
        content = b"".join([piece async for piece in response.iter_bytes()])
    assert content.endswith(DONE)


async def test_plain_httpx2_clients_reach_it_in_process() -> None:
    async with httpx2.AsyncClient(transport=ScriptedTransport(), base_url="http://scripted.invalid") as client:
        answer = await client.get("/v1/models")
    assert answer.json()["data"][0]["id"] == MODEL


def test_estimated_input_grows_with_the_note() -> None:
    assert chat_request("x" * 4_000).input_tokens > chat_request("x").input_tokens + 900


def _sent(payload: dict[str, Any]) -> list[bytes]:
    return [step for step in posted(ScriptedModel(), payload).script.body if isinstance(step, bytes)]
