"""A row that fails: never an exception, always a code, and what had arrived is kept for the audit."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from backoffice.llm.client import ModelConfig
from backoffice.llm.events import StopReason
from backoffice.llm.failures import FailureCode
from backoffice.llm.scripted.script import Script, Sleep, data_event
from summarizer.rows import summarise
from tests.summarizer.provider import Provider

NOTE = "Invoice 7 over 1 200,50 EUR."
FAULTS = {
    "429=0.001": FailureCode.RATE_LIMITED,
    "503=0.001": FailureCode.PROVIDER_ERROR,
    "400": FailureCode.REJECTED,
    "drop-mid": FailureCode.CONNECTION,
    "eof": FailureCode.INTERRUPTED,
    "malformed": FailureCode.MALFORMED_CHUNK,
    "bad-utf8": FailureCode.MALFORMED_CHUNK,
    "error-event": FailureCode.PROVIDER_ERROR,
    "stop=abort": FailureCode.PROVIDER_ERROR,
    "stop=": FailureCode.INTERRUPTED,
    "stall-mid": FailureCode.TIMEOUT,
}

ConfigFor = Callable[..., ModelConfig]


@pytest.mark.parametrize("call", [1, 2], ids=["first call", "follow-up"])
@pytest.mark.parametrize(("fault", "code"), FAULTS.items(), ids=FAULTS)
async def test_trouble_in_either_call_is_the_failure_of_the_row(
    config: ModelConfig, fault: str, code: FailureCode, call: int
) -> None:
    impatient = replace(config, chunk_timeout=0.1)
    result = await summarise(f"{NOTE} [[fault:{fault}@{call}]]", impatient)
    assert result.failure is not None
    assert result.failure.code is code
    assert result.summary is None
    assert result.warnings == ()
    assert len(result.exchange) == call


async def test_a_row_has_failed_even_where_all_of_its_text_arrived(config: ModelConfig) -> None:
    result = await summarise("A note. [[fault:stop=]]", config)
    assert result.summary is None
    assert result.exchange[0]["answer"]["text"]


async def test_a_failure_says_nothing_that_the_provider_wrote(config: ModelConfig) -> None:
    result = await summarise(f"{NOTE} [[fault:400]]", config)
    assert result.failure is not None
    assert "Scripted failure" not in f"{result.failure} {result.exchange}"


async def test_a_programming_error_is_internal_and_logged_with_its_traceback(
    config: ModelConfig, caplog: pytest.LogCaptureFixture
) -> None:
    result = await summarise(NOTE, replace(config, model=object()))  # type: ignore[arg-type]
    assert result.failure is not None
    assert result.failure.code is FailureCode.INTERNAL
    [record] = caplog.records
    assert record.exc_info
    assert NOTE not in caplog.text


async def test_a_call_as_a_whole_has_a_limit_however_lively_the_stream(config_for: ConfigFor) -> None:
    piece = data_event('{"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}')
    provider = Provider(Script(body=(piece, Sleep(0.05)) * 200))
    result = await summarise(NOTE, config_for(provider, chunk_timeout=1.0, call_timeout=0.3))
    assert result.failure is not None
    assert result.failure.code is FailureCode.TIMEOUT
    assert 0.3 <= result.duration < 1.0


async def test_cancellation_is_not_a_failure_and_passes_through(config: ModelConfig) -> None:
    work = asyncio.create_task(summarise("A note. [[fault:stall]]", config))
    await asyncio.sleep(0.05)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work


async def test_a_stop_reason_seen_is_proof_even_when_the_connection_drops_after_it(config_for: ConfigFor) -> None:
    done = data_event('{"choices":[{"index":0,"delta":{"content":"A note."},"finish_reason":"stop"}]}')
    result = await summarise("A note.", config_for(Provider(Script(body=(done, Sleep(30)))), chunk_timeout=0.1))
    assert (result.summary, result.stop_reason, result.failure) == ("A note.", StopReason.END, None)
