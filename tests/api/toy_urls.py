"""Small endpoints over the base view, one for each thing that it does for all real ones."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import path
from pydantic import BaseModel, ConfigDict, Field
from rest_framework.exceptions import NotFound, Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from backoffice.api.access import AUTHENTICATION, SummariesRate, needs
from backoffice.api.requests import validated
from backoffice.api.views import AsyncAPIView
from backoffice.llm.failures import FailureCode, ModelFailure, NotConfigured


class Note(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    text: str = Field(min_length=1, max_length=10)
    number: int = 0


class Query(BaseModel):
    q: str = Field(min_length=1, max_length=5)


class OpenView(AsyncAPIView):
    is_open = True

    async def post(self, request: Request) -> Response:
        return Response(self.body(Note).model_dump())

    async def get(self, request: Request) -> Response:
        return Response(validated(Query, request.query_params.dict(), "query").model_dump())


class PrivateView(AsyncAPIView):
    authentication_classes = AUTHENTICATION
    permission_classes = (needs("auth.view_user"),)

    async def get(self, request: Request) -> Response:
        return Response({"user": request.user.get_username()})

    async def post(self, request: Request) -> Response:
        return Response({"text": self.body(Note).text})


class OpenLimitedView(OpenView):
    throttle_classes = (SummariesRate,)


class PrivateLimitedView(PrivateView):
    throttle_classes = (SummariesRate,)


ERRORS: dict[str, Exception] = {
    "not-configured": NotConfigured("Set OPENAI_API_KEY, which is sk-secret."),
    "rate-limited": ModelFailure(FailureCode.RATE_LIMITED, "sk-secret"),
    "rounds": ModelFailure(FailureCode.TOO_MANY_ROUNDS, "sk-secret"),
    "missing": Http404("no run sk-secret"),
    "not-found": NotFound(),
    "forbidden": PermissionDenied(),
    "throttled": Throttled(wait=7),
    "bug": KeyError("sk-secret"),
}


class FailingView(AsyncAPIView):
    is_open = True

    async def get(self, request: Request, name: str) -> Any:
        raise ERRORS[name]


urlpatterns = [
    path("open", OpenView.as_view()),
    path("private", PrivateView.as_view()),
    path("open-limited", OpenLimitedView.as_view()),
    path("private-limited", PrivateLimitedView.as_view()),
    path("failing/<name>", FailingView.as_view()),
]
