"""The desk's filters. Each is backed by an index or asks only the rows of the period shown; none counts anything."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import PAGE_VAR, ChangeList
from django.contrib.auth import get_user_model
from django.db.models import Exists, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_lazy as _

from backoffice.audit import columns
from summarizer.admin.wording import DRAFT_STATES, STALLED, WARNINGS, Text
from summarizer.models import Decision, OutcomeState, Review, Run, RunState

LONGEST_KEY = 18
"""Digits that surely fit a key of 64 bits."""

Lookups = Iterable[tuple[str, Any]]


class PeriodFilter(admin.ListFilter):
    """The last 30 days unless chosen: a number of days, all there is, or from one moment to another.

    The list's admin says by `limit_to_period` what the period is about.
    """

    title = _("period")
    template = "summarizer/admin/period_filter.html"
    NAMES = ("period", "from", "to")
    CHOICES: tuple[tuple[str, Text], ...] = (
        ("1", _("Last 24 hours")),
        ("7", _("Last 7 days")),
        ("30", _("Last 30 days")),
        ("90", _("Last 90 days")),
        ("365", _("Last 365 days")),
        ("all", _("All there is")),
    )
    DEFAULT = "30"

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: Any) -> None:
        super().__init__(request, params, model, model_admin)
        self.model_admin = model_admin
        for name in self.NAMES:
            if name in params:
                self.used_parameters[name] = params.pop(name)[-1]
        self.since, self.until = _moment(self._given("from")), _moment(self._given("to"))
        kept = request.GET.items()
        self.others = [(name, value) for name, value in kept if name not in (*self.NAMES, PAGE_VAR)]

    def _given(self, name: str) -> str:
        return str(self.used_parameters.get(name, ""))

    @property
    def period(self) -> str:
        """The choice in force; empty where moments were chosen."""
        if self.since or self.until:
            return ""
        given = self._given("period")
        return given if given in dict(self.CHOICES) else self.DEFAULT

    def has_output(self) -> bool:
        return True

    def expected_parameters(self) -> list[str | None]:
        return list(self.NAMES)

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        for value, display in self.CHOICES:
            query = changelist.get_query_string({"period": value}, remove=["from", "to"])
            yield {"selected": value == self.period, "query_string": query, "display": display}

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.period == "all":
            return queryset
        since = timezone.now() - timedelta(days=int(self.period)) if self.period else self.since
        limited: QuerySet[Any] = self.model_admin.limit_to_period(queryset, since, self.until)
        return limited

    @property
    def fields(self) -> Iterator[tuple[str, Text, str]]:
        """The two inputs: name, label, value in the form of HTML's `datetime-local`."""
        for name, label, moment in (("from", _("From"), self.since), ("to", _("Until"), self.until)):
            yield name, label, timezone.localtime(moment).strftime("%Y-%m-%dT%H:%M") if moment else ""


def _moment(text: str) -> datetime | None:
    """A moment in the operator's zone; None where the text is none."""
    try:
        moment = parse_datetime(text)
        if moment is None or not 1971 <= moment.year <= 9000:
            return None
        return moment if timezone.is_aware(moment) else timezone.make_aware(moment)
    except ValueError:
        return None


class ChoiceFilter(admin.SimpleListFilter):
    """A filter by one value out of a list."""

    def has_output(self) -> bool:
        return True


class FailureFilter(columns.FailureFilter):
    title = _("what went wrong")


class NextAttemptFilter(ChoiceFilter):
    title = _("next attempt")
    parameter_name = "next"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        return [("none", _("None yet")), ("some", _("Queued or made"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        match self.value():
            case "none":
                return queryset.without_next_attempt()
            case "some":
                return queryset.with_next_attempt()
        return queryset


class AttemptFilter(ChoiceFilter):
    title = _("attempt")
    parameter_name = "attempt"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        return [("1", _("First")), ("2", _("Second")), ("3", _("Third")), ("more", _("Fourth or later"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() == "more":
            return queryset.filter(attempt__gt=3)
        return queryset.filter(attempt=self.value()) if self.value() in ("1", "2", "3") else queryset


class RowStateFilter(columns.WordsFilter):
    title = _("state")
    parameter_name = "state"
    words: Mapping[str, Text] = dict(OutcomeState.choices)


class RunStateFilter(ChoiceFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        return [*RunState.choices, (STALLED, _("Stalled"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() == STALLED:
            return queryset.stalled(timezone.now())
        return queryset.filter(state=self.value()) if self.value() else queryset


class DraftStateFilter(ChoiceFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        return DRAFT_STATES.items()

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        match self.value():
            case "open":
                return queryset.open()
            case "queued":
                return queryset.queued()
            case "discarded":
                return queryset.discarded()
        return queryset


class WarningFilter(ChoiceFilter):
    title = _("warning")
    parameter_name = "warning"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        return [(code, name) for code, (name, _meaning) in WARNINGS.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() not in WARNINGS:
            return queryset
        with_codes: QuerySet[Any] = queryset.annotate(codes=Cast("warnings", TextField()))
        return with_codes.filter(codes__contains=f'"{self.value()}"')


class DecisionFilter(ChoiceFilter):
    """What is still to be decided, unless somebody asks for what was."""

    title = _("decision")
    parameter_name = "decision"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        return [*Decision.choices, ("all", _("All"))]

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        first, *rest = super().choices(changelist)
        yield {**first, "display": _("Still open")}
        yield from rest

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() == "all":
            return queryset
        if self.value() in Decision.values:
            decided = Review.objects.filter(outcome=OuterRef("pk"), decision=self.value())
            return queryset.filter(Exists(decided))
        return queryset.to_review()


class _ByRun(ChoiceFilter):
    """A filter by a fact of the run, for lists of runs and for lists of rows."""

    def condition(self, queryset: QuerySet[Any], **facts: Any) -> QuerySet[Any]:
        if queryset.model is Run:
            return queryset.filter(**facts)
        return queryset.filter(**{f"run__{name}": value for name, value in facts.items()})


class WhoFilter(_ByRun):
    title = _("who")
    parameter_name = "who"
    NOBODY = "nobody"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        with_runs = get_user_model().objects.filter(Exists(Run.objects.filter(created_by=OuterRef("pk"))))
        people = with_runs.order_by("username").values_list("pk", "username")[:200]
        return [(self.NOBODY, _("Nobody (nightly job)")), *((str(pk), name) for pk, name in people)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        if value == self.NOBODY:
            return self.condition(queryset, created_by=None)
        is_key = value and value.isdecimal() and len(value) <= LONGEST_KEY
        return self.condition(queryset, created_by=int(value)) if value and is_key else queryset


class ModelFilter(_ByRun):
    title = _("model")
    parameter_name = "model"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Lookups:
        used = Run.objects.order_by("provider", "model").values_list("provider", "model").distinct()[:100]
        return [(f"{provider}:{model}", f"{model} ({provider})") for provider, model in used]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        provider, _colon, model = (self.value() or "").partition(":")
        return self.condition(queryset, provider=provider, model=model) if model else queryset


def between(field: str, since: datetime | None, until: datetime | None) -> Q:
    """From `since` on and before `until`, each where it is given."""
    limits = Q()
    if since is not None:
        limits &= Q(**{f"{field}__gte": since})
    if until is not None:
        limits &= Q(**{f"{field}__lt": until})
    return limits
