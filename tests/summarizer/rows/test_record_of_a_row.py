"""What is kept of a row for the audit: every exchange as plain JSON, tokens, and times."""

import json
from collections.abc import Callable

import pytest

from backoffice.llm.client import ModelConfig
from backoffice.llm.scripted.script import Script, Sleep, data_event
from backoffice.llm.usage import NOTHING, Usage
from summarizer.prompts import SYSTEM_PROMPT
from summarizer.rows import summarise
from tests.summarizer.provider import Provider, asking_for, text_reply

NOTE = "Invoice 7 over 1 200,50 EUR."

ConfigFor = Callable[..., ModelConfig]


async def test_every_exchange_is_plain_json(config: ModelConfig) -> None:
    result = await summarise(NOTE, config)
    assert json.loads(json.dumps(result.exchange)) == list(result.exchange)


async def test_each_call_keeps_its_parameters_its_messages_its_answer_and_its_tool_runs(config: ModelConfig) -> None:
    result = await summarise(NOTE, config)
    first, follow_up = result.exchange
    assert [set(call) for call in result.exchange] == [
        {"parameters", "messages", "answer", "tool_runs", "prompt_version"}
    ] * 2
    assert first["parameters"] == {"model": config.model, "temperature": 0, "max_tokens": 200}
    assert follow_up["parameters"] == {**first["parameters"], "tool_choice": "none"}
    assert first["messages"] == [{"role": "user", "content": NOTE}]
    assert [message["role"] for message in follow_up["messages"]] == ["assistant", "tool"]
    assert follow_up["answer"]["text"] == result.summary
    assert follow_up["tool_runs"] == []


async def test_a_tool_run_keeps_what_was_asked_and_what_came_back(config_for: ConfigFor) -> None:
    provider = Provider(asking_for("1 200,50 EUR"), text_reply("An invoice."))
    result = await summarise(NOTE, config_for(provider))
    [run] = result.exchange[0]["tool_runs"]
    assert (run["name"], json.loads(run["arguments"]), run["ran"]) == (
        "normalize_amount",
        {"raw": "1 200,50 EUR"},
        True,
    )
    assert run["result"] == json.loads(provider.requests[1]["messages"][-1]["content"])


async def test_the_system_prompt_is_not_repeated_in_every_row(config: ModelConfig) -> None:
    result = await summarise(NOTE, config)
    assert SYSTEM_PROMPT not in json.dumps(result.exchange)


async def test_who_answered_and_how_it_ended_is_kept(config: ModelConfig) -> None:
    result = await summarise(NOTE, config)
    assert (result.answered_by, result.stop_reason) == (config.model, "end")
    assert [call["answer"]["stop_reason"] for call in result.exchange] == ["tool_calls", "end"]
    assert all(call["answer"]["done_marker"] for call in result.exchange)


async def test_tokens_are_the_sum_over_both_calls(config: ModelConfig) -> None:
    result = await summarise(NOTE, config)
    used = [Usage(**call["answer"]["usage"]) for call in result.exchange]
    assert result.usage.input_tokens == sum(call.input_tokens or 0 for call in used)
    assert result.usage.output_tokens == sum(call.output_tokens or 0 for call in used)
    assert result.usage.input_tokens


@pytest.mark.parametrize("fault", ["no-usage@1", "no-usage@2", "eof@1", "eof@2", "400@2"])
async def test_one_call_of_unknown_usage_makes_the_row_unknown(config: ModelConfig, fault: str) -> None:
    result = await summarise(f"{NOTE} [[fault:{fault}]]", config)
    assert result.usage == Usage(None, None, None)


async def test_a_row_that_never_reached_a_model_used_nothing() -> None:
    result = await summarise(NOTE, None)  # type: ignore[arg-type]
    assert (result.usage, result.exchange, result.first_text) == (NOTHING, (), None)
    assert result.failure is not None


async def test_the_time_to_first_text_counts_from_the_start_of_the_row(config_for: ConfigFor) -> None:
    said = data_event('{"choices":[{"index":0,"delta":{"content":"A note."},"finish_reason":"stop"}]}')
    asked = asking_for("$7")
    provider = Provider(asked, Script(before=(Sleep(0.1),), body=(said, Sleep(0.1), data_event("[DONE]"))))
    result = await summarise(NOTE, config_for(provider))
    assert result.first_text is not None
    assert 0.1 <= result.first_text < result.duration - 0.09


async def test_without_text_there_is_no_time_to_first_text(config_for: ConfigFor) -> None:
    result = await summarise(NOTE, config_for(Provider(asking_for("$7"))))
    assert (result.summary, result.first_text) == ("", None)
