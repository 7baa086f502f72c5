"""The notes of the night, and how far they are."""

from dataclasses import dataclass
from random import Random

from django.core.management import call_command
from django.db import DatabaseError, InterfaceError, connections

from backoffice.llm.client import model_config
from summarizer.models import Outcome, OutcomeState, Run, RunState, Trigger
from summarizer.runs.queue import Origin, create_runs, hash_of
from summarizer.schemas import NoteIn

CURRENCIES = ("EUR", "USD", "GBP", "CHF", "JPY")


@dataclass(frozen=True, slots=True)
class Progress:
    unfinished_runs: int
    ended_rows: int


def queue_notes(count: int, run_size: int, random: Random) -> dict[str, int]:
    """Fill a new database; row ids by the hash of the note."""
    call_command("migrate", verbosity=0)
    notes = [NoteIn(row_id=number, text=_text(number, random)) for number in range(1, count + 1)]
    for start in range(0, count, run_size):
        create_runs(notes[start : start + run_size], Origin(Trigger.COMMAND, source="torture"), model_config())
    return {hash_of(note.text): note.row_id for note in notes}


def _text(number: int, random: Random) -> str:
    """No two are alike; two in three have an amount, and so need two calls."""
    if random.random() < 1 / 3:
        return f"Delivery {number} arrived, with thanks to everybody in the warehouse."
    amount = f"{random.randrange(1, 10_000)}.{random.randrange(100):02}"
    return f"Invoice {number}: {amount} {random.choice(CURRENCIES)} for paper, to be paid by the end of the month."


def progress() -> Progress | None:
    """None while the database is away."""
    try:
        unfinished = Run.objects.exclude(state=RunState.COMPLETED).count()
        return Progress(unfinished, Outcome.objects.exclude(state=OutcomeState.PENDING).count())
    except (DatabaseError, InterfaceError):
        return None
    finally:
        connections.close_all()
