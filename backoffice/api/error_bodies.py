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
    """The path in the request, from `body`, `query` or `header` on."""
    msg: str


class InvalidOut(BaseModel):
    detail: list[ProblemOut]


BODY_ERRORS: dict[int, type[BaseModel]] = {400: ErrorOut, 413: ErrorOut, 415: ErrorOut, 422: InvalidOut}
"""Of every endpoint that takes a body."""

REQUEST_ERRORS: dict[int, type[BaseModel]] = {**BODY_ERRORS, 429: ErrorOut, 503: FailureOut}
"""Of every open endpoint that takes a body and asks a model."""

MODEL_ERRORS: dict[int, type[BaseModel]] = {502: FailureOut}
"""Of one that has not answered 200 before the model fails."""

DESCRIPTIONS: dict[int, str] = {
    200: "The answer",
    202: "Accepted; the work goes on after this answer",
    400: "The body is not JSON, or the request cannot be read",
    401: "Nobody is signed in",
    403: "Whoever is signed in may not do this",
    404: "There is no such thing, or it is another user's",
    405: "There is no such method here; `Allow` names those there are",
    409: "The state of things does not allow it",
    413: "The body is too large",
    415: "The body is of another media type than application/json",
    422: "The body or the query is well-formed and breaks a rule",
    429: "Too many requests; `Retry-After` says for how long",
    502: "The model failed; `code` says how",
    503: "No model is configured (`not_configured`), or the server stopped before it had answered (`interrupted`)",
}
"""Of every status, for where an endpoint says no more of it."""
