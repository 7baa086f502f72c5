"""Workers that are started, struck and started again, and what was done to them."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Literal

Blow = Literal["killed", "stopped", "paused"]
BLOWS: tuple[Blow, ...] = ("killed", "stopped", "paused")
EXPLAINED = (0, 3, 4, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, 128 + signal.SIGTERM, 128 + signal.SIGINT)
"""Exit statuses: done, rows failed, stopped early; and a blow, before the job had begun and while it worked."""
ROOT = Path(__file__).parents[2]


@dataclass
class Worker:
    """One process of the nightly job."""

    process: subprocess.Popen[bytes]
    output: Path
    errors: Path
    started: float = field(default_factory=time.monotonic)
    wakes_at: float | None = None

    @property
    def runs(self) -> bool:
        return self.process.poll() is None

    @property
    def report(self) -> dict[str, Any] | None:
        """The JSON of its last line; None of a worker that did not live to report."""
        lines = self.output.read_text(encoding="utf-8").splitlines()
        report: dict[str, Any] | None = json.loads(lines[-1]) if lines else None
        return report


@dataclass
class Workforce:
    """So many workers at any time; `tend` starts a new one for each that has ended."""

    size: int
    concurrency: int
    folder: Path
    environment: dict[str, str]
    pause_seconds: float
    random: Random
    crew: list[Worker] = field(default_factory=list)
    gone: list[Worker] = field(default_factory=list)
    blows: dict[Blow, int] = field(default_factory=lambda: dict.fromkeys(BLOWS, 0))

    @property
    def everybody(self) -> list[Worker]:
        return [*self.gone, *self.crew]

    @property
    def reports(self) -> list[dict[str, Any]]:
        return [report for worker in self.everybody if (report := worker.report) is not None]

    @property
    def crashes(self) -> list[str]:
        """The last words of workers that ended with a status that no blow and no report explains."""
        broken = (worker for worker in self.everybody if worker.process.returncode not in EXPLAINED)
        return [worker.errors.read_text(encoding="utf-8").strip()[-2_000:] for worker in broken]

    def hire(self, *options: str) -> Worker:
        number = len(self.everybody)
        output, errors = (self.folder / f"worker-{number}.{kind}" for kind in ("out", "err"))
        command = [sys.executable, "manage.py", "summarise_batch", "--json", f"--concurrency={self.concurrency}"]
        with output.open("wb") as out, errors.open("wb") as err:
            process = subprocess.Popen(
                [*command, *options], cwd=ROOT, env=self.environment, stdout=out, stderr=err, start_new_session=True
            )
        worker = Worker(process, output, errors)
        self.crew.append(worker)
        return worker

    def tend(self) -> None:
        """Wake who has slept enough, bury who has ended, and fill the ranks."""
        for worker in list(self.crew):
            if worker.wakes_at is not None and worker.wakes_at <= time.monotonic():
                self._wake(worker)
            if not worker.runs:
                self.crew.remove(worker)
                self.gone.append(worker)
        while len(self.crew) < self.size:
            self.hire(*(["--wait"] if self.random.random() < 0.5 else []))

    def strike(self) -> None:
        """One blow to one worker that is up and awake, if there is any."""
        awake = [worker for worker in self.crew if worker.runs and worker.wakes_at is None]
        if not awake:
            return
        worker, blow = self.random.choice(awake), self.random.choice(BLOWS)
        self.blows[blow] += 1
        if blow == "killed":
            worker.process.kill()
        elif blow == "stopped":
            worker.process.send_signal(self.random.choice((signal.SIGTERM, signal.SIGINT)))
        else:
            os.kill(worker.process.pid, signal.SIGSTOP)
            worker.wakes_at = time.monotonic() + self.pause_seconds

    def dismiss(self) -> None:
        """Let everybody end their work; nobody is struck any more."""
        for worker in self.crew:
            self._wake(worker)
        for worker in self.crew:
            worker.process.wait(timeout=120)
        self.gone += self.crew
        self.crew = []

    def disband(self) -> None:
        """Leave no process behind, however the test ended."""
        for worker in self.crew:
            worker.process.kill()
            worker.process.wait()

    @staticmethod
    def _wake(worker: Worker) -> None:
        if worker.wakes_at is not None and worker.runs:
            os.kill(worker.process.pid, signal.SIGCONT)
        worker.wakes_at = None
