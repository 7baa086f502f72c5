"""What drf-spectacular cannot find out by itself."""

from typing import Any

from drf_spectacular.authentication import SessionScheme
from drf_spectacular.extensions import OpenApiAuthenticationExtension


class APITokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "backoffice.api.access.APITokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        description = "`Authorization: Token <token>`; `manage.py create_api_token USERNAME` makes one."
        return {"type": "apiKey", "in": "header", "name": "Authorization", "description": description}


class OurSessionScheme(SessionScheme):  # type: ignore[no-untyped-call]
    target_class = "backoffice.api.access.BodySparingSessionAuthentication"
