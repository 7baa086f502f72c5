"""How long chats are kept."""

from collections.abc import Sequence
from datetime import datetime

from backoffice.audit.retention import Exchanges, Retained, register
from weatherbot.models import Chat, ChatQuerySet


def expired_chats(before: datetime) -> ChatQuerySet:
    return Chat.objects.filter(finished_at__lt=before)


def _exchanges_of(chats: Sequence[int]) -> ChatQuerySet:
    return Chat.objects.filter(pk__in=chats)


register(
    Retained(
        system="weatherbot",
        what="chats",
        expired=expired_chats,
        delete=ChatQuerySet.purge,
        exchanges=Exchanges(of=_exchanges_of),
    )
)
