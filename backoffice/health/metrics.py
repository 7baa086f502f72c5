"""Metrics for Prometheus: what this process did is counted as it happens, what all of them did is asked of the
database at the moment of the scrape.

A job from cron ends before anybody could scrape it. Where PROMETHEUS_MULTIPROC_DIR names a directory that all
processes share, prometheus-client keeps the counts there, and any web process tells them all.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, InterfaceError
from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector

from backoffice.llm.client import price_of
from backoffice.llm.observing import EndedCall
from backoffice.llm.usage import cost

Measure = Callable[[], Iterable[Metric]]
"""A short visit to the database, by queries that an index serves."""

SECONDS = (0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 13, 20, 30, 60, 120)
ASKED = ("provider", "model")

CALL_SECONDS = Histogram(
    "backoffice_model_call_seconds",
    "From the request to the end of the stream, the SDK's retries included; code is ok, a failure code or left.",
    (*ASKED, "code"),
    buckets=SECONDS,
)
FIRST_TEXT_SECONDS = Histogram(
    "backoffice_model_first_text_seconds", "From the request to the first piece of text.", ASKED, buckets=SECONDS
)
TOKENS = Counter("backoffice_model_tokens", "Tokens as the provider counted them.", (*ASKED, "kind"))
COST = Counter("backoffice_model_cost_usd", "What calls of known tokens and price cost.", ASKED)
UNKNOWN_COST = Counter("backoffice_model_calls_of_unknown_cost", "Calls whose tokens or price are unknown.", ASKED)

_measures: list[Measure] = []


def make_shared_folder() -> None:
    """Where the processes count together. One that cannot be made is a line of `manage.py check`."""
    if settings.PROMETHEUS_MULTIPROC_DIR:
        with suppress(OSError):
            Path(settings.PROMETHEUS_MULTIPROC_DIR).mkdir(parents=True, exist_ok=True)


def register_measure(measure: Measure) -> None:
    _measures.append(measure)


def observe_call(call: EndedCall) -> None:
    completion, usage = call.completion, call.completion.usage
    CALL_SECONDS.labels(call.provider, call.model, call.code).observe(completion.duration)
    if completion.first_text is not None:
        FIRST_TEXT_SECONDS.labels(call.provider, call.model).observe(completion.first_text)
    TOKENS.labels(call.provider, call.model, "input").inc(usage.input_tokens or 0)
    TOKENS.labels(call.provider, call.model, "output").inc(usage.output_tokens or 0)
    spent = cost(usage, price_of(call.model))
    if spent is None:
        UNKNOWN_COST.labels(call.provider, call.model).inc()
    else:
        COST.labels(call.provider, call.model).inc(float(spent))


@dataclass(frozen=True, slots=True)
class Measured:
    """What the database said, in the shape of a registry."""

    families: list[Metric]

    def collect(self) -> Iterable[Metric]:
        return self.families


def measured() -> Measured:
    """Ask the database. Where it does not answer, that is the measurement."""
    try:
        families = [family for measure in _measures for family in measure()]
    except (DatabaseError, InterfaceError):
        families = []
        answers = 0
    else:
        answers = 1
    up = GaugeMetricFamily("backoffice_database_up", "Whether the database answered this scrape.", value=answers)
    return Measured([up, *families])


def exposition(measured: Measured) -> bytes:
    """All metrics in Prometheus' text format."""
    return generate_latest(_counted()) + generate_latest(measured)


def _counted() -> CollectorRegistry:
    if not settings.PROMETHEUS_MULTIPROC_DIR:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return registry
