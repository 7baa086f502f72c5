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

from backoffice.audit.models import AskedOf, AuditedExchange, HistoryIsFinal, NotOverwritingQuerySet, WrittenOnce
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
WAITING_RUN = (RunState.QUEUED, RunState.INTERRUPTED)
ENDED_ROW = (OutcomeState.SUMMARISED, OutcomeState.FAILED)
"""Of the rows that were asked, the ones that ended; a withdrawn row never was."""
NEVER_BEGUN = Q(state=OutcomeState.WITHDRAWN, requeued_from=None)
"""Withdrawn with its run. A next attempt that was withdrawn is none: the row it was made for is queued again."""


def stalled(now: datetime) -> Q:
    """Running by its state, but nobody renewed the lease: its worker is gone."""
    return Q(state=RunState.RUNNING, lease_until__lt=now)


def held(now: datetime) -> Q:
    """Being worked on, or left by a worker so lately that its lease has not run out."""
    return Q(state=RunState.RUNNING, lease_until__gte=now)


def _one_of(choices: type[models.TextChoices], name: str) -> models.CheckConstraint:
    return models.CheckConstraint(condition=Q(state__in=choices.values), name=name)


class RunQuerySet(NotOverwritingQuerySet["Run"]):
    def update(self, **values: Any) -> int:
        """A finished run is final: it is never among the rows updated."""
        return super(RunQuerySet, self.exclude(state__in=FINISHED_RUN)).update(**values)

    def delete(self) -> tuple[int, dict[str, int]]:
        raise HistoryIsFinal("Runs are history; only retention (purge) removes them.")

    def purge(self) -> tuple[int, dict[str, int]]:
        return super().delete()

    def stalled(self, now: datetime) -> Self:
        return self.filter(stalled(now))

    def held(self, now: datetime) -> Self:
        return self.filter(held(now))

    def idle(self, now: datetime) -> Self:
        """Not ended, and nobody works on them."""
        return self.filter(Q(state__in=WAITING_RUN) | stalled(now))

    def claimable(self, now: datetime) -> Self:
        return self.idle(now).filter(cancel_requested_at=None)

    def visible_to(self, user: Any) -> Self:
        return self if user.has_perm("summarizer.view_all_runs") else self.filter(created_by=user)


