"""Answers: what was asked, what the model was shown and said, and what the checks made of it."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from backoffice.audit.models import AskedOf, AuditedExchange, WrittenOnce


class AnswerState(models.TextChoices):
    ANSWERED = "answered", _("Answered")
    WITHHELD = "withheld", _("Withheld or marked")
    FAILED = "failed", _("Failed")
    LEFT = "left", _("Client left")


class Channel(models.TextChoices):
    ANSWER = "answer", _("Answer, withheld where unsupported")
    STREAM = "stream", _("Stream, marked where unsupported")


class Answer(WrittenOnce, AskedOf, AuditedExchange):
    """One question and what came of it, written once, when it has ended."""

    state = models.CharField(max_length=16, choices=AnswerState.choices)
    channel = models.CharField(max_length=16, choices=Channel.choices)
    question = models.TextField()
    answer = models.TextField(null=True, blank=True)  # noqa: DJ001 - null is no answer, "" is an empty one
    """As the model gave it, shown to the client or not."""
    code = models.CharField(max_length=16, blank=True, default="")
    """What the checks found (`AnswerCode`); empty where there was nothing to check."""
    reasons = models.JSONField(default=list, blank=True)
    """Why it was withheld or marked: a list of `{"loc", "msg"}`."""
    status = models.CharField(max_length=16, blank=True, default="")
    """`answered` or `abstained`, in the model's own judgement."""
    confidence = models.CharField(max_length=16, blank=True, default="")
    cited_ids = models.JSONField(default=list, blank=True)
    citations = models.JSONField(default=list, blank=True)
    """What was shown as evidence: a list of `{"id", "title", "passage"}`."""
    documents = models.JSONField(default=list, blank=True)
    """What the model was shown, best first: a list of `{"id", "status", "title", "sha256"}`."""

    class Meta:
        verbose_name = _("answer")
        verbose_name_plural = _("answers")
        constraints = (
            models.CheckConstraint(condition=Q(state__in=AnswerState.values), name="answer_state_is_known"),
            models.CheckConstraint(
                condition=~Q(state=AnswerState.ANSWERED) | Q(answer__isnull=False, code="ok", failure=""),
                name="answered_answer_passed_the_checks",
            ),
            models.CheckConstraint(
                condition=~Q(state=AnswerState.WITHHELD) | (Q(answer__isnull=False) & ~Q(code__in=("", "ok"))),
                name="withheld_answer_has_a_code",
            ),
            models.CheckConstraint(
                condition=~Q(state=AnswerState.FAILED) | (Q(answer__isnull=True) & ~Q(failure="")),
                name="failed_answer_has_a_failure",
            ),
        )
        indexes = (
            models.Index(fields=("started_at",), name="answer_started"),
            models.Index(fields=("state", "started_at"), name="answer_state"),
        )

    def __str__(self) -> str:
        return gettext("Answer %(id)s") % {"id": self.pk}
