from django.contrib import admin
from django.urls import include, path
from django.views.i18n import set_language
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from backoffice.health.views import healthz, metrics, readyz

urlpatterns = [
    path("admin/language", set_language, name="set_language"),
    path("admin/", admin.site.urls),
    path("summaries/", include("summarizer.urls")),
    path("weather/", include("weatherbot.urls")),
    path("", include("backoffice.evidencedesk.urls")),
    path("healthz", healthz),
    path("readyz", readyz),
    path("metrics", metrics),
    path("api/schema", SpectacularAPIView.as_view(), name="schema"),
    path("api/docs/", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="api-docs"),
]
