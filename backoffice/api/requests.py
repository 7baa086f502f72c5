"""A request's body becomes a Pydantic model, or an error of the contract; no view sees anything else."""

from typing import TypeVar

from django.conf import settings
from django.http import HttpRequest, UnreadablePostError
from pydantic import BaseModel, ValidationError
from rest_framework.exceptions import UnsupportedMediaType

from backoffice.api.errors import BadBody, BodyTooLarge, Invalid
from backoffice.llm import strict_json

M = TypeVar("M", bound=BaseModel)


def read_body(request: HttpRequest, model: type[M]) -> M:
    """Raises BadBody (400), BodyTooLarge (413), UnsupportedMediaType (415) and Invalid (422)."""
    body = _bytes(request)
    _check_media_type(request, empty=not body)
    try:
        data = strict_json.loads(body.decode("utf-8-sig"), unique_keys=True)
    except UnicodeDecodeError:
        raise BadBody("The body is not UTF-8.") from None
    except strict_json.InvalidJSON as error:
        raise BadBody(f"The body is not valid JSON: {error}.") from None
    return validated(model, data, "body")


def validated(model: type[M], data: object, source: str) -> M:
    """Raises Invalid. `source`: where the data stood, `body` or `query`."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise Invalid(source, error) from None


def _check_media_type(request: HttpRequest, *, empty: bool) -> None:
    if request.content_type != "application/json" and not (empty and not request.content_type):
        raise UnsupportedMediaType(request.content_type or "none")
    charset = request.content_params.get("charset", "utf-8") if request.content_params else "utf-8"
    if charset.lower() not in {"utf-8", "utf8"}:
        raise UnsupportedMediaType(f"application/json with charset {charset[:20]}")
    if empty:
        raise BadBody("The body is empty.")


def _bytes(request: HttpRequest) -> bytes:
    limit: int = settings.MAX_BODY_BYTES
    try:
        if int(request.META.get("CONTENT_LENGTH") or 0) > limit:
            raise BodyTooLarge
        body = request.read(limit + 1)
    except (UnreadablePostError, ValueError):
        raise BadBody("The body could not be read.") from None
    if len(body) > limit:
        raise BodyTooLarge
    return body
