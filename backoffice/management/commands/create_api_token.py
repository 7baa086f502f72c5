"""A program's way in: a token for a user, printed once."""

from argparse import ArgumentTypeError
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser
from knox.models import AuthToken

LONGEST_DAYS = 3650


def _days(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= LONGEST_DAYS:
        raise ArgumentTypeError(f"it must be a whole number from 1 to {LONGEST_DAYS}, not {text!r}")
    return int(text)


class Command(BaseCommand):
    requires_system_checks = ()
    """A token needs no model."""

    help = "Create an API token for a user; it is printed alone on the last line, and only this once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument(
            "--days",
            type=_days,
            help="until it expires (default: the setting API_TOKEN_DAYS)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        users = get_user_model()
        try:
            user = users.objects.get_by_natural_key(options["username"])
        except users.DoesNotExist:
            raise CommandError(f"There is no user '{options['username']}'.") from None
        if not user.is_active:
            raise CommandError(f"User '{options['username']}' is not active, so a token would be refused.")
        days: int | None = options["days"]
        lifetime = timedelta(days=settings.API_TOKEN_DAYS if days is None else days)
        stored, token = AuthToken.objects.create(user, expiry=lifetime)
        self.stdout.write(f"Token for {options['username']}, valid until {stored.expiry:%Y-%m-%d %H:%M} UTC:")
        self.stdout.write(token)
