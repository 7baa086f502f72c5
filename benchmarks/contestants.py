"""Processes that take part in a benchmark: started, driven by lines, looked at, ended."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / "benchmarks" / "peers"
ENVIRONMENTS = ROOT / "var" / "benchmarks"
"""Where `make bench` puts the peers' virtual environments, and the databases of a run."""


class NotInstalled(Exception):
    """A peer's virtual environment is not there."""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@dataclass(frozen=True, slots=True)
class Contestant:
    """A process that does rows when told how many (`benchmarks/peers/contender.py` is its side of it)."""

    name: str
    process: subprocess.Popen[str]

    def round(self, rows: int) -> dict[str, float]:
        """Seconds of CPU and of wall time for so many rows, and the process's size after them."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{rows}\n")
        self.process.stdin.flush()
        cost: dict[str, float] = json.loads(_said(self.process))
        return cost


def _said(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"{process.args} has ended instead of answering")
    return line


@contextmanager
def running(
    command: Sequence[str], environment: Mapping[str, str] | None = None, *, ready: str = "ready"
) -> Iterator["subprocess.Popen[str]"]:
    """A process that has said that it is ready; it is ended with the block."""
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        while ready not in _said(process):
            pass
        yield process
    finally:
        process.terminate()
        process.wait()


def python_of(environment: str) -> str:
    """The interpreter of a peer's virtual environment; our own where the name is empty. Raises NotInstalled."""
    if not environment:
        return sys.executable
    python = ENVIRONMENTS / environment / "bin" / "python"
    if not python.exists():
        raise NotInstalled(f"{environment}: make bench installs it")
    return str(python)


@contextmanager
def contestant(name: str, script: str, task: Mapping[str, Any], environment: str = "") -> Iterator[Contestant]:
    """`script`: a file of benchmarks/peers; `environment`: the virtual environment to run it in."""
    command = [python_of(environment), str(PEERS / script)]
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    with running(command, {"BENCHMARK_TASK": json.dumps(task), "PYTHONPATH": path}) as process:
        yield Contestant(name, process)


@contextmanager
def model_server(latency: float = 0.0, *, paced: bool = False) -> Iterator[str]:
    """Its base URL."""
    port = free_port()
    command = [sys.executable, "-m", "benchmarks.model_server", str(port), "--latency", str(latency)]
    with running(command + ["--paced"] * paced):
        yield f"http://127.0.0.1:{port}/v1"


@contextmanager
def web_server(python: str, application: str, environment: Mapping[str, str]) -> Iterator[tuple[int, int]]:
    """A server that accepts connections: its port, and its process id. It logs as it does by default, into a file."""
    port = free_port()
    command = [python, "-m", "uvicorn", application, "--port", str(port), "--backlog", "4096"]
    with TemporaryFile() as log:
        process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **environment}, stdout=log, stderr=log)
        try:
            if not _accepts(port, process):
                log.seek(0)
                raise RuntimeError(f"{application} has ended instead of serving:\n{log.read().decode()}")
            yield port, process.pid
        finally:
            process.terminate()
            process.wait()


def _accepts(port: int, process: "subprocess.Popen[bytes]") -> bool:
    """Whether it does, as soon as it does or has ended."""
    while process.poll() is None:
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return True
        time.sleep(0.05)
    return False


def status_of(process_id: int) -> dict[str, int]:
    """Of a process now: `VmRSS` and `VmHWM` (kB), `Threads`."""
    lines = Path(f"/proc/{process_id}/status").read_text().splitlines()
    fields = (line.split(":", 1) for line in lines)
    return {name: int(value.split()[0]) for name, value in fields if name in {"VmRSS", "VmHWM", "Threads"}}


def cpu_of(process_id: int) -> float:
    """Seconds of CPU that a process has used, in all of its threads."""
    fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
