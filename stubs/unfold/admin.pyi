from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest

class ModelAdmin(admin.ModelAdmin[Any]):
    list_filter_sheet: bool
    list_filter_submit: bool
    request: HttpRequest
    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]: ...
