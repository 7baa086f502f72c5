"""The project's own programs as processes of their own, over the tests' database and a scripted model on a port."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.db import connection

ROOT = Path(__file__).parents[2]


def database_url() -> str:
    """The tests' own database, for a process that knows nothing of tests."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{Path(settings['NAME']).resolve()}"
    return f"postgres://{settings['USER']}@{settings['HOST']}:{settings['PORT']}/{settings['NAME']}"


class ModelLog:
    """What the scripted model was asked, by its own log."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def lines(self) -> list[dict[str, Any]]:
        whole = self.path.read_text(encoding="utf-8") if self.path.exists() else ""
        return [json.loads(line) for line in whole.splitlines(keepends=True) if line.endswith("\n")]

    def rows_asked(self, since: int = 0) -> Counter[str]:
        """How often each note was begun, by the SHA-256 of its text; `since`: a number of lines to leave out."""
        return Counter(line["user_sha256"] for line in self.lines[since:] if line["call"] == 1)

    def begun(self, text: str) -> int:
        return self.rows_asked()[sha256(text.encode()).hexdigest()]


class Programs:
    """Starts programs with one environment, and ends what is left of them."""

    def __init__(self, **environment: str) -> None:
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "backoffice.settings",
            "DATABASE_URL": database_url(),
            **environment,
        }
        self._started: list[subprocess.Popen[str]] = []

    def start(self, *arguments: str, **options: Any) -> subprocess.Popen[str]:
        """`python -m` or a script with its arguments."""
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.environment,
            text=True,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, **options},
        )
        self._started.append(process)
        return process

    def job(self, *arguments: str, **options: Any) -> subprocess.Popen[str]:
        return self.start("manage.py", "summarise_batch", *arguments, **options)

    def end(self) -> None:
        for process in self._started:
            with process:
                process.kill()


@contextmanager
def programs(**environment: str) -> Iterator[Programs]:
    running = Programs(**environment)
    try:
        yield running
    finally:
        running.end()


def finished(process: subprocess.Popen[str], seconds: float = 60) -> tuple[int, str]:
    """The exit status and everything the program said."""
    said, _ = process.communicate(timeout=seconds)
    return process.returncode, said


def wait_until(holds: Callable[[], Any], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def csv_of(path: Path, texts: Sequence[str]) -> str:
    """A file of notes with row ids from 1 on; its name."""
    lines = ["row_id,text", *(f"{row_id},{text}" for row_id, text in enumerate(texts, 1))]
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)
