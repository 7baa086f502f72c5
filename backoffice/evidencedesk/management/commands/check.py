"""Django's `check`, which also reads the evidence desk's documents.

Django runs every registered check before most commands too. A document with a fault is left out, and no reason for
`migrate`, `purge` or the worker not to start; so the corpus is checked by whoever asks for a check, and by nobody else.
"""

from typing import Any

from django.core.checks.registry import registry
from django.core.management.commands import check

from backoffice.evidencedesk.system_checks import TAG, corpus_is_sound


class Command(check.Command):
    def handle(self, *app_labels: Any, **options: Any) -> None:
        registry.register(corpus_is_sound, TAG)
        try:
            super().handle(*app_labels, **options)
        finally:
            registry.registered_checks.discard(corpus_is_sound)
