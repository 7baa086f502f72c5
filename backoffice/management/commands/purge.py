"""Retention of personal data, for cron: docs/operations.md says what goes and what stays."""

from argparse import ArgumentTypeError
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from backoffice.audit.retention import Purged, Retained, expired, purge, registered, unfinished

MOST_DAYS = 36_500


def days(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_DAYS:
        raise ArgumentTypeError(f"it must be a whole number of days from 1 to {MOST_DAYS}, not {text!r}")
    return int(text)


class Command(BaseCommand):
    help = (
        "Delete notes, messages, questions and answers after the retention period; daily sums of rows, tokens and cost "
        "stay. What is not finished is never touched."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=days, help="how long to keep (default: the setting RETENTION_DAYS)")
        parser.add_argument("--dry-run", action="store_true", help="say what would be deleted; delete nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        kept_days = options["days"] or settings.RETENTION_DAYS
        if kept_days < 1:
            raise CommandError(f"RETENTION_DAYS is {kept_days}; it must be at least 1, or nothing would be left.")
        before = timezone.now() - timedelta(days=kept_days)
        act, done = (expired, "would be deleted") if options["dry_run"] else (purge, "deleted")
        self.stdout.write(f"What ended before {before:%Y-%m-%d %H:%M} UTC ({kept_days} days ago):")
        for retained in registered():
            self.stdout.write(f"  {_line(retained, act(retained, before), done)}")
            if stay := unfinished(retained, before):
                self.stdout.write(f"  {stay} {retained.what} as old are not finished, and stay.")


def _line(retained: Retained, purged: Purged, done: str) -> str:
    counted = f" with {purged.exchanges} rows" if purged.exchanges else ""
    return f"{retained.system}: {purged.records} {retained.what}{counted} {done}."
