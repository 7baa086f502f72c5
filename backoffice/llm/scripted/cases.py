"""Plays captures to whoever asks under their path, in front of another handler that gets everything else.

`/case/A+B/v1/chat/completions` answers a conversation's first call with capture A, and every call after a tool result
with B; A alone answers both. Behind a `~` any label may follow, so that conversations under the same captures are
counted apart. `GET /case/A+B/log` is the JSON list of the bodies received there, `DELETE` forgets them.

`/case/*/v1` leaves the choice to each conversation, whose first user message names it: `[[case: A+B~label]]`. So one
batch of notes can meet a different capture with every row.
"""

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from backoffice.llm.scripted.doors import Answer, Handler, HttpCall
from backoffice.llm.scripted.script import Script, error_answer, json_answer

_PATH = re.compile(r"/case/(?P<place>[^/]+)(?P<rest>/.*)")
_BY_NOTE = "*"
_MARKER = re.compile(r"\[\[case: (?P<place>[^\]]+)\]\]")


class CaseBook:
    """Bodies received are kept in memory until they are deleted: this is for tests."""

    def __init__(self, captures: Mapping[str, Script], otherwise: Handler) -> None:
        self._captures = captures
        self._otherwise = otherwise
        self._received: defaultdict[str, list[Any]] = defaultdict(list)

    def handle(self, call: HttpCall) -> Answer:
        match = _PATH.fullmatch(call.path)
        if match is None:
            return self._otherwise.handle(call)
        body = _json(call.body)
        place = _named_by(body) if match["place"] == _BY_NOTE else match["place"]
        names = place.partition("~")[0].split("+")
        unknown = [name for name in names if name not in self._captures]
        if unknown:
            return Answer(error_answer(404, f"No capture is called {unknown[0]!r}.", "invalid_request_error"))
        if match["rest"] == "/log":
            return self._log(place, call.method)
        if match["rest"].endswith("/chat/completions"):
            return self._played(place, names, body)
        return self._otherwise.handle(call)

    def received(self, place: str) -> list[Any]:
        """The bodies of all requests that came for `A+B` or `A+B~label`; null for one that is no JSON."""
        return list(self._received.get(place, []))

    def _log(self, place: str, method: str) -> Answer:
        received = self.received(place)
        if method == "DELETE":
            self._received.pop(place, None)
        return Answer(json_answer(200, received))

    def _played(self, place: str, names: list[str], body: Any) -> Answer:
        self._received[place].append(body)
        return Answer(self._captures[names[-1] if _is_follow_up(body) else names[0]])


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _named_by(body: Any) -> str:
    texts = (message.get("content") for message in _messages(body) if message.get("role") == "user")
    match = _MARKER.search(next((text for text in texts if isinstance(text, str)), ""))
    return match["place"] if match else ""


def _is_follow_up(body: Any) -> bool:
    return any(message.get("role") == "tool" for message in _messages(body))


def _messages(body: Any) -> list[dict[str, Any]]:
    messages = body.get("messages") if isinstance(body, dict) else None
    return [message for message in messages if isinstance(message, dict)] if isinstance(messages, list) else []
