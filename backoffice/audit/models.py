"""The columns an auditor asks for, a year later, of anything a model said."""

from decimal import Decimal
from typing import Any, TypeVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class HistoryIsFinal(Exception):
    """Finished work is history: it can be read and, after its retention, purged, but neither edited nor deleted."""


FINAL = "This is history; only retention (purge) removes it."


M = TypeVar("M", bound=models.Model)


class NotOverwritingQuerySet(models.QuerySet[M]):
    def bulk_create(self, *args: Any, update_conflicts: bool = False, **kwargs: Any) -> list[M]:
        """New rows alone: an upsert would write over what is finished."""
        if update_conflicts:
            raise HistoryIsFinal(FINAL)
        return super().bulk_create(*args, **kwargs)


class WrittenOnceQuerySet(NotOverwritingQuerySet[Any]):
    def update(self, **values: Any) -> int:
        raise HistoryIsFinal(FINAL)

    def delete(self) -> tuple[int, dict[str, int]]:
        raise HistoryIsFinal(FINAL)

    def purge(self) -> tuple[int, dict[str, int]]:
        return super().delete()


class WrittenOnce(models.Model):
    """A row that is written when its work has ended, and is final from then on."""

    objects = WrittenOnceQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise HistoryIsFinal(FINAL)
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise HistoryIsFinal(FINAL)


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


class AskedOf(models.Model):
    """Whom the work was asked of, and with which words: settled before it begins."""

    provider = models.CharField(max_length=32)
    model = models.CharField(max_length=100)
    """The pinned snapshot asked for."""
    prompt_version = models.CharField(max_length=32)
    prompt = models.TextField()

    class Meta:
        abstract = True


class DailyAggregate(models.Model):
    """What purged exchanges add up to, for each day on which they ended: no personal data, kept for good."""

    system = models.CharField(max_length=32)
    """The app whose exchanges they were."""
    day = models.DateField()
    provider = models.CharField(max_length=32)
    model = models.CharField(max_length=100)
    """The pinned snapshot asked for."""
    state = models.CharField(max_length=16)
    failure = models.CharField(max_length=32, blank=True, default="")
    rows = models.PositiveBigIntegerField(default=0)
    input_tokens = models.PositiveBigIntegerField(default=0)
    output_tokens = models.PositiveBigIntegerField(default=0)
    cost = models.DecimalField(max_digits=20, decimal_places=8, default=Decimal(0))
    """USD."""
    rows_of_unknown_tokens = models.PositiveBigIntegerField(default=0)
    """Their tokens are in no sum, or only in part."""
    rows_of_unknown_cost = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name = _("kept total")
        verbose_name_plural = _("kept totals")
        default_permissions = ("view",)
        ordering = ("-day", "system")
        constraints = (
            models.UniqueConstraint(
                fields=("system", "day", "provider", "model", "state", "failure"), name="one_aggregate_for_each_day"
            ),
        )

    def __str__(self) -> str:
        return f"{self.system}, {self.day}: {self.rows} {self.failure or self.state}"
