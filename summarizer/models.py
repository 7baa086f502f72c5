"""Runs and outcomes: what was asked of the summarizer, and the one place where each row ended.

The state of a run or an outcome is moved by `summarizer.runs` alone, by conditional updates; what is finished is final.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from backoffice.audit.models import AuditedExchange, HistoryIsFinal
from backoffice.llm.failures import UNMENDABLE


class RunState(models.TextChoices):
    QUEUED = "queued", _("Queued")
    RUNNING = "running", _("Running")
    COMPLETED = "completed", _("Completed")
    INTERRUPTED = "interrupted", _("Interrupted")
    CANCELLED = "cancelled", _("Cancelled")


class Trigger(models.TextChoices):
    API = "api", _("API")
    ADMIN = "admin", _("Admin")
    COMMAND = "command", _("Nightly job")
    REQUEUE = "requeue", _("Re-queue")


class OutcomeState(models.TextChoices):
    PENDING = "pending", _("Pending")
    SUMMARISED = "summarised", _("Summarised")
    FAILED = "failed", _("Failed")
    WITHDRAWN = "withdrawn", _("Withdrawn")


FINISHED_RUN = (RunState.COMPLETED, RunState.CANCELLED)


def _one_of(choices: type[models.TextChoices], name: str) -> models.CheckConstraint:
    return models.CheckConstraint(condition=Q(state__in=choices.values), name=name)


class RunQuerySet(models.QuerySet["Run"]):
    def update(self, **values: Any) -> int:
        """A finished run is final: it is never among the rows updated."""
        return super(RunQuerySet, self.exclude(state__in=FINISHED_RUN)).update(**values)

    def delete(self) -> tuple[int, dict[str, int]]:
        raise HistoryIsFinal("Runs are history; only retention (purge) removes them.")

    def purge(self) -> tuple[int, dict[str, int]]:
        return super().delete()

    def stalled(self, now: datetime) -> Self:
        """Running by their state, but nobody renewed the lease: their worker is gone."""
        return self.filter(state=RunState.RUNNING, lease_until__lt=now)

    def claimable(self, now: datetime) -> Self:
        waiting = Q(state__in=(RunState.QUEUED, RunState.INTERRUPTED))
        return self.filter(waiting | Q(state=RunState.RUNNING, lease_until__lt=now), cancel_requested_at=None)

    def held(self, now: datetime) -> Self:
        """Being worked on, or left by a worker so lately that its lease has not run out."""
        return self.filter(state=RunState.RUNNING, lease_until__gte=now)

    def visible_to(self, user: Any) -> Self:
        return self if user.has_perm("summarizer.view_all_runs") else self.filter(created_by=user)


class Run(models.Model):
    """One batch of up to 50 rows, worked on by at most one owner at a time."""

    state = models.CharField(max_length=16, choices=RunState.choices, default=RunState.QUEUED)
    trigger = models.CharField(max_length=16, choices=Trigger.choices)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="runs"
    )
    source = models.CharField(max_length=200, blank=True, default="")
    """Where the rows came from, for people: a file's name, the run they were re-queued from."""
    provider = models.CharField(max_length=32)
    model = models.CharField(max_length=100)
    """The pinned snapshot asked for."""
    prompt_version = models.CharField(max_length=32)
    prompt = models.TextField()
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    owner = models.CharField(max_length=64, blank=True, default="")
    """Who holds the lease: a token made anew for every claim."""
    lease_until = models.DateTimeField(null=True, blank=True)
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    idempotency_key = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001 - null is no key
    body_hash = models.CharField(max_length=64, blank=True, default="")

    objects = RunQuerySet.as_manager()

    class Meta:
        constraints = (
            _one_of(RunState, "run_state_is_known"),
            models.CheckConstraint(
                condition=~Q(state=RunState.RUNNING) | (Q(lease_until__isnull=False) & ~Q(owner="")),
                name="running_run_has_a_lease",
            ),
            models.UniqueConstraint(fields=("created_by", "idempotency_key"), name="one_run_for_each_idempotency_key"),
        )
        indexes = (
            models.Index(fields=("state", "id"), name="run_state"),
            models.Index(fields=("created_at",), name="run_created"),
        )
        permissions = (
            ("view_all_runs", "Can view the runs of all users"),
            ("operate_run", "Can start, cancel and re-queue runs"),
        )

    def __str__(self) -> str:
        return f"Run {self.pk}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise HistoryIsFinal("A run is moved by summarizer.runs, never saved over.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise HistoryIsFinal("Runs are history; only retention (purge) removes them.")

    @property
    def is_scripted(self) -> bool:
        return self.provider == "scripted"

    @property
    def is_claimable(self) -> bool:
        """As `RunQuerySet.claimable` has it, for a run at hand."""
        if self.cancel_requested_at is not None:
            return False
        if self.state == RunState.RUNNING:
            return self.lease_until is not None and self.lease_until < timezone.now()
        return self.state in (RunState.QUEUED, RunState.INTERRUPTED)


