"""The site that admin is: django-unfold's, which names every model as its own pages do."""

from typing import Any

from django.http import HttpRequest
from django.utils.text import capfirst
from unfold.sites import UnfoldAdminSite


class DeskSite(UnfoldAdminSite):
    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        listed: list[Any] = super().get_app_list(request, app_label)
        for model in (model for app in listed for model in app["models"]):
            model["name"] = capfirst(self.get_model_admin(model["model"]).opts.verbose_name_plural)
        return listed
