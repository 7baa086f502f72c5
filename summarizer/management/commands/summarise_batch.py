"""The nightly job. docs/operations.md says how to run it from cron and what its exit statuses mean."""

import sys
from argparse import ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from django.core.checks import Tags
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, InterfaceError, OperationalError

from backoffice.checks import LLM
from backoffice.database import patiently
from backoffice.llm.client import ModelConfig, run_to_end
from backoffice.management.configured import configured_model
from summarizer.delivery import deliver
from summarizer.importing import NoteFormat, Notes, UnreadableFile, read_notes
from summarizer.nightly import SUCCEEDED, Order, Prepared, prepare, work_off
from summarizer.reporting import Screen, as_json, say_last
from summarizer.runs.budget import Budget, PriceUnknown, budget_for
from summarizer.runs.execution import Stop
from summarizer.runs.job import MAX_ATTEMPTS, Job, JobReport


def at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"it must be a whole number of at least 1, not {text!r}")
    return int(text)


def usd(text: str) -> Decimal:
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal(-1)
    if not amount.is_finite() or amount < 0:
        raise ArgumentTypeError(f"it must be an amount in USD such as 2.50, not {text!r}")
    return amount


class Command(BaseCommand):
    help = (
        "Work off every queued and every abandoned run of invoice notes; with --input, queue new notes first. "
        "Exit status: 0 all rows summarised or nothing to do, 1 could not run, 2 wrong usage, 3 some rows failed, "
        "4 stopped early with work left, 128+n ended by signal n."
    )

    requires_system_checks = (Tags.models, LLM)
    """The job does not depend on what the other systems need, such as the evidence desk's documents."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--input", metavar="FILE", help="new notes (CSV, JSON, JSON Lines, XLSX); - is stdin")
        parser.add_argument("--format", choices=[*NoteFormat], help="where the file's name does not tell")
        parser.add_argument("--skip-known", action="store_true", help="leave out notes that were summarised before")
        parser.add_argument("--requeue-failed", action="store_true", help="queue rows that failed before once more")
        parser.add_argument(
            "--max-attempts", type=at_least_one, default=MAX_ATTEMPTS, help="of a re-queued row (default 3)"
        )
        parser.add_argument("--concurrency", type=at_least_one, default=4, help="runs side by side (default 4)")
        parser.add_argument("--max-cost", type=usd, help="start no run that could pass so many USD in this job")
        parser.add_argument("--wait", action="store_true", help="wait for runs that another worker holds")
        parser.add_argument("--dry-run", action="store_true", help="say what would be done; store and call nothing")
        parser.add_argument("--show-rows", action="store_true", help="print every outcome of the new notes at the end")
        parser.add_argument("--json", action="store_true", help="the last line of stdout is one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        screen = Screen(sys.stderr if options["json"] else options.get("stdout") or sys.stdout)
        config = configured_model()
        budget = _budget(options["max_cost"], config)
        read = _read(options["input"], options["format"])
        if read:
            screen.was_read(read.layout)
        prepared = _prepared(_order(read, options), config)
        screen.prepared(prepared, dry_run=options["dry_run"])
        if options["dry_run"]:
            self._as_json(JobReport(), prepared, SUCCEEDED, options)
            return
        job = Job(config, Stop(), options["concurrency"], options["wait"], screen, budget)
        with screen.watching(prepared.waiting):
            report, status = work_off(job)
        if options["show_rows"]:
            _show_rows(screen, prepared)
        screen.report(report)
        self._as_json(report, prepared, status, options)
        deliver(report, status)
        if status:
            sys.exit(status)

    def _as_json(self, report: JobReport, prepared: Prepared, status: int, options: dict[str, Any]) -> None:
        if options["json"]:
            line = as_json(report, known=list(prepared.known), exit_status=status)
            say_last(options.get("stdout") or sys.stdout, line)


def _show_rows(screen: Screen, prepared: Prepared) -> None:
    """Over a connection of its own: this one may be as old as the night."""
    try:
        run_to_end(patiently(screen.outcomes, prepared.runs))
    except (OperationalError, InterfaceError):
        screen.say("The outcomes cannot be shown: the database is away.")


@contextmanager
def database_needed() -> Iterator[None]:
    """Where it cannot be used, the command could not run, and says so in words."""
    try:
        yield
    except (DatabaseError, InterfaceError) as error:
        said = f"The database cannot be used ({type(error).__name__}). Does it run, and has manage.py migrate been run?"
        raise CommandError(said) from error


def refuse_empty(option: str, value: str | None) -> None:
    """An empty value is a variable that nobody set, and not an option that nobody gave."""
    if value is not None and not value.strip():
        raise CommandError(f"{option} is empty: is the variable set that it is given by?")


def _prepared(order: Order, config: ModelConfig) -> Prepared:
    with database_needed():
        return prepare(order, config)


def _budget(limit: Decimal | None, config: ModelConfig) -> Budget:
    try:
        return budget_for(limit, config.model)
    except PriceUnknown as error:
        raise CommandError(str(error)) from None


def _order(read: Notes | None, options: dict[str, Any]) -> Order:
    name = options["input"]
    return Order(
        notes=read.notes if read else (),
        source="standard input" if name == "-" else Path(name or "").name,
        skip_known=options["skip_known"],
        max_attempts=options["max_attempts"] if options["requeue_failed"] else None,
        dry_run=options["dry_run"],
    )


def _read(name: str | None, note_format: str | None) -> Notes | None:
    """The notes of a file, which is refused whole where one of its lines is bad."""
    if name is None:
        return None
    refuse_empty("--input", name)
    source = sys.stdin.buffer if name == "-" else Path(name)
    try:
        read = read_notes(source, note_format=NoteFormat(note_format) if note_format else None)
    except UnreadableFile as error:
        raise CommandError(f"{name}: {error}") from None
    if read.bad_lines:
        complaints = "\n".join(f"  {complaint}" for complaint in read.complaints())
        raise CommandError(f"{name} was refused; nothing was queued and no model was called:\n{complaints}")
    return read
