"""Another model tried on past notes, before it is pinned. docs/operations.md says how to read the result."""

import re
import sys
from argparse import ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from backoffice.llm.client import ModelConfig, run_to_end
from backoffice.management.configured import configured_model
from summarizer.management.commands.summarise_batch import at_least_one, database_needed, refuse_empty
from summarizer.rehearsal import Rehearsing, last_notes, most_it_costs, notes_of, with_model
from summarizer.rehearsal_report import rehearsal_as_json, rehearsal_lines
from summarizer.reporting import Screen, say_last

DEFAULT_NOTES = 50
_PART = re.compile(r"\s*([0-9]{1,15})\s*(?:-\s*([0-9]{1,15})\s*)?")


def runs(text: str) -> list[range]:
    """`3-7,9`."""
    chosen = [_PART.fullmatch(part) for part in text.split(",")]
    if None in chosen:
        raise ArgumentTypeError(f"it must be runs such as 3-7,9, not {text!r}")
    return [range(int(part[1]), int(part[2] or part[1]) + 1) for part in chosen if part]


class Command(BaseCommand):
    help = (
        "Summarise past notes again with another model, store nothing, and say what changed: changed amounts first. "
        "Exit status: 0 nothing but wording changed, 3 amounts or endings changed, 1 could not run, 2 wrong usage, "
        "128+n ended by signal n."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--model", required=True, help="the snapshot to try")
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--runs", type=runs, metavar="3-7,9", help="the notes of these runs")
        which.add_argument("--last", type=at_least_one, default=DEFAULT_NOTES, help="so many of the latest notes (50)")
        parser.add_argument("--concurrency", type=at_least_one, default=4, help="notes side by side (default 4)")
        parser.add_argument("--json", action="store_true", help="the last line of stdout is one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        config = _config(options["model"])
        screen = Screen(sys.stderr if options["json"] else options.get("stdout") or sys.stdout)
        with database_needed():
            notes = notes_of(options["runs"]) if options["runs"] else last_notes(options["last"])
        if not notes:
            raise CommandError("There is no note to rehearse: no row of these runs has ended.")
        most = most_it_costs(notes, config.model)
        bound = "a cost that is unknown" if most is None else f"{most:.6f} USD at the most"
        screen.say(f"{len(notes)} notes are summarised with {config.model}, for {bound}.")
        rehearsing = Rehearsing(notes, config, options["concurrency"], screen.row_ended)
        with screen.watching(len(notes)):
            rehearsal, status = run_to_end(rehearsing.work())
        for line in rehearsal_lines(rehearsal):
            screen.say(line)
        if options["json"]:
            say_last(options.get("stdout") or sys.stdout, rehearsal_as_json(rehearsal, status))
        if status:
            sys.exit(status)


def _config(model: str) -> ModelConfig:
    refuse_empty("--model", model)
    return with_model(configured_model(), model)
