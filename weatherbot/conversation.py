"""One chat while it goes on: what was said so far, in the order that providers demand, and what it adds up to."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from backoffice.llm.client import ModelConfig
from backoffice.llm.events import Completion
from backoffice.llm.record import record
from backoffice.llm.streaming import Message
from backoffice.llm.tools import ToolRun, assistant_message, tool_message
from backoffice.llm.usage import NOTHING, Usage, total
from weatherbot.prompts import first_messages


@dataclass(slots=True)
class Round:
    """One model call: what the conversation had gained before it, how it ended, and the tool calls it led to."""

    gained: list[Message]
    completion: Completion
    tool_runs: Sequence[ToolRun] = ()


class Conversation:
    def __init__(self, message: str, config: ModelConfig) -> None:
        self.message = message
        self.config = config
        self.messages: list[Message] = []
        """Everything the next model call is asked with. Valid at every step: each tool call has its result."""
        self.rounds: list[Round] = []
        self.started_at: datetime = timezone.now()
        self._started = time.perf_counter()
        self._gained: list[Message] = []
        self._gain(first_messages(message))

    def _gain(self, messages: Sequence[Message]) -> None:
        self.messages.extend(messages)
        self._gained = [*messages]

    def heard(self, completion: Completion) -> None:
        """A model call has ended, well or not."""
        self.rounds.append(Round(self._gained, completion))
        self._gained = []

    def ran(self, tool_runs: Sequence[ToolRun]) -> None:
        """All tool calls of the latest model call have a result."""
        self.ran_so_far(tool_runs)
        self._gain([assistant_message(self.last), *map(tool_message, tool_runs)])

    def ran_so_far(self, tool_runs: Sequence[ToolRun]) -> None:
        """What the audit keeps of the latest model call's tool calls, where no further model call will be made."""
        self.rounds[-1].tool_runs = tool_runs

    @property
    def last(self) -> Completion:
        """The latest model call."""
        return self.rounds[-1].completion if self.rounds else Completion()

    @property
    def usage(self) -> Usage:
        """Of all calls."""
        return total(round_.completion.usage for round_ in self.rounds) if self.rounds else NOTHING

    @property
    def elapsed(self) -> float:
        """Seconds since the message came."""
        return time.perf_counter() - self._started

    def exchange(self) -> list[dict[str, Any]]:
        """One object for each model call, in the shape of `backoffice.llm.record`."""
        return [record(round_.completion, round_.gained, round_.tool_runs) for round_ in self.rounds]
