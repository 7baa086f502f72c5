"""Servers that refuse a follow-up without what they sent beside a call, or over what they cannot read again."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from backoffice.llm.client import ModelConfig
from backoffice.llm.scripted.doors import Answer, HttpCall
from backoffice.llm.scripted.script import Script, Step, json_answer
from summarizer.rows import RowResult, summarise
from tests.llm.streams import DONE, STOP, Player, chunk, fragments, piece, usage
from tests.wire.player import NOTE

Configured = Callable[..., ModelConfig]
Message = dict[str, Any]
Refusal = Callable[[Sequence[Message]], str | None]

NAME = "normalize_amount"
RAW = '{"raw":"5 EUR"}'
ASKS = chunk(finish="tool_calls")
FOLLOW_UP = Script(body=(chunk("It is 5.00 EUR."), STOP, usage(), DONE))


class StrictServer(Player):
    """Answers 400 where `refusal` has a word to say about the messages it is sent."""

    def __init__(self, refusal: Refusal, *body: Step) -> None:
        super().__init__(Script(body=body), FOLLOW_UP)
        self._refusal = refusal

    def handle(self, call: HttpCall) -> Answer:
        said = self._refusal(json.loads(call.body)["messages"])
        if said is not None:
            self.scripts = [json_answer(400, {"error": {"message": said}})]
        return super().handle(call)

    @property
    def sent_back(self) -> Message:
        """The assistant message of the follow-up."""
        message: Message = self.bodies[1]["messages"][2]
        return message


def _said(messages: Sequence[Message]) -> Iterator[Message]:
    return (message for message in messages if message["role"] == "assistant")


def deepseek(messages: Sequence[Message]) -> str | None:
    """Kimi, GLM and MiMo alike."""
    missing = any("reasoning_content" not in message for message in _said(messages))
    return "Missing `reasoning_content` field in the assistant message at message index 2." if missing else None


def groq(messages: Sequence[Message]) -> str | None:
    known = {"role", "content", "tool_calls"}
    extra = [name for message in _said(messages) for name in message if name not in known]
    return f"property '{extra[0]}' is unsupported" if extra else None


def gemini(messages: Sequence[Message]) -> str | None:
    """Of parallel calls only the first is signed, and only its signature is asked for."""
    for message in _said(messages):
        extra = message["tool_calls"][0].get("extra_content", {})
        if [space["thought_signature"] for space in extra.values()] != ["SIG/=="]:
            return "Function call is missing a thought_signature in functionCall parts."
    return None


def vllm(messages: Sequence[Message]) -> str | None:
    """It parses the arguments of the history again, and so does llama.cpp."""
    for call in (call for message in _said(messages) for call in message["tool_calls"]):
        try:
            json.loads(call["function"]["arguments"])
        except ValueError as error:
            return str(error)
    return None


def signed(by: str = "google") -> Message:
    return {"extra_content": {by: {"thought_signature": "SIG/=="}}}


ONE_CALL = fragments(piece(RAW, index=0, id="a", name=NAME))
STREAMS: dict[str, tuple[Refusal, Sequence[Step]]] = {
    "DeepSeek thinks and calls": (
        deepseek,
        (chunk(None, reasoning_content="Call "), chunk(None, reasoning_content="it."), ONE_CALL, ASKS),
    ),
    "DeepSeek calls without a thought": (deepseek, (chunk(None, reasoning_content=""), ONE_CALL, ASKS)),
    "Groq thinks under another name": (groq, (chunk(None, reasoning="Call it."), ONE_CALL, ASKS)),
    "OpenAI": (groq, (chunk(role="assistant"), ONE_CALL, ASKS)),
    "Gemini signs a call": (gemini, (fragments(piece(RAW, id="g", name=NAME, **signed())), STOP)),
    "Gemini on Vertex signs a call": (gemini, (fragments(piece(RAW, id="g", name=NAME, **signed("vertex"))), STOP)),
    "Gemini signs the first of two": (
        gemini,
        (fragments(piece(RAW, id="g", name=NAME, **signed())), fragments(piece(RAW, id="h", name=NAME)), STOP),
    ),
    "Gemini signs in a fragment of its own": (
        gemini,
        (fragments(piece('{"raw":', id="g", name=NAME)), fragments(piece('"5 EUR"}')), fragments(signed()), STOP),
    ),
    "vLLM at the length limit": (
        vllm,
        (fragments(piece('{"raw":"5 E', index=0, id="v", name=NAME)), chunk(finish="length")),
    ),
    "vLLM at the content filter": (
        vllm,
        (fragments(piece('{"ra', index=0, id="v", name=NAME)), chunk(finish="content_filter")),
    ),
}


async def ended(config_for: Configured, refusal: Refusal, *body: Step) -> tuple[RowResult, StrictServer]:
    server = StrictServer(refusal, *body, DONE)
    return await summarise(NOTE, config_for(server)), server


@pytest.mark.parametrize("name", STREAMS)
async def test_a_strict_server_takes_the_follow_up(name: str, config_for: Configured) -> None:
    refusal, body = STREAMS[name]
    result, server = await ended(config_for, refusal, *body)
    assert (result.summary, result.failure) == ("It is 5.00 EUR.", None)
    assert len(server.calls) == 2


async def test_reasoning_goes_back_whole_beside_the_calls(config_for: Configured) -> None:
    refusal, body = STREAMS["DeepSeek thinks and calls"]
    _, server = await ended(config_for, refusal, *body)
    assert server.sent_back["reasoning_content"] == "Call it."


async def test_only_the_call_that_was_signed_carries_its_signature_back(config_for: Configured) -> None:
    refusal, body = STREAMS["Gemini signs the first of two"]
    _, server = await ended(config_for, refusal, *body)
    first, second = server.sent_back["tool_calls"]
    assert first == {"id": "g", "type": "function", "function": {"name": NAME, "arguments": RAW}, **signed()}
    assert "extra_content" not in second


async def test_a_server_that_sends_nothing_of_its_own_gets_nothing_of_the_kind(config_for: Configured) -> None:
    refusal, body = STREAMS["OpenAI"]
    _, server = await ended(config_for, refusal, *body)
    call = {"id": "a", "type": "function", "function": {"name": NAME, "arguments": RAW}}
    assert server.sent_back == {"role": "assistant", "content": None, "tool_calls": [call]}


async def test_half_an_argument_is_kept_for_the_audit_and_not_sent_back(config_for: Configured) -> None:
    refusal, body = STREAMS["vLLM at the length limit"]
    result, server = await ended(config_for, refusal, *body)
    assert server.sent_back["tool_calls"][0]["function"]["arguments"] == "{}"
    kept, follow_up = result.exchange
    assert [call["arguments"] for call in kept["answer"]["tool_calls"]] == ['{"raw":"5 E']
    assert [run["arguments"] for run in kept["tool_runs"]] == ['{"raw":"5 E']
    assert follow_up["messages"][0] == server.sent_back


@pytest.mark.parametrize(("stop", "arguments"), [("length", RAW), ("tool_calls", '{"raw":"5 E'), ("stop", "5")])
async def test_arguments_that_are_whole_or_of_a_good_stop_go_back_as_they_came(
    stop: str, arguments: str, config_for: Configured
) -> None:
    body = (fragments(piece(arguments, index=0, id="a", name=NAME)), chunk(finish=stop))
    _, server = await ended(config_for, lambda _: None, *body)
    assert server.sent_back["tool_calls"][0]["function"]["arguments"] == arguments
