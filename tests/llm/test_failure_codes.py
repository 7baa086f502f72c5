"""Whatever a model call raises becomes one code of the vocabulary, in our own words."""

import itertools
import logging

import aiohttp
import httpx2
import openai
import pytest

from backoffice.llm.failures import SENTENCES, FailureCode, ModelFailure, NotConfigured, failure_from
from backoffice.llm.sse import EventTooLong

REQUEST = httpx2.Request("POST", "http://provider.invalid/v1")


def _caused(error: Exception, *causes: BaseException) -> Exception:
    """`raise error from cause from …`, as the SDK and its transports do."""
    for one, other in itertools.pairwise([error, *causes]):
        one.__cause__ = other
    return error


def _status(status: int) -> openai.APIStatusError:
    response = httpx2.Response(status, request=REQUEST)
    return openai.APIStatusError("sk-secret", response=response, body={"error": "sk-secret"})


def _late(*causes: BaseException) -> Exception:
    return _caused(openai.APITimeoutError(request=REQUEST), *causes)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (_status(429), FailureCode.RATE_LIMITED),
        (_status(400), FailureCode.REJECTED),
        (_status(401), FailureCode.REJECTED),
        (_status(404), FailureCode.REJECTED),
        (_status(422), FailureCode.REJECTED),
        (_status(500), FailureCode.PROVIDER_ERROR),
        (_status(529), FailureCode.PROVIDER_ERROR),
        (_status(304), FailureCode.PROVIDER_ERROR),
        (_late(), FailureCode.TIMEOUT),
        (_late(httpx2.ReadTimeout("")), FailureCode.TIMEOUT),
        (_late(httpx2.ConnectTimeout(""), aiohttp.ConnectionTimeoutError()), FailureCode.TIMEOUT),
        (_late(httpx2.ConnectTimeout(""), aiohttp.ServerDisconnectedError()), FailureCode.CONNECTION),
        (_late(httpx2.ConnectTimeout(""), aiohttp.ClientOSError()), FailureCode.CONNECTION),
        (_late(httpx2.RemoteProtocolError("")), FailureCode.CONNECTION),
        (_late(httpx2.ConnectError("")), FailureCode.CONNECTION),
        (openai.APIConnectionError(request=REQUEST), FailureCode.CONNECTION),
        (openai.APIError("sk-secret", REQUEST, body=None), FailureCode.PROVIDER_ERROR),
        (openai.APIResponseValidationError(httpx2.Response(200, request=REQUEST), None), FailureCode.PROVIDER_ERROR),
        (openai.OpenAIError("sk-secret"), FailureCode.NOT_CONFIGURED),
        (httpx2.ReadTimeout("sk-secret"), FailureCode.TIMEOUT),
        (aiohttp.ServerTimeoutError(), FailureCode.TIMEOUT),
        (TimeoutError(), FailureCode.TIMEOUT),
        (httpx2.DecodingError("sk-secret"), FailureCode.PROVIDER_ERROR),
        (httpx2.ReadError("sk-secret"), FailureCode.CONNECTION),
        (httpx2.RemoteProtocolError("sk-secret"), FailureCode.CONNECTION),
        (aiohttp.ClientPayloadError("sk-secret"), FailureCode.CONNECTION),
        (ConnectionResetError("sk-secret"), FailureCode.CONNECTION),
        (EventTooLong("sk-secret"), FailureCode.MALFORMED_CHUNK),
        (NotConfigured("Set OPENAI_API_KEY."), FailureCode.NOT_CONFIGURED),
        (ModelFailure(FailureCode.TOO_MANY_ROUNDS, "Five rounds."), FailureCode.TOO_MANY_ROUNDS),
    ],
    ids=lambda value: type(value).__name__,
)
def test_each_error_of_a_call_has_its_code_and_is_no_news_for_the_log(
    error: Exception, code: FailureCode, caplog: pytest.LogCaptureFixture
) -> None:
    failure = failure_from(error)
    assert failure.code is code
    assert "sk-secret" not in failure.detail
    assert not caplog.records


@pytest.mark.parametrize(("status", "of_our_key"), [(401, True), (403, False), (400, False), (429, False)])
def test_a_refused_key_is_told_apart(status: int, of_our_key: bool) -> None:
    assert failure_from(_status(status)).of_our_key is of_our_key


def _while_reading(error: Exception, status: int) -> Exception:
    """Raised while the SDK was reading the body of an error response."""
    response = httpx2.Response(status, request=REQUEST)
    error.__context__ = httpx2.HTTPStatusError("sk-secret", request=REQUEST, response=response)
    return error


@pytest.mark.parametrize(
    "broken", [httpx2.DecodingError, httpx2.ReadError, httpx2.ReadTimeout, httpx2.RemoteProtocolError]
)
@pytest.mark.parametrize(("status", "code"), [(400, "rejected"), (429, "rate_limited"), (503, "provider_error")])
def test_an_error_response_whose_body_cannot_be_read_is_known_by_its_status(
    broken: type[httpx2.HTTPError], status: int, code: str
) -> None:
    assert failure_from(_while_reading(broken("sk-secret"), status)).code == code


def test_a_limit_that_passes_is_a_timeout_whatever_the_sdk_waits_for() -> None:
    assert failure_from(_while_reading(TimeoutError(), 429)).code is FailureCode.TIMEOUT


@pytest.mark.parametrize(
    "error",
    [RuntimeError("attached to a different loop"), KeyError("x"), AssertionError(), OSError("disk"), ValueError()],
)
def test_a_programming_error_is_internal_and_logged_with_its_traceback(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    assert failure_from(error).code is FailureCode.INTERNAL
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert record.exc_info is not None
    assert record.exc_info[1] is error


def test_every_code_has_a_sentence_for_people() -> None:
    assert set(SENTENCES) == set(FailureCode)
    assert all(sentence.endswith(".") for sentence in SENTENCES.values())


def test_the_vocabulary_is_the_contracts() -> None:
    assert {code.value for code in FailureCode} == {
        "rate_limited",
        "timeout",
        "connection",
        "provider_error",
        "rejected",
        "malformed_chunk",
        "interrupted",
        "too_many_rounds",
        "not_configured",
        "internal",
    }


def test_a_failure_says_its_code_and_its_detail() -> None:
    error = NotConfigured("Set OPENAI_API_KEY.")
    assert str(error) == "not_configured: Set OPENAI_API_KEY."
    assert error.failure.detail == "Set OPENAI_API_KEY."
