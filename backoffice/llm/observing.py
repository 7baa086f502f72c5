"""Whoever wants to know of every model call that ended (metrics, traces) is told here, once for each call.

The core knows none of them. An observer is called on the event loop, so it must neither wait nor take long; one that
fails is logged and harms no call.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backoffice.llm.events import Completion

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EndedCall:
    provider: str
    model: str
    """The pinned snapshot asked for."""
    base_url: str
    messages: Sequence[Mapping[str, Any]]
    """Personal data: whoever keeps them says so in a setting."""
    completion: Completion

    @property
    def code(self) -> str:
        """`ok`, a failure code, or `left` where the caller did not stay to the end."""
        if self.completion.failure is not None:
            return self.completion.failure.code.value
        return "ok" if self.completion.usable else "left"


Observer = Callable[[EndedCall], None]

_observers: list[Observer] = []


def observe(observer: Observer) -> None:
    """Call `observer` for every call that ends in this process from now on."""
    if observer not in _observers:
        _observers.append(observer)


def unobserve(observer: Observer) -> None:
    """For who watches for a while, as a test does: the list is the process's and outlives whoever is on it."""
    if observer in _observers:
        _observers.remove(observer)


def call_ended(call: EndedCall) -> None:
    for observer in _observers:
        try:
            observer(call)
        except Exception as error:
            # The type alone: the message of an error about a call may quote the call.
            logger.error("an observer of model calls failed: %s", type(error).__name__)  # noqa: TRY400
