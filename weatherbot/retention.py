"""How long chats are kept."""

from collections.abc import Sequence
from datetime import datetime

from backoffice.audit.models import WrittenOnceQuerySet
from backoffice.audit.retention import Exchanges, Retained, register
from weatherbot.models import Chat


def expired_chats(before: datetime) -> WrittenOnceQuerySet:
    return Chat.objects.filter(finished_at__lt=before)


def _exchanges_of(chats: Sequence[int]) -> WrittenOnceQuerySet:
    return Chat.objects.filter(pk__in=chats)


register(
    Retained(
        system="weatherbot",
        what="chats",
        expired=expired_chats,
        delete=WrittenOnceQuerySet.purge,
        exchanges=Exchanges(of=_exchanges_of),
    )
)
