"""History in admin: everybody who may see it reads it, nobody edits it."""

import json
from typing import Any

from django.contrib import admin
from django.contrib.admin import ShowFacets
from django.db.models import Model
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin
from unfold.views import ChangeList

from backoffice.audit.models import DailyAggregate
from backoffice.audit.paging import BoundedPaginator


class HistoryChangeList(ChangeList):
    """Says how many rows the filters left, and not that there are more."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.full_result_count = self.result_count


class ReadOnlyAdmin(ModelAdmin):
    """Rows are read and acted upon, never added, changed or deleted here."""

    paginator = BoundedPaginator
    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    list_per_page = 50

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return HistoryChangeList

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(DailyAggregate)
class DailyAggregateAdmin(ReadOnlyAdmin):
    """What is left of purged exchanges: how many there were, how they ended, what they cost."""

    list_display = (
        "day", "system", "model", "provider", "state", "failure", "rows", "input_tokens", "output_tokens",
        "rows_of_unknown_tokens", "cost", "rows_of_unknown_cost",
    )  # fmt: skip
    list_display_links = None
    list_filter = ("system", "state", "failure", "model")
    date_hierarchy = "day"


def pretty_json(value: Any) -> SafeString:
    return format_html("<pre>{}</pre>", json.dumps(value, ensure_ascii=False, indent=2))
