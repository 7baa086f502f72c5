"""One row: a note in, a result out, with at most two model calls. Knows no model class and no door."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from backoffice.llm.client import ModelConfig, gate_of
from backoffice.llm.events import Completion
from backoffice.llm.failures import Failure, failure_from
from backoffice.llm.record import record
from backoffice.llm.streaming import Message, ModelRequest, complete
from backoffice.llm.tools import Tool, Toolbox, ToolRun, assistant_message, refusal_for, tool_message
from backoffice.llm.usage import NOTHING, Usage, total
from summarizer.amounts import NORMALIZE_AMOUNT_DESCRIPTION, NORMALIZE_AMOUNT_PARAMETERS, normalize_amount
from summarizer.checks import warnings_for
from summarizer.prompts import PROMPT_VERSION, first_messages

logger = logging.getLogger(__name__)

MAX_TOKENS = 200
NORMALIZE_AMOUNT = Tool("normalize_amount", NORMALIZE_AMOUNT_DESCRIPTION, NORMALIZE_AMOUNT_PARAMETERS, normalize_amount)
TOOLS = (NORMALIZE_AMOUNT,)


@dataclass(frozen=True, slots=True)
class RowResult:
    """How one row ended: with a summary or with a failure, never with both."""

    summary: str | None
    failure: Failure | None
    warnings: tuple[str, ...] = ()
    stop_reason: str = ""
    answered_by: str = ""
    exchange: tuple[dict[str, Any], ...] = ()
    """One object for each model call, in the shape of `backoffice.llm.record`, with its `prompt_version`."""
    usage: Usage = field(default_factory=Usage)
    duration: float = 0.0
    """Seconds."""
    first_text: float | None = None
    """Seconds from the start of the row to the first piece of the summary."""


@dataclass(slots=True)
class _Row:
    """The row while it is worked on: what was said so far, for the audit of however it ends."""

    note: str
    config: ModelConfig
    started: float = field(default_factory=time.perf_counter)
    exchange: list[dict[str, Any]] = field(default_factory=list)
    calls: list[Completion] = field(default_factory=list)

    async def ask(self, messages: Sequence[Message], tool_choice: str | None = None) -> Completion:
        request = ModelRequest(messages, MAX_TOKENS, tools=TOOLS, tool_choice=tool_choice)
        async with gate_of(self.config).place():
            answer = await complete(request, self.config)
        self.calls.append(answer)
        return answer

    def ended(
        self, *, summary: str | None = None, failure: Failure | None = None, warnings: Sequence[str] = ()
    ) -> RowResult:
        last = self.calls[-1] if self.calls else Completion()
        elapsed = time.perf_counter() - self.started
        return RowResult(
            summary=summary,
            failure=failure,
            warnings=tuple(warnings),
            stop_reason=last.stop_reason or "",
            answered_by=last.model,
            exchange=tuple(self.exchange),
            usage=total(call.usage for call in self.calls) if self.calls else NOTHING,
            duration=elapsed,
            first_text=None if last.first_text is None else elapsed - last.duration + last.first_text,
        )


async def summarise(note: str, config: ModelConfig) -> RowResult:
    """Summarise one note. Never raises but for cancellation: whatever goes wrong is the row's failure."""
    row = _Row(note, config)
    try:
        return await _summarise(row)
    except Exception as error:
        return row.ended(failure=failure_from(error))


async def _summarise(row: _Row) -> RowResult:
    messages: list[Message] = [*first_messages(row.note)]
    answer = await row.ask(messages)
    tool_runs: list[ToolRun] = []
    if answer.usable and answer.tool_calls:
        tool_runs = await Toolbox(TOOLS).run(answer.tool_calls, refused=refusal_for(answer.stop_reason))
    row.exchange.append(_recorded(answer, messages, tool_runs))
    if tool_runs:
        added = [assistant_message(answer), *map(tool_message, tool_runs)]
        answer = await row.ask([*messages, *added], tool_choice="none")
        row.exchange.append(_recorded(answer, added))
    if not answer.usable:
        return row.ended(failure=answer.failure)
    warnings = warnings_for(answer, row.note, [run.result for run in tool_runs])
    return row.ended(summary=answer.text, warnings=warnings)


def _recorded(answer: Completion, messages: Sequence[Message], tool_runs: Sequence[ToolRun] = ()) -> dict[str, Any]:
    return record(answer, messages, tool_runs) | {"prompt_version": PROMPT_VERSION}
