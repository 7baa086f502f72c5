"""What every page of admin has: a policy for its scripts, the operator's language and the operator's time zone.

The rest of the site is untouched: the middleware looks at the path, so an API request pays nothing for it, and under
ASGI it needs no thread.
"""

import zoneinfo
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from inspect import iscoroutinefunction
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone, translation
from django.utils.decorators import sync_and_async_middleware

PATH = "/admin/"
ZONE_COOKIE = "timezone"
"""Set by the desk's script from the browser's own zone: an IANA name."""

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
"""Content Security Policy Level 3. Styles may be inline, since django-unfold sets colours so; scripts never are."""

GetResponse = Callable[[HttpRequest], Any]


@sync_and_async_middleware
def admin_pages(get_response: GetResponse) -> Callable[[HttpRequest], HttpResponseBase | Awaitable[HttpResponseBase]]:
    if iscoroutinefunction(get_response):

        async def answer_async(request: HttpRequest) -> HttpResponseBase:
            if not request.path.startswith(PATH):
                return await get_response(request)  # type: ignore[no-any-return]
            with _for_the_operator(request):
                return _with_policy(await get_response(request))

        return answer_async

    def answer(request: HttpRequest) -> HttpResponseBase:
        if not request.path.startswith(PATH):
            return get_response(request)  # type: ignore[no-any-return]
        with _for_the_operator(request):
            return _with_policy(get_response(request))

    return answer


@contextmanager
def _for_the_operator(request: HttpRequest) -> Iterator[None]:
    language = translation.get_language_from_request(request)
    with translation.override(language), timezone.override(zone_of(request)):
        yield


def zone_of(request: HttpRequest) -> zoneinfo.ZoneInfo | None:
    """The zone that the browser told; None, the project's own, where it told none or one that is not known here."""
    name = request.COOKIES.get(ZONE_COOKIE, "")
    try:
        return zoneinfo.ZoneInfo(name) if name else None
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _with_policy(response: HttpResponseBase) -> HttpResponseBase:
    response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
    return response
