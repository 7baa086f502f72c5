"""Serves the scripted model on a port, for clients of any kind: docs/scripted-model.md says what can be asked of it."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backoffice.llm.scripted.server import Address
from backoffice.llm.scripted.serving import add_arguments, run_server


class Command(BaseCommand):
    help = "Serve the scripted model, a stand-in for an OpenAI-compatible provider, until interrupted."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_arguments(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            run_server(options, self._announce)
        except (OSError, ValueError) as error:
            raise CommandError(str(error)) from error

    def _announce(self, address: Address) -> None:
        """Flushed, for whoever started this as a child waits for the line."""
        self.stdout.write(f"Scripted model on {address.base_url}")
        self.stdout.flush()
