"""The stand-in itself: a request's bytes in, a script out. It knows no socket and no clock."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from backoffice.llm.scripted.chat_request import ChatRequest, InvalidRequestError, read_chat_request
from backoffice.llm.scripted.doors import Answer, Exchange, HttpCall, Observer
from backoffice.llm.scripted.faults import HEADER, Fault, UnknownFaultError, marked_faults, parse_faults
from backoffice.llm.scripted.misbehaviour import AT_ONCE, Pace, Plan, planned_script
from backoffice.llm.scripted.random_faults import NO_RANDOM_FAULTS, RandomFaults
from backoffice.llm.scripted.roles import reply_to
from backoffice.llm.scripted.script import Script, error_answer, json_answer
from backoffice.llm.scripted.wire import CREATED

MODEL: Final = "gpt-4o-mini-2024-07-18"
REMEMBERED: Final = 50_000
"""Requests whose attempts are counted; the one not seen for longest is forgotten first."""


@dataclass(frozen=True, slots=True)
class Options:
    """How the stand-in behaves towards everyone. A request's header and markers add to it."""

    faults: tuple[Fault, ...] = ()
    random_faults: RandomFaults = NO_RANDOM_FAULTS
    pace: Pace = AT_ONCE


class ScriptedModel:
    """Counts the attempts of each request; everything else it says follows from the request alone."""

    def __init__(self, options: Options | None = None, observer: Observer | None = None) -> None:
        self.options = options or Options()
        self._observer = observer
        self._attempts: OrderedDict[bytes, int] = OrderedDict()

    def handle(self, call: HttpCall) -> Answer:
        """Answer any request; an unknown path is 404, another method 405, as the provider has it."""
        for suffix, method, respond in self._routes():
            if call.path.endswith(suffix):
                return respond(call) if call.method == method else _refused(405, f"Use {method} for {suffix}.")
        return _refused(404, f"Unknown request URL: {call.method} {call.path}.")

    def _routes(self) -> tuple[tuple[str, str, Callable[[HttpCall], Answer]], ...]:
        return (("/chat/completions", "POST", self._chat), ("/models", "GET", _models))

    def _chat(self, call: HttpCall) -> Answer:
        attempt = self._count(call.body)
        try:
            request = read_chat_request(call.body)
            faults = self._faults(request, call.headers.get(HEADER, ""), attempt)
        except (InvalidRequestError, UnknownFaultError) as error:
            return _refused(400, str(error))
        script = self._script(request, faults)
        exchange = Exchange(
            user_sha256=sha256(request.user_text.encode("utf-8", "surrogatepass")).hexdigest(),
            model=request.model,
            call=request.call_number,
            attempt=attempt,
            faults=tuple(str(fault) for fault in faults),
            status=script.status,
        )
        return Answer(script, exchange, self._observer)

    def _script(self, request: ChatRequest, faults: tuple[Fault, ...]) -> Script:
        return planned_script(request, Plan(reply_to(request), self.options.pace), faults)

    def _faults(self, request: ChatRequest, asked: str, attempt: int) -> tuple[Fault, ...]:
        call = request.call_number
        standing = (*self.options.faults, *parse_faults(asked), *marked_faults(request.user_text))
        struck = tuple(fault for fault in standing if fault.strikes(call, attempt))
        return struck + self.options.random_faults.faults(request.digest, call, attempt)

    def _count(self, body: bytes) -> int:
        key = sha256(body).digest()
        attempt = self._attempts.pop(key, 0) + 1
        self._attempts[key] = attempt
        if len(self._attempts) > REMEMBERED:
            self._attempts.popitem(last=False)
        return attempt


def _refused(status: int, message: str) -> Answer:
    return Answer(error_answer(status, message, "invalid_request_error"))


def _models(_call: HttpCall) -> Answer:
    entry = {"id": MODEL, "object": "model", "created": CREATED, "owned_by": "scripted"}
    return Answer(json_answer(200, {"object": "list", "data": [entry]}))
