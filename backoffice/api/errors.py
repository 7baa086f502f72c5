"""The one place where an exception becomes an HTTP answer."""

import logging
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import Http404
from pydantic import ValidationError
from rest_framework import status
from rest_framework.exceptions import APIException
from rest_framework.response import Response
from rest_framework.views import exception_handler

from backoffice.llm.failures import SENTENCES, FailureCode, ModelFailure, NotConfigured
from backoffice.llm.text import path_step

logger = logging.getLogger(__name__)

MOST_PROBLEMS = 100
PLAIN_WORDS = {"model_type": "Input should be an object"}
"""Where Pydantic names a class of ours."""


class BadBody(APIException):
    status_code = status.HTTP_400_BAD_REQUEST
    default_detail = "The body is not valid JSON."
    default_code = "bad_body"


class Unreadable(APIException):
    """Django cannot take the request apart: more than a thousand parameters, a host that cannot be one."""

    status_code = status.HTTP_400_BAD_REQUEST
    default_detail = "The request could not be read."
    default_code = "unreadable"


class BodyTooLarge(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = "The body is too large."
    default_code = "too_large"


class Invalid(Exception):
    """Outside data that is well-formed and breaks a rule of the contract."""

    def __init__(self, source: str, error: ValidationError) -> None:
        """`source`: where the data stood, `body` or `query`."""
        super().__init__(source)
        self.source = source
        self.error = error


def respond_to(error: Exception, context: Mapping[str, Any]) -> Response:
    """DRF's EXCEPTION_HANDLER: every exception of a view has an answer, and none tells more than it should."""
    if isinstance(error, Invalid):
        return Response({"detail": problems(error)}, status.HTTP_422_UNPROCESSABLE_ENTITY)
    if isinstance(error, NotConfigured):
        return _failed(status.HTTP_503_SERVICE_UNAVAILABLE, FailureCode.NOT_CONFIGURED)
    if isinstance(error, ModelFailure):
        return _failed(status.HTTP_502_BAD_GATEWAY, error.failure.code)
    if isinstance(error, Http404):
        return Response({"detail": "Not found."}, status.HTTP_404_NOT_FOUND)
    if isinstance(error, SuspiciousOperation):
        error = Unreadable()
    answer = exception_handler(error, dict(context))
    if answer is not None:
        return answer
    logger.error("a view failed", exc_info=error)
    return _failed(status.HTTP_500_INTERNAL_SERVER_ERROR, FailureCode.INTERNAL)


def _failed(status_code: int, code: FailureCode) -> Response:
    return Response({"detail": SENTENCES[code], "code": code.value}, status_code)


def problems(invalid: Invalid) -> list[dict[str, Any]]:
    """Pydantic's errors as the contract has them: `type`, `loc` from the source on, `msg`; never the input."""
    errors = invalid.error.errors(include_url=False, include_context=False, include_input=False)
    return [
        {
            "type": error["type"],
            "loc": [invalid.source, *map(path_step, error["loc"])],
            "msg": PLAIN_WORDS.get(error["type"], error["msg"]),
        }
        for error in errors[:MOST_PROBLEMS]
    ]
