"""Processes that share a directory count together: a job that ended long ago is in the next scrape of a web process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CALL = """
import django; django.setup()
from backoffice.llm.client import model_config, run_to_end
from backoffice.llm.streaming import ModelRequest, complete
run_to_end(complete(ModelRequest([{"role": "user", "content": "Hello."}], 50), model_config()))
"""
SCRAPE = """
import django; django.setup()
from backoffice.health.metrics import Measured, exposition
print(exposition(Measured([])).decode())
"""


def run(code: str, folder: str) -> str:
    """What a process prints that counts in this folder."""
    settings = {"DJANGO_SETTINGS_MODULE": "tests.settings", "PROMETHEUS_MULTIPROC_DIR": folder}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **settings}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.process
def test_what_ended_processes_counted_is_in_the_next_scrape(tmp_path: Path) -> None:
    folder = str(tmp_path / "made" / "as the first process starts")
    run(CALL, folder)
    run(CALL, folder)
    scraped = run(SCRAPE, folder).splitlines()
    [count] = [line for line in scraped if line.startswith("backoffice_model_call_seconds_count")]
    assert count.endswith(" 2.0")
    assert 'code="ok"' in count


@pytest.mark.process
def test_a_blank_variable_is_one_not_set(tmp_path: Path) -> None:
    """prometheus-client would take it for the folder that the process stands in."""
    run(f"import os; os.chdir({str(tmp_path)!r})" + CALL, "")
    assert list(tmp_path.iterdir()) == []
