"""What drf-spectacular cannot find out by itself: how clients sign in, and what the base of every endpoint answers."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from drf_spectacular.authentication import SessionScheme
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from pydantic import BaseModel

from backoffice.api.error_bodies import BODY_ERRORS, DESCRIPTIONS, ErrorOut

RETRY_AFTER = {
    "description": "Seconds to wait before asking again (RFC 9110, section 10.2.3)",
    "schema": {"type": "integer"},
}


class EndpointSchema(AutoSchema):
    """Adds the errors that an endpoint has from its base, and describes every answer."""

    def _get_response_bodies(self, *arguments: Any, **options: Any) -> dict[str, Any]:
        described: dict[str, Any] = super()._get_response_bodies(*arguments, **options)
        for status, body in self._errors_of_the_base():
            if str(status) not in described:
                described[str(status)] = self._get_response_for_code(body, str(status))
        return described

    def _errors_of_the_base(self) -> Iterator[tuple[int, type[BaseModel]]]:
        if self.method == "POST" and self.get_request_serializer():
            yield from BODY_ERRORS.items()
        if not getattr(self.view, "is_open", True):
            yield from ((401, ErrorOut), (403, ErrorOut))
        if "{" in self.path:
            yield 404, ErrorOut
        yield 405, ErrorOut
        if self.view.throttle_classes:
            yield 429, ErrorOut

    def _get_response_for_code(self, serializer: Any, status_code: str, *arguments: Any, **options: Any) -> Any:
        response: dict[str, Any] = super()._get_response_for_code(  # type: ignore[no-untyped-call]
            serializer, status_code, *arguments, **options
        )
        status = int(status_code)
        response["description"] = response["description"] or DESCRIPTIONS.get(status, HTTPStatus(status).phrase)
        if status in (429, 503):
            response["headers"] = {"Retry-After": RETRY_AFTER | {"required": status == 429}}
        return response


class APITokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "backoffice.api.access.APITokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        description = "`Authorization: Token <token>`; `manage.py create_api_token USERNAME` makes one."
        return {"type": "apiKey", "in": "header", "name": "Authorization", "description": description}


class OurSessionScheme(SessionScheme):  # type: ignore[no-untyped-call]
    target_class = "backoffice.api.access.BodySparingSessionAuthentication"
