"""The first page of admin: what ran last night, what failed and why, what waits, what it cost."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from summarizer.admin import wording
from summarizer.admin.filters import PeriodFilter
from summarizer.admin.starting import WORKER_COMMAND
from summarizer.costing import known
from summarizer.models import ImportDraft, Outcome, OutcomeQuerySet, Run
from summarizer.runs.statistics import (
    Night,
    failures_since,
    left_behind,
    nights,
    noon_of_yesterday,
    tally_since,
    waiting,
)

NIGHTS = 30
CHART_HEIGHT = 120
MOST_COUNTED = 1000
"""Rows that wait for somebody; beyond this it says that there are more."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One night of the chart; measures are in units of its drawing, 10 to a night."""

    x: int
    summarised_y: float
    summarised_height: float
    failed_y: float
    failed_height: float
    title: str
    url: str


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Adds to the context of the page what those may see who may see rows; everybody else sees the plain list of
    models."""
    if not request.user.has_perms(("summarizer.view_run", "summarizer.view_outcome")):
        return context
    return {**context, "desk": _desk(request, timezone.now())}


def _desk(request: HttpRequest, now: datetime) -> dict[str, Any]:
    rows, runs = Outcome.objects.visible_to(request.user), Run.objects.visible_to(request.user)
    since = noon_of_yesterday(now)
    tally = tally_since(rows, since)
    past, waits = nights(rows, NIGHTS, now), waiting(runs, now)
    return {
        **_to_do(request, rows, now),
        "since": wording.moment(since),
        "tally": tally,
        "spent": wording.spent(tally.known_cost, tally.rows_of_unknown_cost),
        "failures": [
            (
                wording.what_happened(code),
                wording.what_to_do(code),
                count,
                _list("failedrow", failure=code, **_from(since)),
            )
            for code, count in failures_since(rows, since)
        ],
        "waiting": waits,
        "queued_runs": wording.runs(waits.queued_runs),
        "bars": _bars(past),
        "most": wording.rows(max((night.summarised + night.failed for night in past), default=0)),
        "first_night": _day(past[0]),
        "last_night": _day(past[-1]),
        "nights_cost": _cost_of(past),
        "worker_command": WORKER_COMMAND,
        "links": _links(since),
    }


def _to_do(request: HttpRequest, rows: OutcomeQuerySet, now: datetime) -> dict[str, Any]:
    """What waits for whoever looks; nothing that they may not do."""
    may = request.user.has_perms
    may_operate = may(("summarizer.operate_run",))
    may_review = may_operate and may(("summarizer.view_review", "summarizer.add_review"))
    may_import = may(("summarizer.add_importdraft",))
    to_review = rows.to_review().order_by()[:MOST_COUNTED].count() if may_review else 0
    since = now - timedelta(days=int(PeriodFilter.DEFAULT))
    left = left_behind(rows, since, MOST_COUNTED) if may_operate else 0
    return {
        "may_act": may_operate or may_import,
        "may_review": may_review,
        "to_review": _counted(to_review),
        "to_review_count": to_review,
        "left_behind": _counted(left),
        "left_behind_count": left,
        "may_import": may_import,
        "drafts": _open_drafts(request),
    }


def _counted(count: int) -> str:
    return f"{MOST_COUNTED}+" if count == MOST_COUNTED else wording.number(count)


def _open_drafts(request: HttpRequest) -> int:
    if not request.user.has_perms(("summarizer.view_importdraft", "summarizer.change_importdraft")):
        return 0
    return ImportDraft.objects.open().count()


def _links(since: datetime) -> dict[str, str]:
    return {
        "rows": _list("outcome", state="summarised", **_from(since)),
        "failed": _list("failedrow", **_from(since)),
        "review": _list("rowtoreview", period="all"),
        "left_behind": _list("failedrow", next="none"),
        "drafts": _list("importdraft", state="open", period="all"),
        "queued": _list("run", state="queued", period="all"),
        "running": _list("run", state="running", period="all"),
        "stalled": _list("run", state="stalled", period="all"),
        "interrupted": _list("run", state="interrupted", period="all"),
    }


def _list(model: str, **query: str) -> str:
    return f"{reverse(f'admin:summarizer_{model}_changelist')}?{urlencode(query)}"


def _from(since: datetime, until: datetime | None = None) -> dict[str, str]:
    stretch = {"from": f"{timezone.localtime(since):%Y-%m-%dT%H:%M}"}
    return stretch if until is None else stretch | {"to": f"{timezone.localtime(until):%Y-%m-%dT%H:%M}"}


def _cost_of(past: list[Night]) -> str:
    unknown = sum(night.rows_of_unknown_cost for night in past)
    cost = sum((night.cost for night in past), start=Decimal(0))
    return wording.spent(known(cost, sum(night.ended for night in past), unknown), unknown)


def _day(night: Night) -> str:
    """A night is named by the morning it ends in."""
    return formats.date_format(timezone.localtime(night.end), "MONTH_DAY_FORMAT")


def _bars(past: list[Night]) -> list[Bar]:
    most = max((night.summarised + night.failed for night in past), default=0) or 1
    return [_bar(number, night, CHART_HEIGHT / most) for number, night in enumerate(past)]


def _bar(number: int, night: Night, unit: float) -> Bar:
    summarised, failed = night.summarised * unit, night.failed * unit
    words = {"day": _day(night), "summarised": wording.number(night.summarised), "failed": wording.number(night.failed)}
    title = _("Night to %(day)s: %(summarised)s summarised, %(failed)s failed") % words
    return Bar(
        x=number * 10,
        summarised_y=round(CHART_HEIGHT - summarised, 2),
        summarised_height=round(summarised, 2),
        failed_y=round(CHART_HEIGHT - summarised - failed, 2),
        failed_height=round(failed, 2),
        title=f"{title}, {wording.spent(night.known_cost, night.rows_of_unknown_cost)}",
        url=_list("failedrow" if night.failed else "outcome", **_from(night.start, night.end)),
    )
