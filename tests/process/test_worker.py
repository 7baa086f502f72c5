"""The background worker runs what it is handed, and leaves it interrupted when it is told to go."""

import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from backoffice.llm.client import model_config
from summarizer.models import Run, RunState
from summarizer.tasks import start, work_runs
from tests.process.programs import ModelLog, Programs, finished, wait_until
from tests.summarizer.making import queued_run, states_of

pytestmark = pytest.mark.process

OverModel = Callable[..., Programs]
WORKER = ("manage.py", "db_worker", "--interval", "0.1", "--no-reload", "--no-startup-delay")


def handed_over(*texts: str) -> Run:
    """A queued run of the provider that the worker's process uses, handed to it as the admin does."""
    run = queued_run(*texts, config=replace(model_config(), provider="openai"))
    start([run.pk])
    return run


def test_the_worker_works_off_a_run_that_it_is_handed(over_model: OverModel) -> None:
    programs = over_model()
    run = handed_over("One.", "Two costs 7 EUR.")
    worker = programs.start(*WORKER, "--batch")
    status, said = finished(worker)
    assert status == 0, said
    assert Run.objects.get(pk=run.pk).state == RunState.COMPLETED
    assert states_of(run.pk) == ["summarised", "summarised"]


def test_the_worker_works_off_a_run_that_was_handed_over_before_the_task_had_its_name(over_model: OverModel) -> None:
    run = queued_run("One.", config=replace(model_config(), provider="openai"))
    work_runs.enqueue([run.pk])
    status, said = finished(over_model().start(*WORKER, "--batch"))
    assert status == 0, said
    assert (Run.objects.get(pk=run.pk).state, states_of(run.pk)) == (RunState.COMPLETED, ["summarised"])


@pytest.mark.parametrize("signals", [1, 2])
def test_a_worker_that_is_told_to_go_leaves_its_run_interrupted(
    over_model: OverModel, model_log: ModelLog, signals: int
) -> None:
    programs = over_model(RUN_LEASE_SECONDS="60", RUN_GRACE_SECONDS="0.5" if signals == 1 else "60")
    texts = ("One.", "Two: 5 EUR. [[fault:stall@2]]", "Three.")
    run = handed_over(*texts)
    worker = programs.start(*WORKER)
    wait_until(lambda: model_log.begun(texts[1]) == 1)
    for _ in range(signals):
        worker.terminate()
        time.sleep(0.2)
    _, said = finished(worker, 20)
    assert Run.objects.get(pk=run.pk).state == RunState.INTERRUPTED, said
    assert states_of(run.pk) == ["summarised", "pending", "pending"]
