"""A client of the evidence desk, and answers as a model would write them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django.test import AsyncClient

from backoffice.llm.scripted.script import Script
from backoffice.llm.sse import EventParser
from tests.llm.streams import DONE, chunk, usage

JSON = "application/json"
APOLOGY = (
    "Sorry, I cannot give you an answer that our policy documents back. "
    "Please rephrase the question or ask the back office."
)
WITHHELD = {
    "answer": APOLOGY,
    "cited_ids": [],
    "confidence": None,
    "status": None,
    "ok": False,
    "citations": [],
}
QUESTION = "When are invoices payable?"


def answered(answer: str = "Invoices are payable within 30 days.", *cited_ids: str, **fields: Any) -> str:
    """The JSON of an answer that cites `terms`, unless told otherwise."""
    usual = {"answer": answer, "cited_ids": list(cited_ids) or ["terms"], "confidence": "high", "status": "answered"}
    return json.dumps({**usual, **fields}, ensure_ascii=False)


def abstained(answer: str = "The documents do not say.") -> str:
    return answered(answer, cited_ids=[], status="abstained", confidence="low")


def says(*pieces: str, stop: str = "stop", tokens: tuple[int, int] = (10, 5), **delta: Any) -> Script:
    """A stream that says these pieces and ends with the provider's word `stop`."""
    counts = usage(prompt_tokens=tokens[0], completion_tokens=tokens[1])
    others = [chunk(**delta)] if delta else []
    return Script(body=(*map(chunk, pieces), *others, chunk(finish=stop), counts, DONE))


@dataclass(frozen=True)
class Streamed:
    """A stream as a client reads it."""

    events: list[tuple[str, Any]]

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.events]

    @property
    def text(self) -> str:
        return "".join(data["text"] for kind, data in self.events if kind == "chunk")

    def of(self, kind: str) -> Any:
        """The data of the one event of this kind."""
        (data,) = [data for each, data in self.events if each == kind]
        return data


class Desk:
    """Asks over HTTP."""

    def __init__(self) -> None:
        self.client = AsyncClient()

    async def post(self, body: Any, content_type: str = JSON, **headers: str) -> Any:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return await self.client.post("/ask", content, content_type, headers=headers)

    async def ask(self, question: str = QUESTION) -> dict[str, Any]:
        response = await self.post({"question": question})
        assert response.status_code == 200, response.content
        body: dict[str, Any] = response.json()
        return body

    async def get_stream(self, **query: Any) -> Any:
        return await self.client.get(f"/ask/stream?{urlencode(query, doseq=True)}")

    async def stream(self, question: str = QUESTION) -> Streamed:
        response = await self.get_stream(q=question)
        assert response.status_code == 200, response.content
        assert response["Content-Type"] == "text/event-stream"
        parser = EventParser()
        events = [event async for data in response.streaming_content for event in parser.feed(data)]
        assert parser.finish() == ([], False)
        return Streamed([(event.event, event.json()) for event in events])


def write_document(folder: Path, id_: str, text: str, status: str = "current", title: str = "") -> None:
    lines = [f"id: {id_}", f"status: {status}", *([f"title: {title}"] if title else [])]
    folder.joinpath(f"{id_}.md").write_text("\n".join(["---", *lines, "---", "", text]), encoding="utf-8")


def ids(documents: Sequence[Any]) -> list[str]:
    return [document.id for document in documents]
