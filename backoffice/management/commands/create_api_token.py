"""A program's way in: a token for a user, printed once."""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser
from knox.models import AuthToken


class Command(BaseCommand):
    help = "Create an API token for a user; it is printed alone on the last line, and only this once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument(
            "--days",
            type=int,
            choices=range(1, 3651),
            metavar="DAYS",
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
