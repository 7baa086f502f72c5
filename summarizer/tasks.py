"""The background worker's door. Tasks are synchronous functions that enter the loop once: an `async def` task would
hang the worker on a second SIGTERM."""

from collections.abc import Iterable
from functools import partial

from django.db import transaction
from django_tasks import task

from backoffice.llm.client import model_config, run_to_end
from summarizer.runs.job import work_chosen


@task()
def work_run(run_id: int) -> None:
    """Work off a run, unless somebody else has it or it has ended."""
    run_to_end(work_chosen(run_id, model_config()))


@task()
def work_runs(run_ids: list[int]) -> None:
    """The name of `work_run` before: what was queued under it is worked on still. To be removed one release on."""
    for run_id in run_ids:
        run_to_end(work_chosen(run_id, model_config()))


def start(run_ids: Iterable[int]) -> None:
    """Hand runs to the worker, one task each, once the transaction around this call is committed."""
    for run_id in run_ids:
        transaction.on_commit(partial(work_run.enqueue, run_id))
