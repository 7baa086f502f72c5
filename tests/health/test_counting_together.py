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


@pytest.mark.process
def test_what_ended_processes_counted_is_in_the_next_scrape(tmp_path: Path) -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings", "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}

    def run(code: str) -> str:
        command = [sys.executable, "-c", code]
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout

    run(CALL)
    run(CALL)
    [count] = [line for line in run(SCRAPE).splitlines() if line.startswith("backoffice_model_call_seconds_count")]
    assert count.endswith(" 2.0")
    assert 'code="ok"' in count
