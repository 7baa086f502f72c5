"""History in admin: everybody who may see it reads it, nobody edits it."""

import json
from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString


class ReadOnlyAdmin(admin.ModelAdmin[Any]):
    """Rows are read and acted upon, never added, changed or deleted here."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


def pretty_json(value: object) -> SafeString:
    return format_html("<pre>{}</pre>", json.dumps(value, ensure_ascii=False, indent=2))
