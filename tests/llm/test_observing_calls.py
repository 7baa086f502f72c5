"""Whoever observes model calls is told of each once, with how it ended, and harms none."""

from collections.abc import Callable, Iterator

import pytest

from backoffice.llm.client import ModelConfig
from backoffice.llm.observing import EndedCall, observe, unobserve
from backoffice.llm.scripted import Options, ScriptedModel
from backoffice.llm.scripted.faults import parse_faults
from backoffice.llm.streaming import ModelRequest, ModelStream, complete

HELLO = ModelRequest([{"role": "user", "content": "Hello from Ms Ferreira."}], 50)


@pytest.fixture
def calls() -> Iterator[list[EndedCall]]:
    seen: list[EndedCall] = []
    observe(seen.append)
    yield seen
    unobserve(seen.append)


async def test_a_call_is_told_with_its_completion(config: ModelConfig, calls: list[EndedCall]) -> None:
    answer = await complete(HELLO, config)
    [call] = calls
    assert (call.provider, call.model, call.code) == (config.provider, config.model, "ok")
    assert (call.messages, call.completion.text) == (HELLO.messages, answer.text)


@pytest.mark.parametrize(("fault", "code"), [("400", "rejected"), ("drop-mid", "connection"), ("length", "ok")])
async def test_its_code_says_how_it_ended(
    config_for: Callable[..., ModelConfig], calls: list[EndedCall], fault: str, code: str
) -> None:
    await complete(HELLO, config_for(ScriptedModel(Options(faults=parse_faults(fault)))))
    assert [call.code for call in calls] == [code]


async def test_a_call_whose_caller_left_early_is_told_as_that(config: ModelConfig, calls: list[EndedCall]) -> None:
    async with ModelStream(HELLO, config) as stream:
        async for _ in stream:
            break
    assert [call.code for call in calls] == ["left"]


async def test_who_observes_twice_is_told_once_and_who_stopped_is_not_told(
    config: ModelConfig, calls: list[EndedCall]
) -> None:
    observe(calls.append)
    await complete(HELLO, config)
    unobserve(calls.append)
    unobserve(calls.append)
    await complete(HELLO, config)
    assert len(calls) == 1


async def test_an_observer_that_fails_harms_no_call_and_quotes_none(
    config: ModelConfig, calls: list[EndedCall], caplog: pytest.LogCaptureFixture
) -> None:
    def clumsy(call: EndedCall) -> None:
        raise ValueError(call.messages)

    observe(clumsy)
    try:
        answer = await complete(HELLO, config)
    finally:
        unobserve(clumsy)
    assert answer.usable
    assert "an observer of model calls failed: ValueError" in caplog.text
    assert "Ferreira" not in caplog.text
