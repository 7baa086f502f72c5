"""A model of the tests' own: it answers each call with the next script it was given, and keeps what it was asked.

A conversation that a real provider would refuse is kept too, so that a test can say that there was none.
"""

import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from backoffice.llm.scripted.chat_request import InvalidRequestError, read_chat_request
from backoffice.llm.scripted.doors import Answer, Exchange, HttpCall
from backoffice.llm.scripted.script import DONE, Script, Step, data_event


@dataclass(frozen=True)
class Call:
    """A tool call as a model writes it."""

    arguments: str = '{"location":"Oslo"}'
    id: str = "call_1"
    name: str = "get_weather"


def _chunk(delta: dict[str, Any], stop: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": stop}
    return data_event(json.dumps({"id": "r-1", "model": "m-1", "choices": [choice]}))


def _usage(tokens: tuple[int, int]) -> bytes:
    usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    return data_event(json.dumps({"id": "r-1", "model": "m-1", "choices": [], "usage": usage}))


def _fragment(position: int, call: Call) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"tool_calls": [{"index": position, "id": call.id, "type": "function", "function": function}]}


def turn(
    text: str | Sequence[str] = "",
    calls: Iterable[Call] = (),
    *,
    stop: str | None = None,
    tokens: tuple[int, int] = (10, 5),
) -> Script:
    """A good stream: the text in its pieces, then the calls. `stop` is the provider's word."""
    calls = tuple(calls)
    pieces = [text] if isinstance(text, str) else text
    body: list[Step] = [_chunk({"content": piece}) for piece in pieces if piece]
    body += [_chunk(_fragment(position, call)) for position, call in enumerate(calls)]
    reason = stop or ("tool_calls" if calls else "stop")
    return Script(body=(*body, _chunk({}, reason), _usage(tokens), DONE))


def says(*pieces: str, **how: Any) -> Script:
    return turn(pieces, **how)


def asks(*calls: Call, **how: Any) -> Script:
    return turn(how.pop("text", ""), calls, **how)


class PlayedModel:
    """The handler of one conversation; where the scripts run out, the last one is played again."""

    def __init__(self, *scripts: Script) -> None:
        self.scripts = list(scripts)
        self.requests: list[dict[str, Any]] = []
        self.refusals: list[str] = []
        self.endings: list[str] = []
        self.asked = asyncio.Event()

    def handle(self, call: HttpCall) -> Answer:
        self.requests.append(json.loads(call.body))
        try:
            read_chat_request(call.body)
        except InvalidRequestError as error:
            self.refusals.append(str(error))
        self.asked.set()
        script = self.scripts[min(len(self.requests), len(self.scripts)) - 1]
        return Answer(script, Exchange("", "m-1", len(self.requests), 1, (), script.status), self._ended)

    def _ended(self, exchange: Exchange) -> None:
        self.endings.append(exchange.ended)

    @property
    def results(self) -> list[dict[str, Any]]:
        """What the tools told the model, in the order of the last conversation's messages."""
        return [
            json.loads(message["content"]) for message in self.requests[-1]["messages"] if message["role"] == "tool"
        ]
