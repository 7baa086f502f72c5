"""The nightly job's command, run in the test's own process as manage.py runs it."""

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.management import CommandError, call_command


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The last line of stdout."""
        counts: dict[str, Any] = json.loads(self.out.splitlines()[-1])
        return counts


Batch = Callable[..., Ran]


@pytest.fixture
def batch(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, transactional_db: None) -> Batch:
    """`batch("--input", name, stdin=b"…")`: the command's exit status and what it said."""

    def run(*arguments: str, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status, refusal = 0, ""
        try:
            call_command("summarise_batch", *arguments)
        except SystemExit as left:
            status = int(left.code or 0)
        except CommandError as error:
            status, refusal = error.returncode, str(error)
        out, err = capsys.readouterr()
        return Ran(status, out, err + refusal)

    return run
