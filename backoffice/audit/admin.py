"""History in admin: everybody who may see it reads it, nobody edits it."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.apps import apps
from django.contrib import admin
from django.contrib.admin import FieldListFilter, ShowFacets
from django.contrib.admin.options import IncorrectLookupParameters
from django.db import DataError
from django.db.models import Model
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin
from unfold.views import ChangeList

from backoffice.audit.columns import FailureFilter, WordsFilter, columns
from backoffice.audit.labels import LABELS, Text
from backoffice.audit.models import DailyAggregate
from backoffice.audit.paging import BoundedPaginator
from backoffice.audit.retention import Retained, registered


class HistoryChangeList(ChangeList):
    """Says how many rows the filters left, and not that there are more. Filters by what is offered and by nothing
    else: an address made by hand may neither send an expression of its own to the database nor break the page."""

    def get_filters(self, request: HttpRequest) -> Any:
        filters, has_filters, others, *rest = super().get_filters(request)
        for each in filters:
            if isinstance(each, FieldListFilter):
                each.title = LABELS.get(each.field_path, each.title)
        if not set(others) <= {f"{self.date_hierarchy}__gte", f"{self.date_hierarchy}__lt"}:
            raise IncorrectLookupParameters
        return filters, has_filters, others, *rest

    def get_results(self, request: HttpRequest) -> None:
        try:
            super().get_results(request)
        except (OverflowError, DataError) as error:
            raise IncorrectLookupParameters from error
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


def _counted() -> Iterable[Retained]:
    """What has exchanges that totals are kept of."""
    return (retained for retained in registered() if retained.exchanges is not None)


def _system_name(system: str) -> str:
    return str(apps.get_app_config(system).verbose_name) if system in apps.app_configs else system


def _states(retained: Retained) -> Mapping[str, Text]:
    return {} if retained.exchanges is None else dict(retained.exchanges.of(()).model.state.field.flatchoices)


class SystemFilter(WordsFilter):
    title = LABELS["system"]
    parameter_name = "system"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, str]]:
        return [(retained.system, _system_name(retained.system)) for retained in _counted()]


class StateFilter(WordsFilter):
    """By the states of all systems; where two share one, in the words of the last."""

    title = LABELS["state"]
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, Any]]:
        return {value: word for retained in _counted() for value, word in _states(retained).items()}.items()


@admin.register(DailyAggregate)
class DailyAggregateAdmin(ReadOnlyAdmin):
    """What is left of purged exchanges: how many there were, how they ended, what they cost."""

    list_display = columns(
        "day", "system_told", "model", "provider", "state_told", "failure", "rows", "input_tokens", "output_tokens",
        "rows_of_unknown_tokens", "cost", "rows_of_unknown_cost",
    )  # fmt: skip
    list_display_links = None
    list_filter = (SystemFilter, StateFilter, FailureFilter, "model")
    date_hierarchy = "day"
    fields = readonly_fields = list_display

    @admin.display(description=LABELS["system"], ordering="system")
    def system_told(self, total: DailyAggregate) -> str:
        return _system_name(total.system)

    @admin.display(description=LABELS["state"], ordering="state")
    def state_told(self, total: DailyAggregate) -> str:
        """In the words of the system whose state it is."""
        words = [_states(retained) for retained in _counted() if retained.system == total.system]
        return next((str(states[total.state]) for states in words if total.state in states), total.state)


def pretty_json(value: Any) -> SafeString:
    return format_html("<pre>{}</pre>", json.dumps(value, ensure_ascii=False, indent=2))
