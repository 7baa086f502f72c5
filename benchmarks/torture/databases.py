"""Databases that a torture test may do to as it likes: a file, or a PostgreSQL cluster of its own."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SUPERUSER = "postgres"


@dataclass(frozen=True, slots=True)
class Database:
    url: str
    restart_command: tuple[str, ...] = ()
    """Breaks every connection off and comes back; empty where there is nothing to restart."""


@contextmanager
def database(kind: str, folder: Path) -> Iterator[Database]:
    """`sqlite` or `postgresql`, in a folder that everybody may enter. Raises FileNotFoundError without PostgreSQL."""
    if kind == "sqlite":
        yield Database(f"sqlite:///{folder / 'torture.sqlite3'}")
        return
    programs = postgresql_programs()
    data, port = folder / "cluster", _free_port()
    data.mkdir()
    if os.geteuid() == 0:
        shutil.chown(data, SUPERUSER)
    as_owner(str(programs / "initdb"), "--pgdata", str(data), "--username", SUPERUSER, "--auth", "trust")
    server = f"-c port={port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={data} -c max_connections=200"
    control = (str(programs / "pg_ctl"), "--pgdata", str(data), "--wait", "--log", str(data / "log"), "-o", server)
    as_owner(*control, "start")
    try:
        yield Database(f"postgres://{SUPERUSER}@127.0.0.1:{port}/postgres", (*control, "--mode", "fast", "restart"))
    finally:
        as_owner(*control, "--mode", "immediate", "stop")


def postgresql_programs() -> Path:
    """Where initdb and pg_ctl are: on the path, or where Debian puts them, the newest first."""
    found = shutil.which("pg_ctl")
    if found is not None:
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), key=lambda path: int(path.parts[-3]))
    if not versions:
        raise FileNotFoundError("PostgreSQL is not installed: neither initdb nor pg_ctl is found")
    return versions[-1].parent


def as_owner(*command: str) -> None:
    """PostgreSQL's programs refuse to run as root."""
    user = SUPERUSER if os.geteuid() == 0 else None
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, user=user, cwd="/")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
