"""Columns and filters of exchanges in admin, with labels and codes in the reader's language."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.contrib import admin
from django.db.models import IntegerField, Model, QuerySet
from django.http import HttpRequest
from django.utils.formats import number_format
from unfold.utils import display_for_field

from backoffice.audit.labels import FAILURES, LABELS, STOP_REASONS, Text

EMPTY = "–"
_WORDS: Mapping[str, Mapping[str, Text]] = {"failure": FAILURES, "stop_reason": STOP_REASONS}


def labelled(name: str, words: Mapping[str, Text] | None = None) -> Callable[[Any], str]:
    """A column under its label, for lists and pages alike; a value that `words` has is shown in words."""

    @admin.display(description=LABELS[name], ordering=name)
    def shown(record: Model) -> str:
        value, field = getattr(record, name), record._meta.get_field(name)
        if words is not None and value in words:
            return str(words[value])
        if isinstance(field, IntegerField) and value is not None:
            return number_format(value, force_grouping=True)
        return display_for_field(value, field, EMPTY)

    shown.__name__ = name
    return shown


def columns(*names: str, **words: Mapping[str, Text]) -> tuple[Any, ...]:
    """Each column under its label where there is one, in the words given for it; the others as they are."""
    in_words = {**_WORDS, **words}
    return tuple(labelled(name, in_words.get(name)) if name in LABELS else name for name in names)


@admin.display(description=LABELS["failure"])
def failure_told(record: Any) -> str:
    """What happened, and its code: the detail beside it stays in English, as it was recorded."""
    if record.failure not in FAILURES:
        return record.failure or EMPTY
    return f"{FAILURES[record.failure]} ({record.failure})"


class WordsFilter(admin.SimpleListFilter):
    """A filter by the codes of a column, shown in words."""

    parameter_name: str
    words: Mapping[str, Text]

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, Any]]:
        return self.words.items()

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(**{self.parameter_name: self.value()}) if self.value() else queryset


class FailureFilter(WordsFilter):
    title = LABELS["failure"]
    parameter_name = "failure"
    words = FAILURES


class StopReasonFilter(WordsFilter):
    title = LABELS["stop_reason"]
    parameter_name = "stop_reason"
    words = STOP_REASONS
