"""What the nightly job shows: a live bar on a terminal, plain lines elsewhere, a report that says what to do next."""

import io
import os
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import asdict
from typing import IO, Any, TextIO, cast

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from backoffice.terminal import terminal_json
from summarizer.importing.notes import Layout, printable
from summarizer.models import Outcome, OutcomeState, Run, RunState
from summarizer.nightly import Prepared
from summarizer.runs.execution import EndedRow
from summarizer.runs.job import HeldRun, JobReport, Watcher
from summarizer.telling import on_one_line, spent, sums_as_json

SHOWN_KNOWN = 20
GO_ON = "python manage.py summarise_batch"
ADVICE = {
    "rate_limited": "the provider limits us: run again later, with --requeue-failed",
    "timeout": "the provider was too slow: run again later, with --requeue-failed",
    "connection": "the network or the provider is down: check it, then --requeue-failed",
    "provider_error": "the provider has trouble: run again later, with --requeue-failed",
    "rejected": "the provider refuses the note or our key: asking again will not help; look at the row in admin",
    "malformed_chunk": "the provider sent something unreadable: --requeue-failed",
    "interrupted": "the answer was cut off: --requeue-failed",
    "not_configured": "no model is configured: set OPENAI_API_KEY",
    "internal": "a fault of ours: the log has the traceback",
}


HOW_IT_ENDED: dict[RunState | None, str] = {
    None: "lost to another worker",
    RunState.RUNNING: "its end could not be stored; the next job goes on with it",
}


class Outlet:
    """An output stream for a job that goes on where nobody reads what it says: the pipe was closed, the disk is full.

    A character that the stream's encoding lacks is replaced: a summary may hold any.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        with suppress(OSError):
            return self._stream.write(text)
        self._forget()
        return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except OSError:
            self._forget()

    def _forget(self) -> None:
        """What the stream still holds, and will be given, goes nowhere; Python flushes it once more at its end."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)


def say_last(stream: TextIO, line: str) -> None:
    """The line for programs, after everything else."""
    outlet = Outlet(stream)
    outlet.write(f"{line}\n")
    outlet.flush()


class Screen(Watcher):
    """Where the job's progress and report go."""

    def __init__(self, stream: TextIO) -> None:
        self.live = stream.isatty()
        self.console = Console(
            file=cast(IO[str], Outlet(stream)),
            force_terminal=self.live,
            highlight=False,
            soft_wrap=not self.live,
            emoji=False,
        )
        self._progress = Progress(
            TextColumn("[bold]Summarising"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[failed]} failed"),
            TimeElapsedColumn(),
            console=self.console,
        )
        self._failed = 0
        self._waited_for: set[int] = set()

    def say(self, text: str) -> None:
        self.console.print(escape(text))

    def was_read(self, layout: Layout) -> None:
        for line in layout_lines(layout):
            self.say(line)

    def prepared(self, prepared: Prepared, *, dry_run: bool) -> None:
        for line in prepared_lines(prepared, dry_run=dry_run):
            self.say(line)

    def watching(self, total: int) -> AbstractContextManager[object]:
        """The live bar, over `total` rows; nothing where there is no terminal."""
        if not self.live:
            return nullcontext()
        self._task = self._progress.add_task("rows", total=total, failed=0)
        return self._progress

    def row_ended(self, row: EndedRow) -> None:
        failure = row.result.failure
        self._failed += failure is not None
        if self.live:
            self._progress.update(self._task, advance=1, failed=self._failed)
        if failure is not None:
            self.say(f"Run {row.run_id}, row {row.row_id}: failed ({failure.code}): {failure.detail}")

    def run_ended(self, run_id: int, state: RunState | None) -> None:
        if not self.live or state is not RunState.COMPLETED:
            self.say(f"Run {run_id}: {HOW_IT_ENDED.get(state, state)}")

    def waiting(self, held: Sequence[HeldRun]) -> None:
        for run in held:
            if run.run_id not in self._waited_for:
                self._waited_for.add(run.run_id)
                self.say(f"Waiting for run {run.run_id}, whose lease runs out in {_seconds(run)} s unless renewed.")

    def report(self, report: JobReport) -> None:
        for line in report_lines(report):
            self.say(line)

    def outcomes(self, runs: Iterable[Run]) -> None:
        """Every row of the runs, as a table."""
        table = Table("Row", "State", "Normalized amounts", "Summary", title="Outcomes", show_lines=False)
        rows = Outcome.objects.filter(run__in=list(runs)).order_by("run_id", "position")
        for row in rows.iterator():
            said = row.summary if row.state == OutcomeState.SUMMARISED else row.failure
            cells = (str(row.row_id), row.state, ", ".join(_amounts(row)) or "–", said or "")
            table.add_row(*(escape(on_one_line(cell)) for cell in cells))
        self.console.print(table, soft_wrap=False)


