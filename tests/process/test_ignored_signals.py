"""A job that was started to go on without its terminal goes on when the terminal is gone."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from summarizer.models import Outcome, OutcomeState
from tests.process.programs import Programs, csv_of, finished, wait_until

pytestmark = pytest.mark.process


@pytest.fixture
def as_nohup_does() -> Iterator[None]:
    """What a process ignores, those that it starts ignore too."""
    handlers = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGHUP, signal.SIGINT)}
    yield
    for number, handler in handlers.items():
        signal.signal(number, handler)


def test_a_job_started_by_nohup_works_on_when_the_terminal_is_gone(
    over_model: Callable[..., Programs], as_nohup_does: None, tmp_path: Path
) -> None:
    texts = ["One.", "Two. [[fault:ttft=0.5]]", "Three."]
    job = over_model().job("--input", csv_of(tmp_path / "notes.csv", texts))
    wait_until(lambda: Outcome.objects.exclude(state=OutcomeState.PENDING).exists())
    for number in (signal.SIGHUP, signal.SIGINT):
        job.send_signal(number)
    status, said = finished(job)
    assert status == 0, said
    assert {row.state for row in Outcome.objects.all()} == {"summarised"}
