"""Holds a row's outcome against what `cases/expected.json` says it owes."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Seen:
    """How a row ended, and the requests that the model's server got for it."""

    outcome: str
    summary: str | None
    failure: str | None
    warnings: Sequence[str]
    usage: Sequence[int | None]
    requests: Sequence[dict[str, Any]]


def differences(owed: dict[str, Any], seen: Seen) -> list[str]:
    """What is not as it should be; nothing where all is well."""
    found = [] if (seen.summary is None) is (seen.outcome == "failed") else ["the row ended in two places"]
    if not owed["strict"]:
        return found
    return [*found, *_of_outcome(owed, seen), *_of_requests(owed, seen.requests)]


def _of_outcome(owed: dict[str, Any], seen: Seen) -> Iterator[str]:
    if seen.outcome != owed["outcome"]:
        yield f"{seen.outcome} instead of {owed['outcome']}"
    if not _is_text(owed["summary"], seen.summary):
        yield f"summary {seen.summary!r:.200}"
    if (seen.failure is None) is not (owed["failure"] is None) or seen.failure not in _one_of(owed["failure"]):
        yield f"failure {seen.failure}"
    if not set(owed["warnings"]) <= set(seen.warnings) <= {*owed["warnings"], *owed["optional_warnings"]}:
        yield f"warnings {seen.warnings}"
    if "usage" in owed and list(seen.usage) != owed["usage"]:
        yield f"usage {seen.usage}"


def _is_text(owed: Any, seen: str | None) -> bool:
    if not isinstance(owed, dict) or seen is None:
        return bool(owed == seen)
    return len(seen) == owed["length"] and hashlib.sha256(seen.encode()).hexdigest() == owed["sha256"]


def _one_of(owed: Any) -> Sequence[Any]:
    return owed if isinstance(owed, list) else [owed]


def _of_requests(owed: dict[str, Any], requests: Sequence[dict[str, Any]]) -> Iterator[str]:
    if len(requests) != owed["posts"]:
        yield f"{len(requests)} requests instead of {owed['posts']}"
    first, last = requests[0]["messages"], requests[-1]["messages"]
    if [message["role"] for message in first] != ["system", "user"]:
        yield "the first request is no system and no user message"
    if owed["tool_results"]:
        yield from _of_follow_up(owed, requests[-1], last[len(first) :])
    elif last != first:
        yield "a follow-up without a tool call"


def _of_follow_up(owed: dict[str, Any], request: dict[str, Any], added: Sequence[dict[str, Any]]) -> Iterator[str]:
    assistant, *tools = added
    calls = assistant["tool_calls"]
    if (assistant["role"], {tool["role"] for tool in tools}) != ("assistant", {"tool"}):
        yield f"roles {[message['role'] for message in added]}"
    if [call["id"] for call in calls] != [tool["tool_call_id"] for tool in tools]:
        yield "the results are not in the order of the calls"
    if request["tool_choice"] != "none":
        yield "the follow-up may call tools"
    results = ["error" if "error" in json.loads(tool["content"]) else "ok" for tool in tools]
    if len(results) != len(owed["tool_results"]) or any(
        want not in ("any", got) for want, got in zip(owed["tool_results"], results, strict=True)
    ):
        yield f"results {[tool['content'] for tool in tools]}"
    if owed["calls"] is not None and not _are_calls(owed["calls"], calls):
        yield f"calls {calls}"


def _are_calls(owed: Sequence[dict[str, Any]], calls: Sequence[dict[str, Any]]) -> bool:
    sent = [{"id": call["id"], **call["function"]} for call in calls]
    return len(owed) == len(sent) and all(
        want[name] is None or got[name] in _one_of(want[name])
        for want, got in zip(owed, sent, strict=True)
        for name in ("id", "name", "arguments")
    )
