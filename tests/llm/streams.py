"""Streams as providers send them, written short, and the pieces of the core that read them without a network."""

import itertools
import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from backoffice.llm.assembly import Assembly
from backoffice.llm.chunks import ChunkReader
from backoffice.llm.events import Completion, Error, Event
from backoffice.llm.scripted.doors import Answer, Exchange, HttpCall
from backoffice.llm.scripted.script import DONE, Script, Step
from backoffice.llm.streaming import JUST_ENDED, ModelRequest
from backoffice.llm.tools import Tool

USAGE = {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}


def data(payload: Any) -> bytes:
    """One event; lone surrogates travel as JSON escapes, as they do on the wire."""
    return b"data: %b\n\n" % json.dumps(payload).encode()


def chunk(content: Any = None, finish: Any = None, **delta: Any) -> bytes:
    """A chunk of choice 0."""
    if content is not None:
        delta["content"] = content
    return data({"id": "r-1", "model": "m-1", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})


def fragments(*pieces: dict[str, Any]) -> bytes:
    """A chunk that carries fragments of tool calls."""
    return chunk(tool_calls=list(pieces))


def piece(arguments: Any = None, **fields: Any) -> dict[str, Any]:
    """A fragment of a tool call: `index` and `id` stand on it, `name` and the arguments inside its function."""
    function = {"name": fields.pop("name")} if "name" in fields else {}
    if arguments is not None:
        function["arguments"] = arguments
    return {**fields, "function": function}


def usage(**counts: Any) -> bytes:
    return data({"id": "r-1", "model": "m-1", "choices": [], "usage": counts or USAGE})


STOP = chunk(finish="stop")
ENDED = (STOP, usage(), DONE)
"""How a good stream of text ends."""


def read(*received: bytes) -> list[Event]:
    """The events that these bytes are, cut as they are given, with nothing after them."""
    reader = ChunkReader()
    return [*(event for part in received for event in reader.feed(part)), *reader.finish()]


def assembled(*received: bytes, tools: Collection[str] = ()) -> Completion:
    """What a stream of these bytes adds up to when its body ends here."""
    assembly = Assembly(tools)
    assembly.feed(read(*received))
    assembly.ending(JUST_ENDED)
    return assembly.completion()


def failure_of(*received: bytes) -> str | None:
    failure = assembled(*received).failure
    return None if failure is None else failure.code.value


def errors(events: Iterable[Event]) -> list[Error]:
    return [event for event in events if isinstance(event, Error)]


def question(*tools: Tool, **fields: Any) -> ModelRequest:
    return ModelRequest([{"role": "user", "content": "What is due?"}], 10, tools=tools, **fields)


class Player:
    """Answers the first call with the first script, the next with the next, and all further ones with the last."""

    def __init__(self, *scripts: Script) -> None:
        self.scripts = list(scripts)
        self.calls: list[HttpCall] = []
        self.endings: list[Exchange] = []

    def handle(self, call: HttpCall) -> Answer:
        self.calls.append(call)
        script = self.scripts[min(len(self.calls), len(self.scripts)) - 1]
        return Answer(script, Exchange("", "", 1, len(self.calls), (), script.status), self.endings.append)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(call.body) for call in self.calls]


def playing(*body: Step) -> Player:
    return Player(Script(body=body))


def cut(stream: bytes, places: Sequence[int]) -> list[bytes]:
    """The same bytes in pieces, cut at these places."""
    edges = [0, *sorted(place % (len(stream) + 1) for place in places), len(stream)]
    return [stream[start:end] for start, end in itertools.pairwise(edges)]
