"""A row whose result the database does not take: waited for, then failed, and the other rows go on."""

import asyncio
import json
from collections.abc import Callable

import pytest
from pytest_django import Settings

from backoffice import database
from backoffice.database import in_database
from backoffice.llm.client import ModelConfig
from backoffice.llm.scripted.script import Script, data_event
from summarizer.models import RunState
from summarizer.runs.execution import Stop, work
from tests.summarizer.making import claimed_run, rows_of, states_of, take
from tests.summarizer.provider import Provider
from tests.summarizer.runs.conftest import Working
from tests.summarizer.runs.trouble import tables_held, trouble

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_result_that_the_database_refuses_makes_the_row_failed_and_the_loop_goes_on(working: Working) -> None:
    claimed = await working.claimed("One.", "Two.", "Three.")
    async with trouble("refuses", "NEW.row_id = 2 AND NEW.state = 'summarised'"):
        assert await working(claimed) is RunState.COMPLETED
    rows = await in_database(rows_of, claimed.run_id)
    assert [row.state for row in rows] == ["summarised", "failed", "summarised"]
    assert (rows[1].failure, rows[1].failure_detail) == ("internal", "The row's result could not be stored.")
    assert [row.result.summary is None for row in working.ended] == [False, True, False]


async def test_what_the_database_says_of_a_refused_row_is_not_logged(
    working: Working, caplog: pytest.LogCaptureFixture
) -> None:
    claimed = await working.claimed("The secret of a customer.")
    async with trouble("refuses", "NEW.state = 'summarised'"):
        await working(claimed)
    assert "could not be stored" in caplog.text
    assert "IntegrityError" in caplog.text
    assert "secret" not in caplog.text


async def test_a_row_that_the_database_takes_in_no_form_has_failed_and_stays_for_the_next_job(
    working: Working,
) -> None:
    claimed = await working.claimed("One.", "Two.", "Three.")
    async with trouble("refuses", "NEW.row_id = 2"):
        assert await working(claimed) is RunState.INTERRUPTED
    assert [row.result.failure is not None for row in working.ended] == [False, True, False]
    assert await in_database(states_of, claimed.run_id) == ["summarised", "pending", "summarised"]
    assert await in_database(take, claimed.run_id)


async def test_a_database_that_is_away_for_a_while_is_waited_for(working: Working) -> None:
    claimed = await working.claimed("One.", "Two.")
    async with trouble("is away", "NEW.row_id = 1"):
        at_work = asyncio.create_task(working(claimed))
        await asyncio.sleep(0.4)
        assert working.ended == []
    assert await at_work is RunState.COMPLETED
    assert await in_database(states_of, claimed.run_id) == ["summarised", "summarised"]


async def test_a_database_that_stays_away_is_given_up_and_the_row_has_failed(
    working: Working, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PATIENCE_SECONDS", 0.25)
    claimed = await working.claimed("One.", "Two.")
    async with trouble("is away", "NEW.row_id = 1 AND NEW.state = 'summarised'"):
        assert await working(claimed) is RunState.COMPLETED
    assert await in_database(states_of, claimed.run_id) == ["failed", "summarised"]


async def test_another_writer_that_locks_the_tables_for_a_while_is_waited_for(working: Working) -> None:
    claimed = await working.claimed("One.", "Two.")
    async with tables_held():
        at_work = asyncio.create_task(working(claimed))
        await asyncio.sleep(0.3)
        assert working.ended == []
    assert await at_work is RunState.COMPLETED


def _claiming(tokens: int, *, asking: bool = False) -> Script:
    """A sentence, or a tool call, for which so many tokens are charged."""
    usage = {"prompt_tokens": tokens, "completion_tokens": tokens, "total_tokens": tokens}
    call = {"index": 0, "id": "c1", "function": {"name": "normalize_amount", "arguments": '{"raw": "$7"}'}}
    delta = {"tool_calls": [call]} if asking else {"content": "A note."}
    said = {"choices": [{"index": 0, "delta": delta, "finish_reason": "stop"}], "usage": usage}
    return Script(body=(data_event(json.dumps(said)), data_event("[DONE]")))


async def test_a_cost_beyond_all_measure_is_unknown(config_for: Callable[..., ModelConfig], settings: Settings) -> None:
    settings.LLM_PRICES = {"gpt-4o-mini-2024-07-18": {"input": "1e6", "cached": "1e6", "output": "1e6"}}
    config = config_for(Provider(_claiming(2**31 - 1)))
    claimed = await in_database(claimed_run, "One.", config=config)
    assert await work(claimed, config, Stop()) is RunState.COMPLETED
    [row] = await in_database(rows_of, claimed.run_id)
    assert (row.state, row.input_tokens, row.cost) == ("summarised", 2**31 - 1, None)


async def test_tokens_beyond_all_measure_are_unknown(config_for: Callable[..., ModelConfig]) -> None:
    config = config_for(Provider(_claiming(2**31 - 1, asking=True), _claiming(2**31 - 1)))
    claimed = await in_database(claimed_run, "One.", config=config)
    assert await work(claimed, config, Stop()) is RunState.COMPLETED
    [row] = await in_database(rows_of, claimed.run_id)
    assert (row.state, row.input_tokens, row.output_tokens, row.cost) == ("summarised", None, None, None)


@pytest.mark.parametrize("text", ["\\u0000", "\\ud83d", "\\udc00"], ids=["nul", "high surrogate", "low surrogate"])
async def test_text_that_no_database_carries_is_stored_mended(
    config_for: Callable[..., ModelConfig], text: str
) -> None:
    said = '{"choices":[{"index":0,"delta":{"content":"ATEXTnote"},"finish_reason":"stop"}]}'.replace("TEXT", text)
    config = config_for(Provider(Script(body=(data_event(said), data_event("[DONE]")))))
    claimed = await in_database(claimed_run, "One.", config=config)
    assert await work(claimed, config, Stop()) is RunState.COMPLETED
    [row] = await in_database(rows_of, claimed.run_id)
    assert row.summary in {"Anote", "A\N{REPLACEMENT CHARACTER}note"}


@pytest.mark.parametrize("arguments", [r"{\"raw\": \"\\u0000\"}", r"\ud800", r"\u0000"])
async def test_arguments_that_no_database_carries_are_stored(
    config_for: Callable[..., ModelConfig], arguments: str
) -> None:
    call = '{"index":0,"id":"c1","type":"function","function":{"name":"normalize_amount","arguments":"ARGUMENTS"}}'
    asked = '{"choices":[{"index":0,"delta":{"tool_calls":[CALL]},"finish_reason":"tool_calls"}]}'.replace("CALL", call)
    asked = asked.replace("ARGUMENTS", arguments)
    config = config_for(Provider(Script(body=(data_event(asked), data_event("[DONE]"))), _claiming(1)))
    claimed = await in_database(claimed_run, "One.", config=config)
    assert await work(claimed, config, Stop()) is RunState.COMPLETED
    assert await in_database(states_of, claimed.run_id) == ["summarised"]
