"""What the desk says of failures, warnings and states, in sentences a finance person can act on."""

from datetime import datetime
from decimal import Decimal

from django.utils import formats, timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from backoffice.audit.deeds import told
from backoffice.audit.labels import FAILURES, STOP_REASONS
from summarizer.models import Outcome, OutcomeState, Run, RunState

Text = str | Promise

AGAIN = _("Queue the row again.")
ADVICE: dict[str, Text] = {
    "rate_limited": _("Queue the row again and run it at another hour."),
    "timeout": AGAIN,
    "connection": _("Check that the network is up, then queue the row again."),
    "provider_error": AGAIN,
    "rejected": _("Asking again will not help: look at the note, or have the key and the model name checked."),
    "malformed_chunk": _("Queue the row again; tell the people who run this service if it stays."),
    "interrupted": AGAIN,
    "not_configured": _("Have OPENAI_API_KEY set, then queue the row again."),
    "internal": _("Tell the people who run this service; their log has the cause."),
}
"""For each failure code that a row can have: what to do."""

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

AMOUNTS: dict[str, Text] = {
    "not_text": _("The model asked about something that is no text."),
    "too_long": _("The words or the number are too long."),
    "no_amount": _("There is no amount in these words."),
    "multiple_amounts": _("There is more than one amount in these words."),
    "range": _("This is a range and not one amount."),
    "calculation": _("This is a calculation and not one amount."),
    "percentage": _("This is a percentage and not an amount of money."),
    "fraction": _("This is a fraction and not a decimal amount."),
    "malformed_number": _("The digits are not grouped like a number."),
    "currency_conflict": _("Two currencies are named for one number."),
    "ambiguous_sign": _("It is not clear whether the dash or brackets mean minus."),
    "ambiguous_separator": _("The separator may mean thousands or decimals."),
    "ambiguous_magnitude": _("The word for the magnitude has several meanings."),
}
"""Why the tool was not certain, for each of its codes: what it tells the model is advice for the model."""

DRAFT_STATES: dict[str, Text] = {
    "open": _("Not queued yet"),
    "queued": _("Queued"),
    "discarded": _("Given up"),
}
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
    return str(FAILURES[code]) if code in FAILURES else code


def what_to_do(code: str) -> str:
    return str(ADVICE.get(code, ""))


def amount_problem(code: str, *, ran: bool) -> str:
    """Why the tool gave no amount. A call that could not run was cut off, or was none that the tool takes."""
    if code in AMOUNTS:
        return str(AMOUNTS[code])
    if ran:
        return gettext("The tool was not certain.")
    return gettext("The call was cut off or unreadable, and did not run.")


def warning(code: str) -> str:
    return str(WARNINGS[code][0]) if code in WARNINGS else code


def stop_reason(code: str) -> str:
    return str(STOP_REASONS.get(code, code)) or "–"


def run_state(run: Run) -> tuple[str, str]:
    """The key of a run's colour, and the word for its state."""
    if run.is_stalled and run.start_requested_at is None:
        return STALLED, gettext("Stalled")
    if run.state == RunState.RUNNING and run.cancel_requested_at is not None:
        return run.state, gettext("Ending")
    if run.start_requested_at is not None and not run.is_finished:  # None again as soon as a worker has the run
        return run.state, gettext("Starting")
    return run.state, str(RunState(run.state).label)


def who(run: Run) -> str:
    """The person, or what acted for them."""
    return run.created_by.get_username() if run.created_by else str(run.get_trigger_display())


def source(run: Run) -> str:
    """Where its rows came from; what has no name of its own, such as a program's request, by its way in."""
    return told(run.source) or str(run.get_trigger_display())


def attempt(row: Outcome) -> str:
    """The number of an attempt; one that was withdrawn was none, and the next one has its number."""
    return gettext("not tried") if row.state == OutcomeState.WITHDRAWN else number(row.attempt)


def in_run(attempt: Outcome) -> str:
    """What became of an attempt, and where."""
    state = OutcomeState(attempt.state).label
    return gettext("%(state)s in run %(run)s") % {"state": state, "run": attempt.run_id}


def rows(count: int) -> str:
    return ngettext("%(count)s row", "%(count)s rows", count) % {"count": number(count)}


def runs(count: int) -> str:
    return ngettext("%(count)s run", "%(count)s runs", count) % {"count": number(count)}


def number(value: int | Decimal) -> str:
    return formats.number_format(value, force_grouping=True)


def money(value: Decimal | None) -> str:
    """USD: cents from one dollar on, and below it the millionths that the cost of a row needs; unknown where unknown,
    never 0."""
    if value is None:
        return gettext("unknown")
    places = 2 if value >= 1 or value == 0 else 6
    return f"{formats.number_format(round(value, places), places, force_grouping=True)} USD"


def spent(cost: Decimal | None, rows_of_unknown_cost: int) -> str:
    """A sum as far as it is known, and of how many rows it knows nothing."""
    if cost is None or not rows_of_unknown_cost:
        return money(cost)
    unknown = rows(rows_of_unknown_cost)
    return gettext("at least %(cost)s (%(rows)s of unknown cost)") % {"cost": money(cost), "rows": unknown}


def tokens(count: int | None, rows_of_unknown_tokens: int) -> str:
    """As `spent`."""
    if count is None:
        return gettext("unknown")
    if not rows_of_unknown_tokens:
        return number(count)
    unknown = rows(rows_of_unknown_tokens)
    return gettext("at least %(tokens)s (%(rows)s of unknown use)") % {"tokens": number(count), "rows": unknown}


def tokens_of(row: Outcome, count: int | None) -> str:
    """Of one row; unknown where it ended and nobody said."""
    return number(count) if count is not None else gettext("unknown") if row.finished_at else "–"


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
