"""What the nightly job does from its first question to its last answer, for the command that starts it."""

import signal
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from backoffice.llm.client import ModelConfig, run_to_end
from backoffice.signals import signals_caught
from summarizer.models import Outcome, OutcomeQuerySet, Run, Trigger
from summarizer.runs.job import Job, JobReport
from summarizer.runs.queue import Note, Origin, create_runs, hash_of, known_hashes, requeue

SUCCEEDED, SOME_FAILED, STOPPED_EARLY, SIGNALLED = 0, 3, 4, 128


@dataclass(frozen=True, slots=True)
class Order:
    """What the job is asked to queue before it works off what waits."""

    notes: Sequence[Note] = ()
    source: str = ""
    skip_known: bool = False
    max_attempts: int | None = None
    """Queue failed rows again, up to this many attempts; None leaves them."""
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Prepared:
    runs: tuple[Run, ...]
    """Made of the new notes; empty in a dry run."""
    notes: int
    """New notes that were queued, or would be."""
    known: tuple[int, ...]
    """Row ids of notes that were summarised before: same text, provider, model and prompt."""
    requeued: int
    waiting: int
    """Rows that wait, the new ones included."""


def prepare(order: Order, config: ModelConfig) -> Prepared:
    hashes = known_hashes(order.notes, config)
    known = tuple(note.row_id for note in order.notes if hash_of(note.text) in hashes)
    left_out = set(known) if order.skip_known else set()
    notes = [note for note in order.notes if note.row_id not in left_out]
    failed = _failed_rows(config, order.max_attempts)
    if order.dry_run:
        requeued = failed.count()
        return Prepared((), len(notes), known, requeued, pending_rows(config.provider) + len(notes) + requeued)
    runs = create_runs(notes, Origin(Trigger.COMMAND, source=order.source), config)
    again = requeue(failed.defer("exchange"), Origin(Trigger.REQUEUE, source="nightly job"), config)
    return Prepared(tuple(runs), len(notes), known, again.rows, pending_rows(config.provider))


def _failed_rows(config: ModelConfig, max_attempts: int | None) -> OutcomeQuerySet:
    """What failed before, but no row whose failure asking again cannot mend."""
    if max_attempts is None:
        return Outcome.objects.none()
    rows = Outcome.objects.requeueable().mendable()
    return rows.filter(run__provider=config.provider, attempt__lt=max_attempts)


def pending_rows(provider: str) -> int:
    """Rows of every run that the job could take up now."""
    runs = Run.objects.claimable(timezone.now()).filter(provider=provider)
    return Outcome.objects.pending().filter(run__in=runs).count()


def work_off(job: Job) -> tuple[JobReport, int]:
    """Run the job to its end; the report and the exit status of the process."""
    return run_to_end(_work_off(job))


async def _work_off(job: Job) -> tuple[JobReport, int]:
    received: list[signal.Signals] = []

    def ending(number: signal.Signals) -> None:
        """The first signal lets the rows in flight end within their grace; the second gives them up."""
        job.stop.request(grace=0 if received else None)
        received.append(number)

    with signals_caught(ending):
        report = await job.work_off()
    return report, SIGNALLED + received[0] if received else exit_status(report)


def exit_status(report: JobReport) -> int:
    """Where the database could not say what is left, nobody is told that nothing is."""
    if report.left is None or report.left:
        return STOPPED_EARLY
    return SOME_FAILED if report.failed else SUCCEEDED
