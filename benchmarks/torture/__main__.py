"""Prepares a database and a model server and runs one night over them; the exit status is 1 where anything was lost,
doubled or told wrongly."""

import json
import os
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.torture.databases import Database, database
from benchmarks.torture.workers import ROOT

FAULT_MIX = (
    "429*3; 429=0.05; 500*3; 503=0.05; 400; stall*3; stall-mid; drop*3; drop; drop-mid; reset-mid; eof; malformed; "
    "bad-utf8; error-event; length; content-filter; refusal; empty; stop=error; stop=; no-usage; no-done; id-repeated; "
    "index-zero; no-index; no-id"
)


def main() -> int:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="torture-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        with database(options.database, folder) as stored, _model(options, folder) as base_url:
            night = [sys.executable, "-m", "benchmarks.torture.night", json.dumps(vars(options)), name]
            command = [*night, json.dumps(stored.restart_command)]
            return subprocess.run(command, cwd=ROOT, env=_environment(stored, base_url), check=False).returncode


def _options() -> Namespace:
    parser = ArgumentParser(prog="python -m benchmarks.torture", description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--seed", type=int, default=1, help="of the notes, the faults and the blows")
    parser.add_argument("--rows", type=int, default=2_000)
    parser.add_argument("--run-size", type=int, default=50, help="rows of one run")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--concurrency", type=int, default=2, help="runs side by side in one worker")
    parser.add_argument("--fault-rate", type=float, default=0.2, help="share of requests that meet a fault")
    parser.add_argument("--ttft", type=float, default=0.05, help="seconds until the model begins to answer")
    parser.add_argument("--blows", type=int, default=80, help="about so many, spread over the rows")
    return parser.parse_args()


@contextmanager
def _model(options: Namespace, folder: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "benchmarks.torture.model", str(folder / "model.log"), "--port=0"]
    behaviour = [f"--fault-rate={options.fault_rate}", f"--fault-mix={FAULT_MIX}", f"--seed={options.seed}"]
    with subprocess.Popen(
        [*command, *behaviour, f"--ttft={options.ttft}"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


def _environment(stored: Database, base_url: str) -> dict[str, str]:
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "backoffice.settings",
        "DATABASE_URL": stored.url,
        "DATABASE_POOL_SIZE": "8",
        "LLM_PROVIDER": "openai",
        "OPENAI_API_KEY": "none",
        "OPENAI_BASE_URL": base_url,
        "LLM_CHUNK_TIMEOUT": "1",
        "LLM_CALL_TIMEOUT": "6",
        "RUN_LEASE_SECONDS": "3",
        "RUN_GRACE_SECONDS": "1",
        "SUMMARISE_REPORT_EMAILS": "",
        "SUMMARISE_REPORT_WEBHOOK": "",
    }


if __name__ == "__main__":
    sys.exit(main())
