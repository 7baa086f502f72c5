"""Fragments of tool calls are merged into calls, whatever numbering the server has.

The rule is one, met in the wild in many variants: the index says which call a fragment belongs to; where there is none,
the id does; where there is neither, the fragment goes on with the latest call.
"""

import json
import uuid
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from backoffice.llm.events import ToolCall, ToolCallFragment
from backoffice.llm.text import mend


def _new_id() -> str:
    return f"call_{uuid.uuid4().hex[:24]}"


@dataclass(slots=True)
class _OpenCall:
    index: int
    id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    extra_content: dict[str, Any] | None = None
    own_id: str = field(default_factory=_new_id)
    """Stands in where the server never sends one."""

    def take(self, fragment: ToolCallFragment) -> None:
        """A piece equal to what is already held is a repeat (llama.cpp's Python server, Mistral, Fireworks).

        Gemini's `extra_content` may come in a fragment of its own, after the call.
        """
        if fragment.id != self.id:
            self.id += fragment.id
        if fragment.name != self.name:
            self.name += fragment.name
        if fragment.arguments:
            self.arguments.append(fragment.arguments)
        self.extra_content = self.extra_content or fragment.extra_content

    def cost_of(self, fragment: ToolCallFragment) -> int:
        """Characters that were read or written to take it in: an id or a name in pieces is written anew with each."""
        extra = len(json.dumps(fragment.extra_content)) if fragment.extra_content else 0
        whole = len(self.id) * bool(fragment.id) + len(self.name) * bool(fragment.name)
        return whole + len(fragment.arguments) + extra


class ToolCallMerger:
    def __init__(self, declared: Collection[str]) -> None:
        """`declared`: the names of the tools that the model was told of."""
        self._declared = declared
        self._calls: list[_OpenCall] = []
        self._at_index: dict[int, _OpenCall] = {}
        self._with_id: dict[tuple[int | None, str], _OpenCall] = {}
        """The first call of an id: at each index, and anywhere (None)."""
        self._next_index = 0
        self._latest: _OpenCall | None = None

    def feed(self, fragment: ToolCallFragment) -> int:
        """How many characters it cost, for the limit on them."""
        call = self._by_id(fragment) if fragment.index is None else self._by_index(fragment, fragment.index)
        former_id = call.id
        call.take(fragment)
        if call.id != former_id:
            self._rename(call, former_id)
        self._latest = call
        return call.cost_of(fragment)

    def calls(self) -> tuple[ToolCall, ...]:
        """In the order of their indices, in arrival order where servers number every call alike."""
        return tuple(_finished(call) for call in sorted(self._calls, key=lambda call: call.index))

    def __len__(self) -> int:
        return len(self._calls)

    def _by_index(self, fragment: ToolCallFragment, index: int) -> _OpenCall:
        call = self._at_index.get(index)
        if call is None:
            return self._open(index)
        if not fragment.id or fragment.id == call.id:
            return call
        earlier = self._with_id.get((index, fragment.id))
        if earlier is not None:
            return earlier
        return self._open(index) if fragment.name and call.id and call.name in self._declared else call

    def _by_id(self, fragment: ToolCallFragment) -> _OpenCall:
        known = self._with_id.get((None, fragment.id))
        if known is not None:
            return known
        if self._latest is None or (fragment.id and fragment.name):
            return self._open(self._next_index)
        return self._latest

    def _rename(self, call: _OpenCall, former_id: str) -> None:
        for where in (None, call.index):
            if self._with_id.get((where, former_id)) is call:
                del self._with_id[where, former_id]
            self._with_id.setdefault((where, call.id), call)

    def _open(self, index: int) -> _OpenCall:
        call = _OpenCall(index)
        self._calls.append(call)
        self._next_index = max(self._next_index, index + 1)
        self._at_index[index] = call
        return call


def _finished(call: _OpenCall) -> ToolCall:
    return ToolCall(mend(call.id) or call.own_id, mend(call.name), mend("".join(call.arguments)), call.extra_content)
