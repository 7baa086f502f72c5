"""Several workers over one queue: no row is worked twice, and nobody overwrites what another has done."""

import json
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from summarizer.models import Outcome, OutcomeState, Run, RunState
from tests.process.programs import ModelLog, Programs, csv_of, finished, wait_until

pytestmark = pytest.mark.process

OverModel = Callable[..., Programs]


def test_two_jobs_at_once_share_the_queue_and_work_no_row_twice(
    over_model: OverModel, model_log: ModelLog, tmp_path: Path
) -> None:
    programs = over_model("--ttft", "0.02")
    notes = csv_of(tmp_path / "notes.csv", [f"Delivery {number}." for number in range(120)])
    jobs = [
        programs.job("--input", notes, "--json", "--concurrency", "2"),
        programs.job("--json", "--concurrency", "2", "--wait"),
    ]
    ended = [finished(job, 60) for job in jobs]
    counts = [json.loads(said.splitlines()[-1]) for _, said in ended]
    assert [status for status, _ in ended] == [0, 0]
    assert sum(count["rows"] for count in counts) == sum(count["summarised"] for count in counts) == 120
    assert Outcome.objects.filter(state=OutcomeState.SUMMARISED).count() == 120
    assert set(model_log.rows_asked().values()) == {1}


def test_a_worker_that_was_frozen_for_longer_than_its_lease_overwrites_nothing(
    over_model: OverModel, model_log: ModelLog, tmp_path: Path
) -> None:
    programs = over_model(RUN_LEASE_SECONDS="1")
    texts = ["One.", "Two: 5 EUR. [[fault:ttft=1*1@2]]", "Three."]
    frozen = programs.job("--input", csv_of(tmp_path / "notes.csv", texts))
    wait_until(lambda: model_log.begun(texts[1]) == 1)
    frozen.send_signal(signal.SIGSTOP)
    try:
        status, said = finished(programs.job("--wait"))
        assert status == 0, said
        assert Run.objects.get().state == RunState.COMPLETED
        before = list(Outcome.objects.order_by("pk").values())
    finally:
        frozen.send_signal(signal.SIGCONT)
    _, said = finished(frozen, 10)
    assert "lost to another worker" in said
    assert list(Outcome.objects.order_by("pk").values()) == before
    assert [model_log.begun(text) for text in texts] == [1, 2, 1]
