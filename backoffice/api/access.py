"""Who may ask: tokens for programs, sessions for people, Django's permissions for both, and a rate for each client."""

from typing import Any

from django.conf import settings
from knox.auth import TokenAuthentication
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import SimpleRateThrottle


class APITokenAuthentication(TokenAuthentication):
    """knox's hashed, expiring, revocable tokens: `Authorization: Token <token>`."""

    def authenticate_credentials(self, token: bytes) -> Any:
        if not token.isalnum():
            raise AuthenticationFailed("Invalid token.")  # knox would decode it, and PostgreSQL refuse it
        return super().authenticate_credentials(token)


class BodySparingSessionAuthentication(SessionAuthentication):
    """Django's sessions. The CSRF check sees Django's own request, for DRF's would parse the body on the way."""

    def enforce_csrf(self, request: Request) -> None:
        super().enforce_csrf(request._request)  # type: ignore[arg-type]


AUTHENTICATION = (APITokenAuthentication, BodySparingSessionAuthentication)
"""The first one names the scheme of a 401."""


def needs(*permissions: str) -> type[BasePermission]:
    """A DRF permission class: signed in (401 where not) and holding each of Django's permissions (403 where not)."""

    class Needs(BasePermission):
        def has_permission(self, request: Request, view: Any) -> bool:
            return bool(request.user and request.user.is_authenticated and request.user.has_perms(permissions))

    return Needs


class Rate(SimpleRateThrottle):
    """So many requests for each signed-in user or, where there is none, for each address. The rate is a setting."""

    setting: str
    cache_format = "rate-%(scope)s-%(ident)s"

    def get_rate(self) -> str:
        self.scope = self.setting
        rate: str = getattr(settings, self.setting)
        return rate

    def get_cache_key(self, request: Request, view: Any) -> str:
        user = request.user
        who = f"user-{user.pk}" if user and user.is_authenticated else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": who}

    def get_ident(self, request: Request) -> str:
        """The address. uvicorn takes the one of `X-Forwarded-For` where the peer is on this machine, and leaves port 0
        as its trace: where no proxy of ours is known of, all who come that way are one client."""
        if api_settings.NUM_PROXIES == 0 and _is_claimed(request):
            return "forwarded"
        return super().get_ident(request)


def _is_claimed(request: Request) -> bool:
    _host, port = getattr(request._request, "scope", {}).get("client") or ("", None)
    return port == 0 and "X-Forwarded-For" in request.headers


class SummariesRate(Rate):
    setting = "SUMMARIES_RATE"
