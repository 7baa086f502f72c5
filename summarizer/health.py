"""The queue and the last day's rows, for probes and metrics: by queries that an index serves, whatever has piled up."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Q, QuerySet, Sum
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily, Metric

from backoffice.health.metrics import register_measure
from backoffice.health.readiness import register_check
from summarizer.models import ENDED_ROW, WAITING_RUN, Outcome, Run, RunState

DAY = timedelta(days=1)
UNFINISHED = (*WAITING_RUN, RunState.RUNNING)


def waiting_since(provider: str) -> datetime | None:
    """When the oldest run of this provider that nobody works on was created; runs are created in the order of their
    keys. The nightly job never takes another provider's, so nobody is called for one."""
    idle = [Run.objects.filter(state=state) for state in WAITING_RUN]
    idle.append(Run.objects.stalled(timezone.now()))
    of_provider = (runs.filter(provider=provider).order_by("id") for runs in idle)
    oldest = (runs.values_list("created_at", flat=True).first() for runs in of_provider)
    return min((created for created in oldest if created is not None), default=None)


def queue_moves() -> str | None:
    since, limit = waiting_since(settings.LLM_PROVIDER), settings.READY_MAX_QUEUE_SECONDS
    age = (timezone.now() - since).total_seconds() if since else 0
    if not limit or age <= limit:
        return None
    return f"The oldest run has waited for {age / 3600:.1f} h: does the nightly job run?"


def runs_unfinished() -> QuerySet[Run, Any]:
    return Run.objects.filter(state__in=UNFINISHED).order_by().values("provider", "state").annotate(runs=Count("pk"))


def rows_ended(since: datetime) -> QuerySet[Outcome, Any]:
    """Rows that ended since then, by what became of them, with their tokens and cost."""
    rows = Outcome.objects.filter(state__in=ENDED_ROW, finished_at__gte=since).order_by()
    return rows.values("state", "failure").annotate(
        rows=Count("pk"),
        input=Sum("input_tokens"),
        output=Sum("output_tokens"),
        spent=Sum("cost"),
        unknown=Count("pk", filter=Q(cost=None)),
    )


def queue_measures() -> Iterable[Metric]:
    provider = settings.LLM_PROVIDER
    counts = {(provider, state.value): 0 for state in UNFINISHED}
    counts |= {(row["provider"], row["state"]): row["runs"] for row in runs_unfinished()}
    runs = GaugeMetricFamily("backoffice_queue_runs", "Unfinished runs.", labels=["provider", "state"])
    for labels, count in counts.items():
        runs.add_metric(labels, count)
    yield runs
    now, since = timezone.now(), waiting_since(provider)
    stalled = Run.objects.stalled(now).filter(provider=provider).count()
    yield GaugeMetricFamily("backoffice_queue_stalled_runs", "Running runs whose worker is gone.", value=stalled)
    pending = Outcome.objects.pending().count()
    yield GaugeMetricFamily("backoffice_queue_rows", "Rows that have not ended.", value=pending)
    age = (now - since).total_seconds() if since else 0
    yield GaugeMetricFamily("backoffice_queue_oldest_seconds", "Since the oldest waiting run was created.", value=age)


def row_measures() -> Iterable[Metric]:
    rows = GaugeMetricFamily("backoffice_rows_last_day", "Rows ended in 24 h.", labels=["state", "failure"])
    tokens = GaugeMetricFamily("backoffice_tokens_last_day", "Tokens of rows ended in 24 h.", labels=["kind"])
    by_outcome = list(rows_ended(timezone.now() - DAY))
    for group in by_outcome:
        rows.add_metric([group["state"], group["failure"]], group["rows"])
    yield rows
    for kind in ("input", "output"):
        tokens.add_metric([kind], sum(group[kind] or 0 for group in by_outcome))
    yield tokens
    spent = float(sum(group["spent"] or 0 for group in by_outcome))
    yield GaugeMetricFamily("backoffice_cost_usd_last_day", "Cost of rows ended in 24 h, as far as known.", value=spent)
    unknown = sum(group["unknown"] for group in by_outcome)
    yield GaugeMetricFamily("backoffice_rows_of_unknown_cost_last_day", "Their cost is in no sum.", value=unknown)


register_check(queue_moves)
register_measure(queue_measures)
register_measure(row_measures)