class OutcomeQuerySet(models.QuerySet["Outcome"]):
    def update(self, **values: Any) -> int:
        """A finished outcome is final: only pending ones are ever among the rows updated."""
        return super(OutcomeQuerySet, self.filter(state=OutcomeState.PENDING)).update(**values)

    def delete(self) -> tuple[int, dict[str, int]]:
        raise HistoryIsFinal("Outcomes are history; only retention (purge) removes them.")

    def purge(self) -> tuple[int, dict[str, int]]:
        return super().delete()

    def pending(self) -> Self:
        return self.filter(state=OutcomeState.PENDING)

    def requeueable(self, failures: Collection[str] | None = None) -> Self:
        """Failed rows that have no next attempt, or only one that was withdrawn."""
        has_next = Outcome.objects.filter(requeued_from=models.OuterRef("pk")).exclude(state=OutcomeState.WITHDRAWN)
        rows = self.filter(~models.Exists(has_next), state=OutcomeState.FAILED)
        return rows if failures is None else rows.filter(failure__in=failures)

    def mendable(self) -> Self:
        return self.exclude(failure__in=UNMENDABLE)


class Outcome(AuditedExchange):
    """One row of a run: the note, and what became of it."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="outcomes")
    position = models.PositiveSmallIntegerField()
    row_id = models.PositiveIntegerField()
    text = models.TextField()
    text_hash = models.CharField(max_length=64)
    """SHA-256 of the text, hexadecimal."""
    state = models.CharField(max_length=16, choices=OutcomeState.choices, default=OutcomeState.PENDING)
    summary = models.TextField(null=True, blank=True)  # noqa: DJ001 - null is no summary, "" is an empty one
    warnings = models.JSONField(default=list, blank=True)
    attempt = models.PositiveSmallIntegerField(default=1)
    requeued_from = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="next_attempts"
    )

    objects = OutcomeQuerySet.as_manager()

    class Meta:
        ordering = ("run_id", "position")
        constraints = (
            _one_of(OutcomeState, "outcome_state_is_known"),
            models.UniqueConstraint(fields=("run", "position"), name="one_outcome_for_each_position"),
            models.UniqueConstraint(fields=("run", "row_id"), name="one_outcome_for_each_row"),
            models.UniqueConstraint(
                fields=("requeued_from",), condition=~Q(state=OutcomeState.WITHDRAWN), name="one_next_attempt"
            ),
            models.CheckConstraint(
                condition=~Q(state=OutcomeState.SUMMARISED) | Q(summary__isnull=False, failure=""),
                name="summarised_outcome_has_a_summary",
            ),
            models.CheckConstraint(
                condition=~Q(state=OutcomeState.FAILED) | (Q(summary__isnull=True) & ~Q(failure="")),
                name="failed_outcome_has_a_failure",
            ),
        )
        indexes = (
            models.Index(fields=("state", "finished_at"), name="outcome_state"),
            models.Index(fields=("text_hash",), name="outcome_text"),
        )

    def __str__(self) -> str:
        return f"Row {self.row_id} of run {self.run_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise HistoryIsFinal("An outcome is ended by summarizer.runs, never saved over.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise HistoryIsFinal("Outcomes are history; only retention (purge) removes them.")
