"""Requests as the product's systems make them, and what came back, for the tests of the scripted model."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import openai
from openai.types.chat import ChatCompletionChunk

from backoffice.llm.scripted import Options, ScriptedModel
from backoffice.llm.scripted.chat_request import ChatRequest, read_chat_request
from backoffice.llm.scripted.doors import Answer, HttpCall
from backoffice.llm.scripted.faults import HEADER, parse_faults
from backoffice.llm.scripted.roles import reply_to

MODEL = "gpt-4o-mini-2024-07-18"
NOTE = "Invoice RE-2024-17 from Müller GmbH over 1 200,50 EUR and $7, due 12.03.2024."


def tool(name: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}


NORMALIZE = tool("normalize_amount")
GET_WEATHER = tool("get_weather")


def body(user: str = NOTE, *further: dict[str, Any], **fields: Any) -> dict[str, Any]:
    messages = [{"role": "system", "content": "Summarise."}, {"role": "user", "content": user}, *further]
    return {"model": MODEL, "messages": messages, **fields}


def encoded(payload: Any) -> bytes:
    return json.dumps(payload, ensure_ascii=False).encode("utf-8", "surrogatepass")


def chat_request(user: str = NOTE, *further: dict[str, Any], **fields: Any) -> ChatRequest:
    return read_chat_request(encoded(body(user, *further, **fields)))


def posted(model: ScriptedModel, payload: Any, faults: str = "") -> Answer:
    content = payload if isinstance(payload, bytes) else encoded(payload)
    return model.handle(HttpCall("POST", "/v1/chat/completions", {HEADER: faults}, content))


def with_faults(faults: str) -> Options:
    return Options(faults=parse_faults(faults))


def answered(results: Sequence[Any], name: str = "normalize_amount") -> list[dict[str, Any]]:
    """The assistant's message that asked for the results, and the tool messages that brought them."""
    calls = [
        {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": "{}"}}
        for number, _ in enumerate(results)
    ]
    told = [
        {"role": "tool", "tool_call_id": f"call_{number}", "content": json.dumps(result)}
        for number, result in enumerate(results)
    ]
    return [{"role": "assistant", "content": None, "tool_calls": calls}, *told]


def said(user: str, *further: dict[str, Any], tools: Sequence[dict[str, Any]] = (NORMALIZE,), **fields: Any) -> str:
    """The text of the stand-in's reply."""
    text = reply_to(chat_request(user, *further, tools=list(tools), **fields)).text
    assert text is not None
    return text


def called(user: str, *, tools: Sequence[dict[str, Any]] = (NORMALIZE,), **fields: Any) -> list[dict[str, Any]]:
    """The arguments of the tool calls in the stand-in's reply."""
    reply = reply_to(chat_request(user, tools=list(tools), **fields))
    return [json.loads(call.arguments) for call in reply.calls]


@dataclass
class Received:
    """A stream as the SDK gave it, and the error that ended it, if one did."""

    chunks: list[ChatCompletionChunk] = field(default_factory=list)
    error: Exception | None = None

    @property
    def text(self) -> str:
        return "".join(c.choices[0].delta.content or "" for c in self.chunks if c.choices)

    @property
    def refusal(self) -> str:
        return "".join(c.choices[0].delta.refusal or "" for c in self.chunks if c.choices)

    @property
    def stop_reasons(self) -> list[str]:
        return [c.choices[0].finish_reason for c in self.chunks if c.choices and c.choices[0].finish_reason is not None]

    @property
    def fragments(self) -> list[dict[str, Any]]:
        """The tool-call fragments, each as it was sent, keys that were not sent left out."""
        return [
            fragment.model_dump(exclude_unset=True)
            for chunk in self.chunks
            if chunk.choices
            for fragment in chunk.choices[0].delta.tool_calls or ()
        ]

    @property
    def arguments(self) -> dict[int, str]:
        """Of each call, by its index."""
        joined: dict[int, str] = {}
        for fragment in self.fragments:
            joined[fragment["index"]] = joined.get(fragment["index"], "") + fragment["function"]["arguments"]
        return joined

    @property
    def usage(self) -> Any:
        return next((c.usage for c in reversed(self.chunks) if c.usage is not None), None)


async def stream(client: openai.AsyncOpenAI, payload: dict[str, Any], faults: str = "") -> Received:
    """Reads one stream to its end; what the SDK raises before or inside it is kept, not raised."""
    received = Received()
    fields = {"stream": True, "stream_options": {"include_usage": True}, **payload}
    try:
        async with await client.chat.completions.create(**fields, extra_headers={HEADER: faults}) as chunks:
            async for chunk in chunks:
                received.chunks.append(chunk)
    except Exception as error:
        received.error = error
    return received
