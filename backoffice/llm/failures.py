"""Exceptions become the product's one vocabulary of failure codes, here and nowhere else.

A code says who must act; the detail says in our own words what happened. What a provider wrote, keys and tracebacks
never leave through either.
"""

import logging
from dataclasses import dataclass
from enum import StrEnum

import aiohttp
import httpx2
import openai

from backoffice.llm.sse import EventTooLong

logger = logging.getLogger(__name__)


class FailureCode(StrEnum):
    RATE_LIMITED = "rate_limited"
    TIMEOUT = "timeout"
    CONNECTION = "connection"
    PROVIDER_ERROR = "provider_error"
    REJECTED = "rejected"
    MALFORMED_CHUNK = "malformed_chunk"
    INTERRUPTED = "interrupted"
    TOO_MANY_ROUNDS = "too_many_rounds"
    NOT_CONFIGURED = "not_configured"
    INTERNAL = "internal"


SENTENCES: dict[FailureCode, str] = {
    FailureCode.RATE_LIMITED: "The model provider is limiting our requests at the moment.",
    FailureCode.TIMEOUT: "The model did not answer in time.",
    FailureCode.CONNECTION: "The connection to the model was lost.",
    FailureCode.PROVIDER_ERROR: "The model provider reported an error.",
    FailureCode.REJECTED: "The model provider rejected the request.",
    FailureCode.MALFORMED_CHUNK: "The model provider sent something unreadable.",
    FailureCode.INTERRUPTED: "The answer stopped before it was complete.",
    FailureCode.TOO_MANY_ROUNDS: "The model kept asking for tools instead of answering.",
    FailureCode.NOT_CONFIGURED: "No model is configured.",
    FailureCode.INTERNAL: "Something went wrong on our side.",
}
"""What a client or a customer may read of each code."""

UNMENDABLE: frozenset[FailureCode] = frozenset({FailureCode.REJECTED})
"""Failures that asking again will not help."""

ON_THE_WIRE: frozenset[FailureCode] = frozenset({FailureCode.CONNECTION, FailureCode.TIMEOUT})
"""Failures of the connection, which take nothing away once a stop reason was seen."""

UNREADABLE: frozenset[FailureCode] = ON_THE_WIRE | {FailureCode.PROVIDER_ERROR}
"""What an error response comes to whose body cannot be read; its status has been."""

TRANSPORT_ERRORS: tuple[type[Exception], ...] = (httpx2.HTTPError, aiohttp.ClientError, ConnectionError)


@dataclass(frozen=True, slots=True)
class Failure:
    code: FailureCode
    detail: str
    """For operators and auditors: our own words, never the provider's."""
    of_our_key: bool = False
    """Whether the provider knows no key of ours (401): no other call will fare better."""


class ModelFailure(Exception):
    """A failure on its way through code that cannot go on; callers at a door turn it into their answer."""

    def __init__(self, code: FailureCode, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.failure = Failure(code, detail)


class NotConfigured(ModelFailure):
    """Nothing says which model to call; the message names what to set."""

    def __init__(self, detail: str) -> None:
        super().__init__(FailureCode.NOT_CONFIGURED, detail)


def failure_from(error: Exception) -> Failure:
    """Classify what a model call raised. What is not known to be the provider's or the network's fault is `internal`
    and logged with its traceback, so that a programming error never hides among provider failures."""
    known = _known_failure(error)
    if known is not None:
        status = _status_behind(error) if known.code in UNREADABLE else None
        return known if status is None else _status_failure(status)
    logger.error("model call failed by a programming error: %s", type(error).__name__, exc_info=error)
    return Failure(
        FailureCode.INTERNAL, f"Unexpected {type(error).__name__} in our own code; the log has the traceback."
    )


def _known_failure(error: Exception) -> Failure | None:
    match error:
        case ModelFailure():
            return error.failure
        case EventTooLong():
            return Failure(FailureCode.MALFORMED_CHUNK, "The provider sent an event too long to be one.")
        case openai.OpenAIError():
            return _sdk_failure(error)
        case httpx2.TimeoutException() | aiohttp.ServerTimeoutError() | TimeoutError():
            return Failure(FailureCode.TIMEOUT, "The provider was silent for too long.")
        case httpx2.DecodingError():
            return Failure(FailureCode.PROVIDER_ERROR, "The provider's response could not be decompressed.")
        case httpx2.HTTPError() | aiohttp.ClientError() | ConnectionError():
            return Failure(FailureCode.CONNECTION, "The connection broke while the provider was answering.")
    return None


def _status_behind(error: BaseException | None) -> int | None:
    """The status of an error response whose body broke while the SDK was reading it. A limit of ours that passes is a
    `timeout`, whatever the SDK was waiting for."""
    if type(error) is TimeoutError:
        return None
    while error is not None and not isinstance(error, httpx2.HTTPStatusError):
        error = error.__cause__ or error.__context__
    return None if error is None else error.response.status_code


def _sdk_failure(error: openai.OpenAIError) -> Failure:
    match error:
        case openai.APIStatusError():
            return _status_failure(error.status_code)
        case openai.APITimeoutError():
            return _timeout_failure(error)
        case openai.APIConnectionError():
            return Failure(FailureCode.CONNECTION, "The provider could not be reached.")
        case openai.APIError():
            return Failure(FailureCode.PROVIDER_ERROR, "The provider's answer could not be used.")
    return Failure(FailureCode.NOT_CONFIGURED, "The model client could not be set up; check the key and the address.")


def _status_failure(status: int) -> Failure:
    if status == 429:
        return Failure(FailureCode.RATE_LIMITED, "The provider answered 429 (too many requests).")
    if 400 <= status < 500:
        detail = f"The provider refused the request with status {status}."
        return Failure(FailureCode.REJECTED, detail, of_our_key=status == 401)
    return Failure(FailureCode.PROVIDER_ERROR, f"The provider answered with status {status}.")


def _timeout_failure(error: openai.APITimeoutError) -> Failure:
    """Before the headers the SDK calls a refused or dropped connection a timeout too; its causes tell them apart."""
    cause: BaseException | None = error.__cause__
    while cause is not None:
        if isinstance(cause, aiohttp.ServerTimeoutError):
            break
        if isinstance(cause, aiohttp.ClientConnectionError | httpx2.NetworkError | httpx2.RemoteProtocolError):
            return Failure(FailureCode.CONNECTION, "The connection to the provider was refused or dropped.")
        cause = cause.__cause__ or cause.__context__
    return Failure(FailureCode.TIMEOUT, "The provider did not begin to answer in time.")
