"""A model that costs next to nothing, in a process of its own: what is measured is its client.

Speaks streamed chat completions over HTTP/1.1. Every answer is made before the first request comes: to a conversation
without a tool result, one call of the tool that the request declares, in fragments; to one with, thirty pieces of text.

    python -m benchmarks.model_server PORT [--latency SECONDS] [--paced]
"""

import argparse
import asyncio
import json
from collections.abc import Sequence
from typing import Any

FRAGMENTS = 15
PIECES = 30
MODEL = "gpt-4o-mini-2024-07-18"
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
ARGUMENTS = {"normalize_amount": '{"raw": "1.234,50 EUR"}', "get_weather": '{"location": "Oslo"}'}
SUMMARY = "The vendor billed 1234.50 EUR in total for work and material, due within thirty days of receipt."


def event(choices: Sequence[Any], usage: Any = None) -> bytes:
    body = {
        "id": "chatcmpl-CmT0b3nchmark",
        "object": "chat.completion.chunk",
        "created": 1_760_000_000,
        "model": MODEL,
        "service_tier": "default",
        "system_fingerprint": "fp_560af6e559",
        "choices": choices,
        "usage": usage,
        "obfuscation": "kq7Z",
    }
    return b"data: " + json.dumps(body, separators=(",", ":")).encode() + b"\n\n"


def delta(delta: Any, finish: str | None = None) -> bytes:
    return event([{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}])


def ending(finish: str) -> list[bytes]:
    details = {"cached_tokens": 0, "audio_tokens": 0}
    usage = {"prompt_tokens": 310, "completion_tokens": 40, "total_tokens": 350, "prompt_tokens_details": details}
    return [delta({}, finish), event([], usage), b"data: [DONE]\n\n"]


def pieces(text: str, count: int) -> list[str]:
    """Cut as evenly as it goes, and no piece empty."""
    return [text[len(text) * i // count : len(text) * (i + 1) // count] for i in range(count)]


def tool_call(name: str) -> list[bytes]:
    function = {"name": name, "arguments": ""}
    call = {"index": 0, "id": "call_b3nchmark0000000000000", "type": "function", "function": function}
    fragments = (
        {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]} for piece in pieces(ARGUMENTS[name], FRAGMENTS)
    )
    opening = delta({"role": "assistant", "content": None, "tool_calls": [call], "refusal": None})
    return [opening, *map(delta, fragments), *ending("tool_calls")]


def summary() -> list[bytes]:
    opening = delta({"role": "assistant", "content": "", "refusal": None})
    return [opening, *(delta({"content": piece}) for piece in pieces(SUMMARY, PIECES)), *ending("stop")]


def on_the_wire(events: Sequence[bytes]) -> list[bytes]:
    """The head with the first event, then an HTTP chunk for each, then the end with the last one."""
    chunks = [b"%x\r\n%s\r\n" % (len(each), each) for each in events]
    return [HEAD + chunks[0], *chunks[1:-1], chunks[-1] + b"0\r\n\r\n"]


CALLS = {name.encode(): on_the_wire(tool_call(name)) for name in ARGUMENTS}
TEXT = on_the_wire(summary())
WHOLE = {id(answer): b"".join(answer) for answer in (*CALLS.values(), TEXT)}


def answer_to(body: bytes) -> list[bytes]:
    if b'"role":"tool"' in body or b'"role": "tool"' in body:
        return TEXT
    return next((answer for name, answer in CALLS.items() if name in body), TEXT)


class Connection(asyncio.Protocol):
    def __init__(self, latency: float, *, paced: bool) -> None:
        self._latency, self._paced = latency, paced
        self._received = b""
        self._transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, blank, body = self._received.partition(b"\r\n\r\n")
        if not blank:
            return
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        if len(body) >= length:
            self._received = body[length:]
            self._answer(answer_to(body))

    def _answer(self, answer: list[bytes]) -> None:
        loop = asyncio.get_running_loop()
        send = self._step if self._paced else self._write
        if self._latency:
            loop.call_later(self._latency, send, answer)
        else:
            send(answer)

    def _write(self, answer: list[bytes]) -> None:
        self._transport.write(WHOLE[id(answer)])

    def _step(self, answer: list[bytes], position: int = 0) -> None:
        """One event a turn of the loop, so that the client meets them in many small reads."""
        self._transport.write(answer[position])
        if position + 1 < len(answer):
            asyncio.get_running_loop().call_soon(self._step, answer, position + 1)


async def serve(port: int, latency: float, *, paced: bool) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(latency, paced=paced), "127.0.0.1", port, backlog=4096)
    print("ready", flush=True)
    await server.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds from the request to the answer")
    parser.add_argument("--paced", action="store_true", help="a write for each event instead of one for all")
    options = parser.parse_args()
    asyncio.run(serve(options.port, options.latency, paced=options.paced))


if __name__ == "__main__":
    main()
