"""A model server for the tests of one row: it answers in order what a test wants, and keeps what it was asked."""

import json
from typing import Any

from backoffice.llm.scripted.chat_request import read_chat_request
from backoffice.llm.scripted.doors import Answer, HttpCall
from backoffice.llm.scripted.replies import Reply, ToolCall, text_reply, tool_reply
from backoffice.llm.scripted.script import Script
from backoffice.llm.scripted.wire import USUAL, Manner, streamed


class Provider:
    """Each request gets the next answer, and the last one again when they are used up."""

    def __init__(self, *answers: Reply | Script, manner: Manner = USUAL) -> None:
        self.requests: list[dict[str, Any]] = []
        self._answers = answers
        self._manner = manner

    def handle(self, call: HttpCall) -> Answer:
        self.requests.append(json.loads(call.body))
        answer = self._answers[min(len(self.requests), len(self._answers)) - 1]
        if isinstance(answer, Script):
            return Answer(answer)
        said = streamed(read_chat_request(call.body), answer, self._manner)
        return Answer(Script(body=(*said.body, *said.tail)))


def amount_call(raw: str) -> ToolCall:
    return ToolCall("normalize_amount", json.dumps({"raw": raw}))


def asking_for(*raws: str, text: str | None = None) -> Reply:
    """A first answer that has these amounts normalized; `text` stands before its calls."""
    return Reply(text=text, calls=tuple(map(amount_call, raws)), stop_reason="tool_calls")


__all__ = ["Provider", "amount_call", "asking_for", "text_reply", "tool_reply"]
