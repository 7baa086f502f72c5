"""Our row as every door has it: a run in the database, each outcome stored as it ends, under a lease."""

from dataclasses import dataclass

import ours  # noqa: F401 - it sets Django up
from contender import TASK, Work, run
from django.core.management import call_command

from backoffice.database import in_database
from backoffice.llm.client import model_config
from summarizer.models import RunState, Trigger
from summarizer.runs.execution import Stop, work
from summarizer.runs.queue import Origin, create_claimed_run


@dataclass(frozen=True, slots=True)
class Note:
    row_id: int
    text: str


async def start() -> Work:
    config, origin = model_config(), Origin(Trigger.API)

    async def stored(rows: int) -> None:
        notes = [Note(number, TASK["note"]) for number in range(1, rows + 1)]
        claim = await in_database(create_claimed_run, notes, origin, config)
        assert await work(claim, config, Stop()) is RunState.COMPLETED

    return stored


if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    run(start)
