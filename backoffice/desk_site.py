"""The site that admin is: django-unfold's, which names every model as its own pages do."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from unfold.sites import UnfoldAdminSite


class DeskSite(UnfoldAdminSite):
    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        listed: list[Any] = super().get_app_list(request, app_label)
        for model in (model for app in listed for model in app["models"]):
            model["name"] = capfirst(self.get_model_admin(model["model"]).opts.verbose_name_plural)
        return listed

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Answers a refusal with a page of the desk: here, since a handler of errors has no thread for the database."""
        inner: Callable[..., HttpResponse] = super().admin_view(view, cacheable)

        @wraps(inner)
        def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            try:
                return inner(request, *args, **kwargs)
            except PermissionDenied:
                return self._refused(request)

        return answer

    def _refused(self, request: HttpRequest) -> HttpResponse:
        context = self.each_context(request) | {"title": _("You may not do this")}
        return TemplateResponse(request, "backoffice/refused.html", context, status=403)
