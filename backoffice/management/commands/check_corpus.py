"""Names every document of the evidence desk's corpus that cannot be used, one a line, for whoever edits the folder."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from backoffice.evidencedesk.corpus import load_corpus


class Command(BaseCommand):
    help = "Check the documents of the evidence desk: one line for each fault, exit status 1 where there is one."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", nargs="?", type=Path, help="default: the setting EVIDENCE_CORPUS")

    def handle(self, *_args: Any, **options: Any) -> None:
        corpus = load_corpus(options["folder"] or Path(settings.EVIDENCE_CORPUS))
        for fault in corpus.faults:
            self.stdout.write(str(fault))
        if corpus.faults:
            raise CommandError(f"Faults: {len(corpus.faults)}. Documents that can be used: {len(corpus.documents)}.")
        self.stdout.write(f"{len(corpus.documents)} documents, no fault.")
