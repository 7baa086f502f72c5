"""The tool loop: a customer's message in, an answer out, with the weather looked up in between. It serves both doors.

A door that answers in JSON waits for the `Answered`; one that streams passes on every event.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import dataclass

from backoffice.llm.client import ModelConfig
from backoffice.llm.events import Chunk, Completion, StopReason
from backoffice.llm.failures import FailureCode, ModelFailure, failure_from
from backoffice.llm.streaming import ModelRequest, ModelStream
from backoffice.llm.tools import Toolbox, refusal_for, sendable_name
from backoffice.llm.usage import Usage
from weatherbot.audit import store_answered, store_failed, store_left
from weatherbot.conversation import Conversation
from weatherbot.weather_tool import GET_WEATHER

MAX_TOOL_ROUNDS = 5
"""Model calls in all; the last one is forbidden tools, so that the customer gets an answer from what is known."""
MAX_TOKENS = 500
MAX_CALLS = 8
"""Lookups that one response may ask for."""
TOOLS = (GET_WEATHER,)


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of what the model says. It belongs to the answer unless ToolsAsked comes after it."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolsAsked:
    """The model is not answering yet: it has asked for tools, which run now."""

    names: tuple[str, ...]
    """Each name once."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The last event of every chat that did not fail. The chat is stored."""

    text: str
    stop_reason: StopReason | None
    usage: Usage
    """Of all model calls."""


ChatEvent = Text | ToolsAsked | Answered


async def answer_to(message: str, config: ModelConfig) -> Answered:
    """Raises ModelFailure, whose code is of the product's vocabulary."""
    async with aclosing(chat(message, config)) as events:
        (answered,) = [event async for event in events if isinstance(event, Answered)]
    return answered


async def chat(message: str, config: ModelConfig) -> AsyncGenerator[ChatEvent, None]:
    """One chat, stored before it ends: with an `Answered`, with a ModelFailure, or because its consumer left.

    Closing the generator, or cancelling its consumer, stops the model call in flight.
    """
    talk = Conversation(message, config)
    try:
        async with aclosing(_rounds(talk)) as events:
            async for event in events:
                yield event
    except (asyncio.CancelledError, GeneratorExit):
        with suppress(ModelFailure):
            await store_left(talk)
        raise
    except Exception as error:
        failure = failure_from(error)
        await store_failed(talk, failure)
        raise ModelFailure(failure.code, failure.detail) from None
    await store_answered(talk)
    yield Answered(talk.last.text, talk.last.stop_reason, talk.usage)


async def _rounds(talk: Conversation) -> AsyncGenerator[Text | ToolsAsked, None]:
    """Ask until the model answers. Raises ModelFailure."""
    toolbox = Toolbox(TOOLS, max_calls=MAX_CALLS)
    for number in range(1, MAX_TOOL_ROUNDS + 1):
        is_last = number == MAX_TOOL_ROUNDS
        async with ModelStream(_request(talk, is_last=is_last), talk.config) as stream:
            try:
                async for event in stream:
                    if isinstance(event, Chunk):
                        yield Text(event.text)
            finally:
                talk.heard(stream.completion)
        asked = _tools_asked(talk.last)
        if asked is None:
            return
        if is_last:
            raise ModelFailure(FailureCode.TOO_MANY_ROUNDS, f"Tools were asked for in all {number} model calls.")
        yield asked
        await _run_tools(talk, toolbox)


async def _run_tools(talk: Conversation, toolbox: Toolbox) -> None:
    calls = talk.last.tool_calls
    try:
        runs = await toolbox.run(calls, refused=refusal_for(talk.last.stop_reason))
    except asyncio.CancelledError:
        talk.ran_so_far(toolbox.ended)
        raise
    talk.ran(runs)


def _request(talk: Conversation, *, is_last: bool) -> ModelRequest:
    return ModelRequest(talk.messages, MAX_TOKENS, tools=TOOLS, tool_choice="none" if is_last else None)


def _tools_asked(answer: Completion) -> ToolsAsked | None:
    """None where the response is the answer. Raises ModelFailure where the call failed."""
    if answer.failure is not None:
        raise ModelFailure(answer.failure.code, answer.failure.detail)
    if not answer.tool_calls:
        return None
    return ToolsAsked(tuple(dict.fromkeys(sendable_name(call.name) for call in answer.tool_calls)))
