"""Turns a good reply and the faults asked for into a script.

Each fault is one small change to a plan; faults combine, in the order in which they were asked for.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from backoffice.llm.scripted.chat_request import ChatRequest
from backoffice.llm.scripted.faults import Fault
from backoffice.llm.scripted.replies import Reply, limited, tokens
from backoffice.llm.scripted.script import JSON, Drop, Script, Sleep, Step, data_event, error_answer
from backoffice.llm.scripted.wire import USUAL, Manner, WireAnswer, streamed, whole

FOR_EVER: Final = 86_400.0
"""Seconds of a stall without a number: longer than any client waits."""
REFUSAL: Final = "I'm sorry, but I can't help with that."
_MALFORMED: Final = b'data: {"id":"chatcmpl-broken","choices":[{"index":0,"delta":{"content":\n\n'
_BAD_UTF8: Final = b'data: {"choices":[{"index":0,"delta":{"content":"\xc3\x28\xff"},"finish_reason":null}]}\n\n'
_ERROR_EVENT: Final = data_event('{"error":{"message":"The server is overloaded.","type":"server_error","code":503}}')


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds before an answer begins, and between its chunks."""

    time_to_first_token: float = 0.0
    chunk_delay: float = 0.0


AT_ONCE: Final = Pace()


@dataclass(frozen=True, slots=True)
class Plan:
    reply: Reply
    pace: Pace = AT_ONCE
    manner: Manner = USUAL
    before: tuple[Sleep | Drop, ...] = ()
    middle: tuple[Step, ...] = ()
    """Played half-way through the answer's body."""
    ends_there: bool = False
    instead: Script | None = None


def planned_script(request: ChatRequest, plan: Plan, faults: tuple[Fault, ...]) -> Script:
    for fault in faults:
        plan = _status(plan, fault) if fault.is_status else _CHANGES[fault.name](plan, fault)
    before = (*_slept(plan.pace.time_to_first_token), *plan.before)
    if plan.instead is not None:
        return plan.instead.preceded_by(*before)
    return _answered(request, plan).preceded_by(*before)


def _answered(request: ChatRequest, plan: Plan) -> Script:
    reply = limited(plan.reply, request.max_tokens)
    if request.stream:
        return Script(body=_body(streamed(request, reply, plan.manner), plan))
    content = _body(whole(request, reply, plan.manner), plan)
    return Script(headers=(("content-type", JSON),), body=content)


def _body(answer: WireAnswer, plan: Plan) -> tuple[Step, ...]:
    steps: tuple[Step, ...] = (*answer.body, *answer.tail)
    if plan.middle or plan.ends_there:
        half = (len(answer.body) + 1) // 2
        rest = () if plan.ends_there else steps[half:]
        steps = (*steps[:half], *plan.middle, *rest)
    return _delayed(steps, plan.pace.chunk_delay)


def _delayed(steps: tuple[Step, ...], delay: float) -> tuple[Step, ...]:
    """Each piece but the first waits `delay` seconds."""
    if not delay:
        return steps
    pause = Sleep(delay)
    return tuple(part for step in steps for part in ((pause, step) if isinstance(step, bytes) else (step,)))[1:]


def _slept(seconds: float) -> tuple[Sleep, ...]:
    return (Sleep(seconds),) if seconds else ()


def _status(plan: Plan, fault: Fault) -> Plan:
    code = int(fault.name)
    kind = {429: "rate_limit_error"}.get(code, "invalid_request_error" if code < 500 else "server_error")
    answer = error_answer(code, f"Scripted failure with status {code}.", kind, _retry_after(fault))
    return replace(plan, instead=plan.instead or answer)


def _retry_after(fault: Fault) -> dict[str, str]:
    """Whole seconds as RFC 9110 has them; a fraction as the SDK's own `retry-after-ms`."""
    seconds = fault.seconds
    if seconds is None:
        return {}
    if seconds.is_integer():
        return {"retry-after": str(int(seconds))}
    return {"retry-after-ms": str(round(seconds * 1000))}


def _stalled(fault: Fault) -> Sleep:
    return Sleep(FOR_EVER if fault.seconds is None else fault.seconds)


def _inserted(*steps: Step, ends_there: bool) -> "Change":
    def change(plan: Plan, _fault: Fault) -> Plan:
        return replace(plan, middle=(*plan.middle, *steps), ends_there=plan.ends_there or ends_there)

    return change


def _mannered(**habits: object) -> "Change":
    def change(plan: Plan, _fault: Fault) -> Plan:
        return replace(plan, manner=replace(plan.manner, **habits))  # type: ignore[arg-type]

    return change


def _said(reply: Reply) -> "Change":
    def change(plan: Plan, _fault: Fault) -> Plan:
        return replace(plan, reply=reply)

    return change


def _cut(stop_reason: str) -> "Change":
    """Half of the answer, with a stop reason that says so; the half of a tool call's arguments is no JSON."""

    def change(plan: Plan, _fault: Fault) -> Plan:
        reply = plan.reply
        pieces = tokens(reply.text or "")
        text = None if reply.text is None else "".join(pieces[: (len(pieces) + 1) // 2])
        calls = tuple(replace(call, arguments=call.arguments[: len(call.arguments) // 2]) for call in reply.calls)
        return replace(plan, reply=replace(reply, text=text, calls=calls, stop_reason=stop_reason))

    return change


Change = Callable[[Plan, Fault], Plan]
_CHANGES: dict[str, Change] = {
    "ttft": lambda plan, fault: replace(plan, pace=replace(plan.pace, time_to_first_token=fault.seconds or 0.0)),
    "delay": lambda plan, fault: replace(plan, pace=replace(plan.pace, chunk_delay=fault.seconds or 0.0)),
    "stall": lambda plan, fault: replace(plan, before=(*plan.before, _stalled(fault))),
    "drop": lambda plan, _fault: replace(plan, before=(*plan.before, Drop())),
    "stall-mid": lambda plan, fault: replace(plan, middle=(*plan.middle, _stalled(fault))),
    "drop-mid": _inserted(Drop(), ends_there=True),
    "reset-mid": _inserted(Drop(reset=True), ends_there=True),
    "eof": _inserted(ends_there=True),
    "malformed": _inserted(_MALFORMED, ends_there=False),
    "bad-utf8": _inserted(_BAD_UTF8, ends_there=False),
    "error-event": _inserted(_ERROR_EVENT, ends_there=True),
    "length": _cut("length"),
    "content-filter": _cut("content_filter"),
    "refusal": _said(Reply(refusal=REFUSAL)),
    "empty": _said(Reply(text="")),
    "stop": lambda plan, fault: replace(plan, reply=replace(plan.reply, stop_reason=fault.value or "")),
    "no-usage": _mannered(usage=False),
    "no-done": _mannered(done=False),
    "id-repeated": _mannered(fragments="id-repeated"),
    "index-zero": _mannered(fragments="index-zero"),
    "no-index": _mannered(fragments="no-index"),
    "no-id": _mannered(fragments="no-id"),
}
