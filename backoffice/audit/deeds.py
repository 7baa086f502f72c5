"""What people did, as it stands in Django's log: plain English sentences, told in the reader's language.

A sentence is stored in English, so that the log reads without this program, and is known by its pattern when it is
shown. Apps say by `know` which sentences theirs are; what nobody knows is shown as it stands.
"""

import re
from collections.abc import Iterable

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_noop as _

_PATTERNS: dict[str, re.Pattern[str]] = {}
_COUNTS = re.compile(r"(?:[\d,.]+) (?:row|run)s?")
_DIGEST = re.compile(r"[0-9a-f]{128} : (?P<user>.+)")

TOKEN = _("API token of %(user)s")
TOKEN_BY_NAME = _("API token %(key)s… of %(user)s")


def know(*sentences: str) -> None:
    """`sentences`: as `gettext` knows them, with placeholders such as `%(run)s`."""
    for sentence in sentences:
        parts = re.split(r"%\((\w+)\)s", sentence)
        pattern = "".join(_gap(part) if odd % 2 else re.escape(part) for odd, part in enumerate(parts))
        _PATTERNS[sentence] = re.compile(pattern, re.DOTALL)


REVOKED = _("Revoked the token.")


def _gap(name: str) -> str:
    """What stands for a placeholder: a count in words, a number, or whatever somebody wrote."""
    if name in ("rows", "runs"):
        return rf"(?P<{name}>{_COUNTS.pattern})"
    return rf"(?P<{name}>\d+)" if name in ("row", "run", "of", "id") else f"(?P<{name}>.+)"


def record(user: User, what: str, *objects: Model) -> None:
    """Into Django's log: who did what to which objects. A proxy stands there as what it stands for."""
    record_each(user, ((what, about) for about in objects))


def record_each(user: User, done: Iterable[tuple[str, Model]]) -> None:
    """As `record`, with a sentence for each object, however many there are."""
    LogEntry.objects.bulk_create(
        LogEntry(
            user=user,
            content_type=ContentType.objects.get_for_model(about),
            object_id=str(about.pk),
            object_repr=str(about)[:200],
            action_flag=CHANGE,
            change_message=what,
        )
        for what, about in done
    )


def told(text: str) -> str:
    """A stored sentence in the reader's language."""
    for sentence, pattern in _PATTERNS.items():
        if found := pattern.fullmatch(text):
            return gettext(sentence) % {name: _value(name, value) for name, value in found.groupdict().items()}
    return text


def _value(name: str, value: str) -> str:
    """Counts are told in words; what a person wrote stays as they wrote it."""
    if name not in ("rows", "runs"):
        return value
    count = int(re.sub(r"\D", "", value))
    shown = {"count": number_format(count, force_grouping=True)}
    if "row" in value:
        return ngettext("%(count)s row", "%(count)s rows", count) % shown
    return ngettext("%(count)s run", "%(count)s runs", count) % shown


def deed_of(entry: LogEntry) -> str:
    """What was done."""
    return told(entry.get_change_message()) or entry.get_action_flag_display()


def object_of(entry: LogEntry) -> str:
    """What it was done to. The log of former versions names a token by its hash, which tells nobody anything."""
    if found := _DIGEST.fullmatch(entry.object_repr):
        return gettext(TOKEN) % {"user": found["user"]}
    return told(entry.object_repr)


def with_words(entries: Iterable[LogEntry]) -> list[LogEntry]:
    """The same entries, to be shown: nothing is stored."""
    shown = list(entries)
    for entry in shown:
        entry.change_message = deed_of(entry)
    return shown


know(TOKEN_BY_NAME, REVOKED)
