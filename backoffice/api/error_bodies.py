"""The bodies of errors as the API's description has them; `backoffice.api.errors` writes them."""

from pydantic import BaseModel

from backoffice.llm.failures import FailureCode


class ErrorOut(BaseModel):
    detail: str


class FailureOut(BaseModel):
    detail: str
    code: FailureCode


class ProblemOut(BaseModel):
    type: str
    loc: list[str | int]
    """The path in the request, from `body` or `query` on."""
    msg: str


class InvalidOut(BaseModel):
    detail: list[ProblemOut]


REQUEST_ERRORS: dict[int, type[BaseModel]] = {
    400: ErrorOut,
    413: ErrorOut,
    415: ErrorOut,
    422: InvalidOut,
    429: ErrorOut,
    503: FailureOut,
}
"""Of every open endpoint that takes a body and asks a model."""

MODEL_ERRORS: dict[int, type[BaseModel]] = {502: FailureOut}
"""Of one that has not answered 200 before the model fails."""
