"""Where to look and who to be, for somebody who tries the product out."""

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

NAME = PASSWORD = "demo"  # noqa: S105 - known to everybody, and refused outside development


class Command(BaseCommand):
    help = "Create the demo login of development mode, and print the addresses."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEBUG:
            raise CommandError("There is no demo login in production; use createsuperuser.")
        users = get_user_model().objects
        if not users.filter(username=NAME).exists():
            users.create_superuser(NAME, password=PASSWORD)
        root = f"http://127.0.0.1:{options['port']}"
        self.stdout.write(f"Admin:     {root}/admin/ (demo login: {NAME}, password {PASSWORD})")
        self.stdout.write(f"API:       {root}/api/docs/")
        self.stdout.write(f"Model:     {settings.LLM_MODEL} by the provider '{settings.LLM_PROVIDER}'")
