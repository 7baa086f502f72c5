"""The columns an auditor asks for, a year later, of anything a model said."""

from django.db import models


class HistoryIsFinal(Exception):
    """Finished work is history: it can be read and, after its retention, purged, but neither edited nor deleted."""


class AuditedExchange(models.Model):
    """One piece of work done by model calls. Everything here is unknown (null or empty) until the work has ended."""

    failure = models.CharField(max_length=32, blank=True, default="")
    """A code of `FailureCode`; empty where nothing failed."""
    failure_detail = models.TextField(blank=True, default="")
    stop_reason = models.CharField(max_length=16, blank=True, default="")
    """The proof of completion: the stop reason of the call that gave the answer."""
    answered_by = models.CharField(max_length=200, blank=True, default="")
    """The model as the provider named it in its answer; the one asked for is the run's or the chat's."""
    exchange = models.JSONField(default=list, blank=True)
    """One object for each model call, in the shape `backoffice.llm.record` documents."""
    input_tokens = models.PositiveIntegerField(null=True, blank=True)
    cached_tokens = models.PositiveIntegerField(null=True, blank=True)
    output_tokens = models.PositiveIntegerField(null=True, blank=True)
    cost = models.DecimalField(max_digits=14, decimal_places=8, null=True, blank=True)
    """USD."""
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    duration_ms = models.PositiveIntegerField(null=True, blank=True)
    first_text_ms = models.PositiveIntegerField(null=True, blank=True)
    """From the start of the work to the first piece of text of the answer."""

    class Meta:
        abstract = True