def _amounts(row: Outcome) -> Iterable[str]:
    for call in row.exchange:
        for run in call["tool_runs"]:
            result = run["result"]
            yield f"{result['amount']} {result['currency'] or ''}".strip() if "amount" in result else result["error"]


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def layout_lines(layout: Layout) -> Iterable[str]:
    """What somebody who sent the file may not expect of how it was read."""
    if layout.encoding_is_guessed:
        yield "The file is not UTF-8: it was read as Windows-1252, which is a guess."
    if layout.lines_above:
        yield f"{_counted(layout.lines_above, 'line', 'lines')} above the header left out."
    if layout.other_sheets:
        names = ", ".join(printable(name) for name in layout.other_sheets)
        yield f"Only the sheet {printable(layout.sheet)} was read, not {names}: put each in a file of its own."


def prepared_lines(prepared: Prepared, *, dry_run: bool) -> Iterable[str]:
    if prepared.known:
        named = ", ".join(map(str, prepared.known[:SHOWN_KNOWN]))
        more = f" and {len(prepared.known) - SHOWN_KNOWN} more" if len(prepared.known) > SHOWN_KNOWN else ""
        known = _counted(len(prepared.known), "note was", "notes were")
        yield f"{known} summarised before (same text, model and prompt): rows {named}{more}"
    was, were = ("would be", "would be") if dry_run else ("was", "were")
    if prepared.notes:
        yield f"{_counted(prepared.notes, f'new note {was}', f'new notes {were}')} queued."
    if prepared.requeued:
        before = "that failed before"
        yield f"{_counted(prepared.requeued, f'row {before} {was}', f'rows {before} {were}')} queued again."
    if dry_run:
        waiting = _counted(prepared.waiting, "row", "rows")
        yield f"{waiting} would be worked on. A dry run: nothing was stored, no model was called."


def report_lines(report: JobReport) -> Iterable[str]:
    if report.others:
        waiting = _counted(report.others, "run waits that was", "runs wait that were")
        yield f"{waiting} queued for another LLM_PROVIDER than this job's."
    if not (report.rows or report.runs or report.left or report.held or report.database_away):
        yield "There is nothing to do: no run is queued or abandoned."
        return
    yield (
        f"Runs: {report.runs}. Rows: {report.rows}, {report.summarised} summarised "
        f"({report.warned} with a warning to review), {report.failed} failed. {spent(report)}."
    )
    yield from _failure_lines(report)
    for run in report.held:
        yield (
            f"Run {run.run_id} is held by another worker, whose lease runs out in {_seconds(run)} s. "
            f"If that worker is dead, run again then, or now with --wait."
        )
    yield from _stop_lines(report)
    if report.left is None:
        yield f"What is left for the next job could not be counted. Go on with: {GO_ON}"
    elif report.left:
        yield f"Left for the next job: {_counted(report.left, 'run', 'runs')}. Go on with: {GO_ON}"
    if report.mendable:
        yield f"To try the failed rows again: {GO_ON} --requeue-failed"


def _stop_lines(report: JobReport) -> Iterable[str]:
    """Why runs were left."""
    if report.provider_down and report.left:
        yield "The provider is down: row after row failed, so no further run was started."
    if report.key_refused and report.left:
        yield "The provider refuses our key: check OPENAI_API_KEY. No further run was started."
    if report.database_away:
        yield "The database was away for too long: no further run was started. Does it run?"
    if report.cost_limit:
        passing = "the next run could pass it, so it and what is behind it stay queued"
        yield f"The cost limit ({report.cost_limit}) is reached: {passing}."
    if report.unpriced:
        named = ", ".join(map(str, report.unpriced[:SHOWN_KNOWN]))
        yield f"Left, since no cost limit can be kept for a model of unknown price: runs {named}. See LLM_PRICES."


def _seconds(run: HeldRun) -> int:
    return max(1, round(run.seconds_left))


def _failure_lines(report: JobReport) -> Iterable[str]:
    for code, count in report.failures.most_common():
        yield f"  {count} × {code}: {ADVICE.get(code, 'look at the row in admin')}"


def as_json(report: JobReport, **more: Any) -> str:
    """One line; every name of JobReport, the failures by code, and what the caller adds."""
    fields = asdict(report) | sums_as_json(report)
    fields |= {"failures": dict(report.failures), "tokens_known": not report.rows_of_unknown_tokens}
    return terminal_json(fields | more)
