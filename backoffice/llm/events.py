"""What a model call says, in the core's own words: the events of a stream, and the completion they add up to."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from backoffice.llm.failures import Failure
from backoffice.llm.usage import UNKNOWN, Usage


class StopReason(StrEnum):
    END = "end"
    LENGTH = "length"
    TOOL_CALLS = "tool_calls"
    CONTENT_FILTER = "content_filter"


class Status(StrEnum):
    COMPLETE = "complete"
    EMPTY = "empty"
    INTERRUPTED = "interrupted"
    ERROR = "error"


@dataclass(slots=True)
class Chunk:
    """A piece of the answer's text, already mended."""

    text: str


@dataclass(slots=True)
class ToolCallFragment:
    index: int | None
    id: str
    name: str
    arguments: str
    extra_content: dict[str, Any] | None = None


@dataclass(slots=True)
class Aside:
    """Text beside the answer that is kept for the audit and is no answer."""

    kind: Literal["reasoning", "reasoning_content", "refusal"]
    """`reasoning_content` is reasoning that goes back to the provider under this name."""
    text: str


@dataclass(slots=True)
class Stop:
    reason: StopReason


@dataclass(slots=True)
class UsageReport:
    usage: Usage


@dataclass(slots=True)
class Answered:
    """Who answered: the model and the response id, as the provider names them."""

    model: str
    response_id: str


@dataclass(slots=True)
class Done:
    """The stream has ended well."""

    stop_reason: StopReason
    usage: Usage


@dataclass(slots=True)
class Error:
    """The stream has failed. `text` is for everybody's eyes; the failure is for the audit."""

    text: str
    failure: Failure


Event = Chunk | ToolCallFragment | Aside | Stop | UsageReport | Answered | Done | Error


@dataclass(frozen=True, slots=True)
class ToolCall:
    id: str
    name: str
    """As the model wrote it; see `tools.sendable_name` for what goes back."""
    arguments: str
    """As the model wrote it: an untrusted string."""
    extra_content: dict[str, Any] | None = field(default=None, hash=False)
    """The provider's own, to be sent back with the call as it came."""


@dataclass(frozen=True, slots=True)
class Completion:
    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    stop_reason: StopReason | None = None
    """The only proof of completion."""
    usage: Usage = UNKNOWN
    status: Status = Status.EMPTY
    failure: Failure | None = None
    refusal: str = ""
    reasoning: str = ""
    reasoning_content: str | None = None
    """What of the reasoning goes back beside tool calls; None, unlike "", where the stream never named it so."""
    model: str = ""
    """The model that answered, as the provider names it."""
    response_id: str = ""
    done_marker: bool = False
    """Whether `[DONE]` was seen; evidence, not proof."""
    duration: float = 0.0
    """Seconds from the request to the end of the stream, the SDK's retries included."""
    first_text: float | None = None
    """Seconds from the request to the first piece of text."""
    request: dict[str, Any] = field(default_factory=dict)
    """The parameters asked for, without the messages."""

    @property
    def usable(self) -> bool:
        return self.failure is None and self.stop_reason is not None
