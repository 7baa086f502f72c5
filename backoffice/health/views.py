"""The doors for probes and for Prometheus. None of them knows a user or answers with anybody's data."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from backoffice.database import in_database
from backoffice.health.metrics import exposition, measured
from backoffice.health.readiness import reasons

UNCACHED = {"Cache-Control": "no-store"}
LOOPBACK = ("127.0.0.1", "::1")
FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Real-IP")


@csrf_exempt
@require_safe
async def healthz(_request: HttpRequest) -> HttpResponse:
    """The process lives and its event loop turns. Nothing else is asked, so nobody restarts it for another's fault."""
    return _json({"alive": True})


@csrf_exempt
@require_safe
async def readyz(_request: HttpRequest) -> HttpResponse:
    """The service can do its work; 503 with the reasons where it cannot."""
    why_not = await in_database(reasons)
    return _json({"ready": not why_not, "reasons": why_not}, status=503 if why_not else 200)


@csrf_exempt
@require_safe
async def metrics(request: HttpRequest) -> HttpResponse:
    if not may_scrape(request):
        refusal = _json({"detail": "Metrics are for whoever holds METRICS_TOKEN."}, status=401)
        refusal["WWW-Authenticate"] = "Bearer"
        return refusal
    return HttpResponse(exposition(await in_database(measured)), content_type=CONTENT_TYPE_LATEST, headers=UNCACHED)


def may_scrape(request: HttpRequest) -> bool:
    """The bearer of METRICS_TOKEN (RFC 6750); where none is set, whoever asks from this machine and through no
    proxy, since behind one everybody does."""
    if settings.METRICS_TOKEN:
        return constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {settings.METRICS_TOKEN}")
    direct = not any(name in request.headers for name in FORWARDED)
    return direct and request.META.get("REMOTE_ADDR") in LOOPBACK


def _json(body: dict[str, Any], status: int = 200) -> JsonResponse:
    return JsonResponse(body, status=status, headers=UNCACHED)
