"""A short night of `benchmarks.torture`: workers killed, stopped and paused at random, a model that fails in every way,
and, on PostgreSQL, a restart of the database."""

import subprocess
import sys

import pytest
from django.db import connection

from benchmarks.torture.databases import postgresql_programs
from tests.process.programs import ROOT

pytestmark = pytest.mark.process


def test_a_night_under_fire_loses_doubles_and_misreports_nothing() -> None:
    if connection.vendor == "postgresql":
        try:
            postgresql_programs()
        except FileNotFoundError as missing:
            pytest.skip(str(missing))
    night = [sys.executable, "-m", "benchmarks.torture", "--database", connection.vendor, "--rows", "150"]
    pace = ["--run-size", "10", "--blows", "8", "--workers", "3", "--ttft", "0.05"]
    ended = subprocess.run([*night, *pace], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
