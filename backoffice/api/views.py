"""The asynchronous base of every endpoint: DRF's authentication, permissions, throttles and error handling, awaited.

adrf sends each of these through the request's own thread, which then lives as long as the model's wait. Here the steps
that touch the database make one visit to a database thread, and an endpoint that needs none makes no visit at all.
"""

import inspect
from collections.abc import Iterable
from typing import Any, TypeVar, cast

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from pydantic import BaseModel
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from backoffice.api.requests import read_body
from backoffice.caching import in_cache
from backoffice.database import in_database

M = TypeVar("M", bound=BaseModel)


class AlwaysTheFirst(BaseContentNegotiation):
    """An endpoint has one media type; what a client says it accepts does not change its errors either."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type or ""


def _rendered(response: HttpResponseBase) -> HttpResponseBase:
    """With nothing left to render: Django would send a response of DRF's through a thread for it."""
    if not isinstance(response, Response):
        return response
    response.render()
    return HttpResponse(response.content, status=response.status_code, headers=response.headers)


class AsyncAPIView(APIView):
    content_negotiation_class = AlwaysTheFirst
    is_open = False
    """An open endpoint knows no users: it is admitted by its client's rate, without a visit to the database."""

    async def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:  # type: ignore[override]
        self.args, self.kwargs = args, kwargs
        self.headers = self.default_response_headers
        self.request = self.initialize_request(request, *args, **kwargs)
        try:
            visiting = in_cache if self.is_open else in_database
            await visiting(self.initial, self.request, *args, **kwargs)
            response = await self._handler()(self.request, *args, **kwargs)
        except Exception as error:
            response = self.handle_exception(error)
        self.response = self.finalize_response(self.request, response, *args, **kwargs)
        return _rendered(self.response)

    def _handler(self) -> Any:
        name = (self.request.method or "").lower()
        handler = getattr(self, name, None) if name in self.http_method_names else None
        return handler if inspect.iscoroutinefunction(handler) else self._answer_in_sync

    async def _answer_in_sync(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """OPTIONS and wrong methods, which DRF answers without waiting for anything."""
        name = (request.method or "").lower()
        handler = self.options if name == "options" else self.http_method_not_allowed
        return cast(HttpResponseBase, handler(request, *args, **kwargs))

    def body(self, model: type[M]) -> M:
        """The request's body as `model`. Raises the errors of `backoffice.api.requests`."""
        return read_body(self.request._request, model)
