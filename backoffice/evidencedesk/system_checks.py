"""What `manage.py check` says of the corpus: every document that cannot be used, before a customer misses it."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core import checks

from backoffice.evidencedesk.corpus import load_corpus

TAG = "evidencedesk"
HINT = "Mend it; until then the evidence desk answers without it. `manage.py check_corpus` shows every fault."


def corpus_is_sound(**_: Any) -> list[checks.CheckMessage]:
    """Not registered when Django starts: see the command `check`."""
    corpus = load_corpus(Path(settings.EVIDENCE_CORPUS))
    return [checks.Error(str(fault), hint=HINT, id="evidencedesk.E001") for fault in corpus.faults]
