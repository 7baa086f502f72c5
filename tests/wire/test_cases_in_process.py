"""Each stream met in the wild gives a summarised row the outcome it owes, through the real SDK and no socket."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from backoffice.llm.client import ModelConfig
from backoffice.llm.scripted import ScriptedModel
from backoffice.llm.scripted.cases import CaseBook
from backoffice.llm.scripted.doors import Answer, HttpCall
from summarizer.rows import RowResult, summarise
from tests.wire.outcomes import Seen, differences
from tests.wire.player import NOTE, load_captures, load_expectations

CAPTURES = load_captures()
EXPECTATIONS = load_expectations()


class Playing:
    """Answers with one script, whatever the path, and keeps the requests."""

    def __init__(self, script: str) -> None:
        self._script = script
        self._book = CaseBook(CAPTURES, ScriptedModel())

    def handle(self, call: HttpCall) -> Answer:
        return self._book.handle(replace(call, path=f"/case/{self._script}{call.path}"))

    def seen(self, result: RowResult) -> Seen:
        return Seen(
            outcome="failed" if result.failure else "summarised",
            summary=result.summary,
            failure=result.failure.code.value if result.failure else None,
            warnings=result.warnings,
            usage=(result.usage.input_tokens, result.usage.output_tokens),
            requests=self._book.received(self._script),
        )


@pytest.mark.parametrize("name", sorted(EXPECTATIONS))
async def test_a_row_ends_as_its_streams_owe(name: str, config_for: Callable[..., ModelConfig]) -> None:
    owed = EXPECTATIONS[name]
    playing = Playing(owed["script"])
    result = await summarise(NOTE, config_for(playing))
    assert differences(owed, playing.seen(result)) == [], owed["why"]


@pytest.mark.parametrize(
    "name", ["b00_text", "b01_tool", "c12_same_id_two_indices", "c47_followup_same_id", "e02_eof_no_done_no_finish"]
)
async def test_what_is_kept_of_a_row_is_what_the_server_was_asked(
    name: str, config_for: Callable[..., ModelConfig]
) -> None:
    playing = Playing(EXPECTATIONS[name]["script"])
    result = await summarise(NOTE, config_for(playing))
    asked = playing.seen(result).requests[-1]["messages"]
    kept = [message for call in result.exchange for message in call["messages"]]
    assert kept == asked[1:]
    assert len(result.exchange) == (2 if len(asked) > 2 else 1)
