"""Each stream met in the wild gives its outcome through the real endpoint: service and provider are processes of their
own, and all cases are rows of one batch or two, so that each is every other's neighbour."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from summarizer.schemas import MAX_ROWS
from tests.wire.outcomes import Seen, differences
from tests.wire.player import ScriptedServer, load_expectations, note_for
from tests.wire.web import WebServer

pytestmark = pytest.mark.process

EXPECTATIONS = load_expectations()
NAMES = sorted(EXPECTATIONS)
ROW_IDS = {name: 100 + number for number, name in enumerate(NAMES)}


@dataclass(frozen=True)
class Batch:
    names: list[str]
    answer: dict[str, Any]
    run: dict[str, Any]


@dataclass(frozen=True)
class Night:
    """Every case, played once."""

    provider: ScriptedServer
    batches: list[Batch]
    log: str

    def batch_of(self, name: str) -> Batch:
        return next(batch for batch in self.batches if name in batch.names)


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Night]:
    with ScriptedServer() as provider:
        service = WebServer(
            tmp_path_factory.mktemp("service"),
            LLM_PROVIDER="openai",
            OPENAI_API_KEY="sk-cases",
            OPENAI_BASE_URL=provider.by_note_url,
            LLM_CHUNK_TIMEOUT="2",
            LLM_CALL_TIMEOUT="8",
        )
        with service:
            batches = [_posted(service, NAMES[start : start + MAX_ROWS]) for start in range(0, len(NAMES), MAX_ROWS)]
        yield Night(provider, batches, service.log)


def _posted(service: WebServer, names: list[str]) -> Batch:
    rows = [{"row_id": ROW_IDS[name], "text": note_for(EXPECTATIONS[name]["script"], name)} for name in names]
    answer = service.client.post("/summaries/batch", json={"rows": rows})
    answer.raise_for_status()
    return Batch(names, answer.json(), service.client.get(answer.headers["Content-Location"]).json())


@pytest.mark.parametrize("name", NAMES)
def test_a_row_ends_as_its_streams_owe(night: Night, name: str) -> None:
    owed, batch = EXPECTATIONS[name], night.batch_of(name)
    outcome = next(each for each in batch.run["outcomes"] if each["row_id"] == ROW_IDS[name])
    seen = Seen(
        outcome=outcome["state"],
        summary=outcome["summary"],
        failure=outcome["failure"],
        warnings=outcome["warnings"],
        usage=(outcome["input_tokens"], outcome["output_tokens"]),
        requests=night.provider.received(owed["script"], name),
    )
    assert differences(owed, seen) == [], owed["why"]


def test_every_row_is_in_one_place_of_the_answer_and_its_outcome_says_the_same(night: Night) -> None:
    for batch in night.batches:
        outcomes = batch.run["outcomes"]
        assert [each["row_id"] for each in outcomes] == [ROW_IDS[name] for name in batch.names]
        summarised = {str(each["row_id"]): each["summary"] for each in outcomes if each["state"] == "summarised"}
        assert batch.answer["summaries"] == summarised == batch.run["result"]["summaries"]
        failed = [each["row_id"] for each in outcomes if each["state"] == "failed"]
        assert batch.answer["failed"] == failed == batch.run["result"]["failed"]


def test_the_run_is_completed_whatever_its_rows_met(night: Night) -> None:
    for batch in night.batches:
        assert (batch.run["state"], batch.run["provider"]) == ("completed", "openai")
        assert batch.run["progress"] == {"total": len(batch.names), "done": len(batch.names)}


def test_tokens_are_unknown_where_a_stream_did_not_tell_them_and_so_is_the_cost(night: Night) -> None:
    outcomes = [each for batch in night.batches for each in batch.run["outcomes"]]
    assert {each["cost"] is None for each in outcomes if each["input_tokens"] is None} == {True}
    assert all((each["input_tokens"] is None) is (each["output_tokens"] is None) for each in outcomes)


def test_no_stream_is_a_programming_error_and_the_log_holds_no_note_and_no_key(night: Night) -> None:
    assert "Traceback" not in night.log
    assert "Beträge" not in night.log
    assert "sk-cases" not in night.log
