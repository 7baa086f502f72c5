"""What the desk says of failures, warnings and states, in sentences a finance person can act on."""

from datetime import datetime
from decimal import Decimal

from django.utils import formats, timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from summarizer.models import OutcomeState, Run, RunState

Text = str | Promise

FAILURES: dict[str, tuple[Text, Text]] = {
    "rate_limited": (
        _("The provider limits our requests at the moment."),
        _("Queue the row again and run it at another hour."),
    ),
    "timeout": (_("The model did not answer in time."), _("Queue the row again.")),
    "connection": (
        _("The connection to the provider was lost."),
        _("Check that the network is up, then queue the row again."),
    ),
    "provider_error": (_("The provider reported an error."), _("Queue the row again.")),
    "rejected": (
        _("The provider refused the request."),
        _("Asking again will not help: look at the note, or have the key and the model name checked."),
    ),
    "malformed_chunk": (
        _("The provider sent something unreadable."),
        _("Queue the row again; tell the people who run this service if it stays."),
    ),
    "interrupted": (_("The answer stopped before it was complete."), _("Queue the row again.")),
    "too_many_rounds": (_("The model kept asking for tools."), _("Queue the row again.")),
    "not_configured": (_("No model is configured."), _("Have OPENAI_API_KEY set, then queue the row again.")),
    "internal": (
        _("Something went wrong on our side."),
        _("Tell the people who run this service; their log has the cause."),
    ),
}
"""For each failure code: what happened, and what to do."""

WARNINGS: dict[str, tuple[Text, Text]] = {
    "truncated": (_("Cut off"), _("The summary reached the length limit and may lack its end.")),
    "content_filter": (_("Filtered"), _("The provider's content filter stopped the summary.")),
    "refused": (_("Refused"), _("The model declined to summarise the note.")),
    "empty": (_("Empty"), _("The summary has no text.")),
    "unsupported_number": (
        _("Doubtful number"),
        _("The summary states a number that neither the note nor a tool backs."),
    ),
}
"""For each warning: a name, and what it means."""

STALLED = "stalled"

RUN_COLOURS = {
    RunState.QUEUED.value: "info",
    RunState.RUNNING.value: "primary",
    RunState.COMPLETED.value: "success",
    RunState.INTERRUPTED.value: "warning",
    RunState.CANCELLED.value: "",
    STALLED: "danger",
}
OUTCOME_COLOURS = {
    OutcomeState.PENDING.value: "info",
    OutcomeState.SUMMARISED.value: "success",
    OutcomeState.FAILED.value: "danger",
    OutcomeState.WITHDRAWN.value: "",
}


def what_happened(code: str) -> str:
    return str(FAILURES[code][0]) if code in FAILURES else code


def what_to_do(code: str) -> str:
    return str(FAILURES[code][1]) if code in FAILURES else ""


def run_state(run: Run) -> tuple[str, str]:
    """The key of a run's colour, and the word for its state."""
    if run.is_stalled:
        return STALLED, gettext("Stalled")
    if run.state == RunState.RUNNING and run.cancel_requested_at is not None:
        return run.state, gettext("Ending")
    return run.state, str(RunState(run.state).label)


def who(run: Run) -> str:
    """The person, or what acted for them."""
    return run.created_by.get_username() if run.created_by else str(run.get_trigger_display())


def rows(count: int) -> str:
    return ngettext("%(count)s row", "%(count)s rows", count) % {"count": number(count)}


def runs(count: int) -> str:
    return ngettext("%(count)s run", "%(count)s runs", count) % {"count": number(count)}


def number(value: int | Decimal) -> str:
    return formats.number_format(value, force_grouping=True)


def money(value: Decimal | None) -> str:
    """USD with as many decimals as a small sum needs; unknown where unknown, never 0."""
    if value is None:
        return gettext("unknown")
    places = 2 if value >= 1 or value == 0 else 4 if value >= Decimal("0.0001") else 8
    return f"{formats.number_format(round(value, places), places, force_grouping=True)} USD"


def spent(cost: Decimal, rows_of_unknown_cost: int) -> str:
    """A sum, and of how many rows it knows nothing; unknown where it knows nothing at all."""
    if not rows_of_unknown_cost:
        return money(cost)
    if not cost:
        return money(None)
    unknown = rows(rows_of_unknown_cost)
    return gettext("at least %(cost)s (%(rows)s of unknown cost)") % {"cost": money(cost), "rows": unknown}


def at_most(cost: Decimal | None) -> str:
    if cost is None:
        return gettext("unknown: nobody entered the price of this model (LLM_PRICES)")
    return gettext("at most %(cost)s") % {"cost": money(cost)}


def moment(value: datetime | None) -> str:
    """In the operator's zone and format."""
    return "–" if value is None else formats.date_format(timezone.localtime(value), "SHORT_DATETIME_FORMAT")


def duration(seconds: float) -> str:
    whole = int(seconds)
    if whole < 60:
        return gettext("%(seconds)s s") % {"seconds": whole}
    if whole < 3600:
        return gettext("%(minutes)s min %(seconds)s s") % {"minutes": whole // 60, "seconds": whole % 60}
    return gettext("%(hours)s h %(minutes)s min") % {"hours": whole // 3600, "minutes": whole % 3600 // 60}
