"""Django's own middleware, without a thread for every request that waits for a model.

Under ASGI each hook of a synchronous middleware is sent through a thread of the request's own, which then lives until
the request ends: a thousand waiting customers are a thousand threads. These hooks compute and nothing else, so they
run on the event loop; the few that do reach the database or read an upload go through the thread then, and only then.
"""

from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.signals import request_started
from django.db import close_old_connections, reset_queries
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.common import CommonMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.security import SecurityMiddleware
from django.utils.deprecation import MiddlewareMixin

SAFE_METHODS = ("GET", "HEAD", "OPTIONS", "TRACE")
"""RFC 9110, section 9.2.1: nothing is changed by them, so no token is asked for."""


class OnTheLoop(MiddlewareMixin):
    """Put before one of Django's: under ASGI its hooks run where the request does; elsewhere it is Django's own."""

    async def __acall__(self, request: HttpRequest) -> HttpResponseBase:
        before, after = getattr(self, "process_request", None), getattr(self, "process_response", None)
        response: HttpResponseBase | None = before(request) if before else None
        if response is None:
            response = await self.get_response(request)  # type: ignore[misc]
        if after is None:
            return response
        if self.response_needs_thread(request):
            after = sync_to_async(after)
            return await after(request, response)  # type: ignore[no-any-return]
        return after(request, response)  # type: ignore[no-any-return]

    def response_needs_thread(self, request: HttpRequest) -> bool:
        """Whether `process_response` will reach the database; `process_request` never does."""
        return False


class Security(OnTheLoop, SecurityMiddleware):
    pass


class Common(OnTheLoop, CommonMiddleware):
    pass


class Authentication(OnTheLoop, AuthenticationMiddleware):
    pass


class XFrameOptions(OnTheLoop, XFrameOptionsMiddleware):
    pass


class Sessions(OnTheLoop, SessionMiddleware):
    def response_needs_thread(self, request: HttpRequest) -> bool:
        return settings.SESSION_SAVE_EVERY_REQUEST or bool(request.session.modified)


class Messages(OnTheLoop, MessageMiddleware):
    """Messages too long for a cookie go into the session."""

    def response_needs_thread(self, request: HttpRequest) -> bool:
        storage: Any = request._messages  # type: ignore[attr-defined]
        return bool(storage.used or storage.added_new)


class Csrf(OnTheLoop, CsrfViewMiddleware):
    def __init__(self, get_response: Any) -> None:
        super().__init__(get_response)
        if self.async_mode:
            self.process_view = self.aprocess_view  # type: ignore[assignment]

    async def aprocess_view(self, request: HttpRequest, callback: Any, *arguments: Any) -> HttpResponseBase | None:
        """A token that is asked for is looked up in the form, and the form may be a large upload."""
        check = super().process_view
        if request.method in SAFE_METHODS or getattr(callback, "csrf_exempt", False):
            return check(request, callback, *arguments)
        return await sync_to_async(check)(request, callback, *arguments)


def spare_request_threads() -> None:
    """For a process that serves ASGI and nothing else: no thread is started as a request begins.

    The two receivers look after connections that a thread has from requests before. Under ASGI each request has a
    thread of its own, so there are none; but to call them that thread is started at once, to live through the wait.
    """
    for receiver in (reset_queries, close_old_connections):
        request_started.disconnect(receiver)