class Run(AskedOf):
    """One batch of up to 50 rows, worked on by at most one owner at a time."""

    state = models.CharField(max_length=16, choices=RunState.choices, default=RunState.QUEUED)
    trigger = models.CharField(max_length=16, choices=Trigger.choices)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="runs"
    )
    source = models.CharField(max_length=200, blank=True, default="")
    """Where the rows came from, for people: a file's name, the run they were re-queued from."""
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    owner = models.CharField(max_length=64, blank=True, default="")
    """Who holds the lease: a token made anew for every claim."""
    lease_until = models.DateTimeField(null=True, blank=True)
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    start_requested_at = models.DateTimeField(null=True, blank=True)
    """When somebody handed the run to the background worker; null again as soon as one has taken it."""
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
        verbose_name = _("run")
        verbose_name_plural = _("runs")
        permissions = (
            ("view_all_runs", "Can view the runs of all users"),
            ("operate_run", "Can start, cancel and re-queue runs"),
        )

    def __str__(self) -> str:
        return f"Run {self.pk}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise HistoryIsFinal("A run is moved by summarizer.runs, never saved over.")
        super().save(*args, **kwargs | {"force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise HistoryIsFinal("Runs are history; only retention (purge) removes them.")

    @property
    def is_stalled(self) -> bool:
        """As `stalled` has it, for a run at hand."""
        return self.state == RunState.RUNNING and self.lease_until is not None and self.lease_until < timezone.now()

    @property
    def is_finished(self) -> bool:
        return self.state in FINISHED_RUN

    @property
    def is_going_on(self) -> bool:
        """Worked on, or handed to the worker: what is shown of it may change at any moment."""
        if self.is_finished:
            return False
        return self.start_requested_at is not None or (self.state == RunState.RUNNING and not self.is_stalled)

    @property
    def is_scripted(self) -> bool:
        return self.provider == "scripted"

    @property
    def is_claimable(self) -> bool:
        """As `RunQuerySet.claimable` has it, for a run at hand."""
        if self.cancel_requested_at is not None:
            return False
        return self.is_stalled or self.state in WAITING_RUN


class OutcomeQuerySet(NotOverwritingQuerySet["Outcome"]):
    def update(self, **values: Any) -> int:
        """A finished outcome is final: only pending ones are ever among the rows updated."""
        return super(OutcomeQuerySet, self.filter(state=OutcomeState.PENDING)).update(**values)

    def delete(self) -> tuple[int, dict[str, int]]:
        raise HistoryIsFinal("Outcomes are history; only retention (purge) removes them.")

    def purge(self) -> tuple[int, dict[str, int]]:
        return super().delete()

    def pending(self) -> Self:
        return self.filter(state=OutcomeState.PENDING)

    def with_next_attempt(self) -> Self:
        """Rows that have a next attempt which was not withdrawn."""
        return self.filter(_has_next_attempt())

    def without_next_attempt(self) -> Self:
        """Rows that have no next attempt, or only one that was withdrawn."""
        return self.filter(~_has_next_attempt())

    def wanting(self) -> Self:
        """Rows that want another attempt and have none: failed, or withdrawn with their run before they began."""
        return self.without_next_attempt().filter(Q(state=OutcomeState.FAILED) | NEVER_BEGUN)

    def repeatable(self) -> Self:
        """Rows that may be queued once more: they want another attempt, or were warned of, and have none."""
        rows = Q(state=OutcomeState.FAILED) | Q(warned=True) | NEVER_BEGUN
        return self.without_next_attempt().filter(rows)

    def requeueable(self, failures: Collection[str] | None = None) -> Self:
        """Failed rows that have no next attempt, or only one that was withdrawn."""
        rows = self.without_next_attempt().filter(state=OutcomeState.FAILED)
        return rows if failures is None else rows.filter(failure__in=failures)

    def to_review(self) -> Self:
        """Rows with a warning that nobody has accepted and that are not asked again."""
        accepted = Review.objects.filter(outcome=models.OuterRef("pk"), decision=Decision.ACCEPTED)
        return self.filter(~models.Exists(accepted), warned=True).without_next_attempt()

    def visible_to(self, user: Any) -> Self:
        return self if user.has_perm("summarizer.view_all_runs") else self.filter(run__created_by=user)

    def mendable(self) -> Self:
        return self.exclude(failure__in=UNMENDABLE)


def _has_next_attempt() -> models.Exists:
    attempts = Outcome.objects.filter(requeued_from=models.OuterRef("pk"))
    return models.Exists(attempts.exclude(state=OutcomeState.WITHDRAWN))


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
    warned = models.BooleanField(default=False)
    """Whether there are warnings, for an index to find."""
    attempt = models.PositiveSmallIntegerField(default=1)
    requeued_from = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="next_attempts", db_index=False
    )

    objects = OutcomeQuerySet.as_manager()

    class Meta:
        verbose_name = _("row")
        verbose_name_plural = _("rows")
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
            models.Index(fields=("finished_at",), name="outcome_warned", condition=Q(warned=True)),
            # Without the many rows that are no next attempt: counted in, they make SQLite think the index useless.
            models.Index(
                fields=("requeued_from",), name="outcome_requeued_from", condition=Q(requeued_from__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return f"Row {self.row_id} of run {self.run_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise HistoryIsFinal("An outcome is ended by summarizer.runs, never saved over.")
        super().save(*args, **kwargs | {"force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise HistoryIsFinal("Outcomes are history; only retention (purge) removes them.")

    @property
    def was_never_begun(self) -> bool:
        """As `NEVER_BEGUN` has it, for a row at hand."""
        return self.state == OutcomeState.WITHDRAWN and self.requeued_from_id is None


class FailedRow(Outcome):
    """Failed outcomes, for a list of their own."""

    class Meta:
        proxy = True
        default_permissions = ()
        verbose_name = _("failed row")
        verbose_name_plural = _("failed rows")


class RowToReview(Outcome):
    """Outcomes with warnings, for a list of their own."""

    class Meta:
        proxy = True
        default_permissions = ()
        verbose_name = _("row to review")
        verbose_name_plural = _("rows to review")


class Decision(models.TextChoices):
    ACCEPTED = "accepted", _("Accepted")
    REQUEUED = "requeued", _("Re-queued")


class Review(WrittenOnce):
    """What a person decided about a summary with warnings, and why."""

    outcome = models.ForeignKey(Outcome, on_delete=models.CASCADE, related_name="reviews")
    decision = models.CharField(max_length=16, choices=Decision.choices)
    reason = models.CharField(max_length=500)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("created_at",)
        constraints = (
            models.UniqueConstraint(
                fields=("outcome",), condition=Q(decision=Decision.ACCEPTED), name="accepted_at_most_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.outcome}: {self.decision}"

    @property
    def is_final(self) -> bool:
        return self.decision == Decision.ACCEPTED


class ImportDraftQuerySet(models.QuerySet["ImportDraft"]):
    def open(self) -> Self:
        """Neither queued nor given up."""
        return self.filter(queued_at=None, discarded_at=None)

    def queued(self) -> Self:
        return self.filter(queued_at__isnull=False)

    def discarded(self) -> Self:
        return self.filter(discarded_at__isnull=False)


class ImportDraft(models.Model):
    """Notes that somebody has uploaded and not yet queued. Once they are queued, or given up, it is empty."""

    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    name = models.CharField(max_length=200)
    """The file's name, or words for pasted text."""
    note_format = models.CharField(max_length=8)
    file = models.BinaryField()
    """As it was uploaded, to be read anew when other columns are chosen."""
    reading = models.JSONField(default=dict)
    """What was read of it, in the shape of `summarizer.drafts`."""
    good_rows = models.PositiveIntegerField(default=0)
    bad_rows = models.PositiveIntegerField(default=0)
    queued_at = models.DateTimeField(null=True, blank=True)
    runs = models.JSONField(default=list)
    """The ids of the runs it was queued as; empty for those queued before this was kept."""
    discarded_at = models.DateTimeField(null=True, blank=True)

    objects = ImportDraftQuerySet.as_manager()

    class Meta:
        default_permissions = ("add", "change", "view")
        verbose_name = _("import of notes")
        verbose_name_plural = _("imports of notes")

    def __str__(self) -> str:
        return self.name

    @property
    def is_open(self) -> bool:
        """As `ImportDraftQuerySet.open` has it, for a draft at hand."""
        return self.queued_at is None and self.discarded_at is None
