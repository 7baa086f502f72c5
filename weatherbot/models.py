"""Chats: what customers asked, what they were answered, and everything that was said to and by the model meanwhile."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from backoffice.audit.models import AskedOf, AuditedExchange, WrittenOnce


class ChatState(models.TextChoices):
    ANSWERED = "answered", _("Answered")
    FAILED = "failed", _("Failed")
    LEFT = "left", _("Customer left")


class Chat(WrittenOnce, AskedOf, AuditedExchange):
    """One message and what came of it, written once, when the chat has ended."""

    state = models.CharField(max_length=16, choices=ChatState.choices)
    message = models.TextField()
    answer = models.TextField(null=True, blank=True)  # noqa: DJ001 - null is no answer, "" is an empty one
    rounds = models.PositiveSmallIntegerField()
    """Model calls made."""
    weather_backend = models.CharField(max_length=32)

    class Meta:
        verbose_name = _("weather chat")
        verbose_name_plural = _("weather chats")
        constraints = (
            models.CheckConstraint(condition=Q(state__in=ChatState.values), name="chat_state_is_known"),
            models.CheckConstraint(
                condition=~Q(state=ChatState.ANSWERED) | Q(answer__isnull=False, failure=""),
                name="answered_chat_has_an_answer",
            ),
            models.CheckConstraint(
                condition=~Q(state=ChatState.FAILED) | (Q(answer__isnull=True) & ~Q(failure="")),
                name="failed_chat_has_a_failure",
            ),
        )
        indexes = (
            models.Index(fields=("started_at",), name="chat_started"),
            models.Index(fields=("finished_at",), name="chat_finished"),
            models.Index(fields=("failure", "started_at"), name="chat_failure"),
        )

    def __str__(self) -> str:
        return f"Chat {self.pk}"
