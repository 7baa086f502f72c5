"""The same tasks on another engine: django-tasks-rq over Redis, by two environment variables."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace

import psutil
import pytest

from backoffice.llm.client import model_config
from summarizer.models import Run, RunState
from tests.process.programs import ModelLog, Programs, finished, wait_until
from tests.summarizer.making import queued_run, states_of

pytest.importorskip("django_tasks_rq", reason="the extra `redis` is not installed")
redis = pytest.importorskip("redis")

pytestmark = pytest.mark.process

REDIS_URL = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/13")
WORKER = ("manage.py", "rqworker", "default", "--job-class", "django_tasks_rq.Job")

OverModel = Callable[..., Programs]


@pytest.fixture(autouse=True)
def _empty_queue() -> Iterator[None]:
    with redis.Redis.from_url(REDIS_URL, socket_connect_timeout=1) as server:
        try:
            server.ping()
        except redis.exceptions.ConnectionError:
            pytest.skip(f"no Redis answers at {REDIS_URL}; TEST_REDIS_URL names another")
        forget(server)
        yield
        forget(server)


def forget(server: "redis.Redis") -> None:
    for key in server.scan_iter("rq:*"):
        server.delete(key)


def on_redis(over_model: OverModel, **environment: str) -> Programs:
    return over_model(TASKS_BACKEND="rq", REDIS_URL=REDIS_URL, **environment)


def handed_over(programs: Programs, *texts: str) -> Run:
    """A queued run, handed to Redis by a process of its own, as the web server does."""
    run = queued_run(*texts, config=replace(model_config(), provider="openai"))
    handing = programs.start("manage.py", "shell", "-c", f"from summarizer.tasks import start; start([{run.pk}])")
    status, said = finished(handing)
    assert status == 0, said
    return run


def test_a_worker_on_redis_works_off_a_run_that_it_is_handed(over_model: OverModel) -> None:
    programs = on_redis(over_model)
    run = handed_over(programs, "One.", "Two costs 7 EUR.")
    status, said = finished(programs.start(*WORKER, "--burst"))
    assert status == 0, said
    assert Run.objects.get(pk=run.pk).state == RunState.COMPLETED, said
    assert states_of(run.pk) == ["summarised", "summarised"]


def test_a_run_that_is_handed_over_twice_is_worked_on_once(over_model: OverModel) -> None:
    programs = on_redis(over_model)
    run = handed_over(programs, "One.")
    handing = programs.start("manage.py", "shell", "-c", f"from summarizer.tasks import start; start([{run.pk}])")
    finished(handing)
    status, said = finished(programs.start(*WORKER, "--burst"))
    assert status == 0, said
    assert states_of(run.pk) == ["summarised"]


def test_a_worker_that_is_told_to_go_with_its_children_leaves_its_run_interrupted(
    over_model: OverModel, model_log: ModelLog
) -> None:
    """As systemd does it: RQ works in a child process, which hears nothing of what its parent is told."""
    programs = on_redis(over_model, RUN_LEASE_SECONDS="60", RUN_GRACE_SECONDS="0.5")
    texts = ("One.", "Two: 5 EUR. [[fault:stall@2]]", "Three.")
    run = handed_over(programs, *texts)
    worker = programs.start(*WORKER)
    wait_until(lambda: model_log.begun(texts[1]) == 1)
    for process in [*psutil.Process(worker.pid).children(recursive=True), worker]:
        process.terminate()
    _, said = finished(worker)
    assert Run.objects.get(pk=run.pk).state == RunState.INTERRUPTED, said
    assert states_of(run.pk) == ["summarised", "pending", "pending"]
