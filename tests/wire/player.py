"""Servers in processes of their own for tests that need a real socket, and the stream cases they play.

The cases lie in `cases/`, where a README says how to read them.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx2

from backoffice.llm.scripted.captures import parse_capture, read_captures
from backoffice.llm.scripted.script import Script

ROOT = Path(__file__).parents[2]
CASES = Path(__file__).parent / "cases"
NOTE = "Beträge: 1.234,50 EUR, 1234.50 EUR, 5 EUR, 6 EUR."
"""The note under which every number of the cases is backed."""
VERY_LONG, VERY_LONG_PIECES = "t07_very_long", 2_000


def load_captures() -> dict[str, Script]:
    return {**read_captures(CASES), VERY_LONG: parse_capture(very_long_capture())}


def write_captures(folder: Path) -> None:
    """The same captures as files, for a server that is told where they lie."""
    for capture in CASES.glob("*.jsonl"):
        shutil.copy(capture, folder)
    (folder / f"{VERY_LONG}.jsonl").write_text(very_long_capture(), encoding="utf-8")


def load_expectations() -> dict[str, dict[str, Any]]:
    """By case: the script to play, and the outcome that a summarised row owes."""
    expectations: dict[str, dict[str, Any]] = json.loads((CASES / "expected.json").read_text(encoding="utf-8"))
    return expectations


def very_long_capture() -> str:
    """Two million characters in pieces of a thousand; made here, for 2 MB of x are not worth keeping."""
    return "\n".join([*[_chunk({"content": "x" * 1_000})] * VERY_LONG_PIECES, _chunk({}, "stop")])


def _chunk(delta: Mapping[str, str], finish_reason: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    head = {"id": "cc-1", "object": "chat.completion.chunk", "created": 1760000000, "model": "m"}
    return json.dumps({**head, "choices": [choice]})


class ScriptedServer:
    """`python -m tests.wire.serve`, running within a `with` block; takes the options of `manage.py scripted_model`."""

    def __init__(self, *options: str) -> None:
        self._options = options

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "tests.wire.serve", "--port", "0", *self._options]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.origin = self._process.stdout.readline().strip()
        assert self.origin, "the server did not start; its error stands above"
        self._client = httpx2.Client(base_url=self.origin, trust_env=False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()
        self._process.terminate()
        self._process.wait(timeout=10)
        assert self._process.stdout is not None
        self._process.stdout.close()

    @property
    def base_url(self) -> str:
        """For OPENAI_BASE_URL: the scripted model itself."""
        return f"{self.origin}/v1"

    def case_url(self, script: str, label: str = "") -> str:
        """For OPENAI_BASE_URL: plays `A+B`, one capture for a conversation's first call and one for the follow-up."""
        return f"{self.origin}{_place(script, label)}/v1"

    @property
    def by_note_url(self) -> str:
        """For OPENAI_BASE_URL: each note says itself what is played for it; see `note_for`."""
        return f"{self.origin}/case/*/v1"

    def received(self, script: str, label: str = "") -> list[dict[str, Any]]:
        """The bodies of all requests that came for this script and label."""
        answer = self._client.get(f"{_place(script, label)}/log")
        answer.raise_for_status()
        bodies: list[dict[str, Any]] = answer.json()
        return bodies

    def forget(self, script: str, label: str = "") -> None:
        self._client.delete(f"{_place(script, label)}/log").raise_for_status()


def note_for(script: str, label: str = "") -> str:
    """A note that is answered with this script under `by_note_url`."""
    return f"{NOTE} [[case: {script}{label and f'~{label}'}]]"


def _place(script: str, label: str) -> str:
    return f"/case/{script}~{label}" if label else f"/case/{script}"
