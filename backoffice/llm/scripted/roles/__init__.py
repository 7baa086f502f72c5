"""The parts that the stand-in can play, one module each. The first that knows the request plays it.

A new part is a module with `plays` and `reply` and a line in `ROLES`, before `plain`, which plays everything.
"""

from typing import Protocol

from backoffice.llm.scripted.chat_request import ChatRequest
from backoffice.llm.scripted.replies import Reply
from backoffice.llm.scripted.roles import evidence, plain, summarizer, weather


class Role(Protocol):
    def plays(self, request: ChatRequest) -> bool: ...

    def reply(self, request: ChatRequest) -> Reply: ...


ROLES: tuple[Role, ...] = (summarizer, weather, evidence, plain)


def reply_to(request: ChatRequest) -> Reply:
    return next(role for role in ROLES if role.plays(request)).reply(request)
