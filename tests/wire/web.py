"""The service in a process of its own, over a database of its own: what a deployment runs, reached by HTTP alone."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx2

ROOT = Path(__file__).parents[2]
START_SECONDS = 60.0
_ADDRESS = re.compile(r"Uvicorn running on (http://\S+)")


class WebServer:
    """`uvicorn backoffice.asgi:application`, running within a `with` block; `client` holds a token that may do all."""

    def __init__(self, directory: Path, **environment: str) -> None:
        """`directory` takes the database and the log; `environment` is added to what the project reads."""
        self._log = directory / "web.log"
        self._environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "backoffice.settings",
            "DATABASE_URL": f"sqlite:///{directory / 'web.sqlite3'}",
            "DJANGO_SUPERUSER_PASSWORD": "ada",
            **environment,
        }

    @property
    def log(self) -> str:
        return self._log.read_text(encoding="utf-8")

    def __enter__(self) -> Self:
        self._manage("migrate", "--verbosity=0")
        self._manage("createsuperuser", "--noinput", "--username=ada", "--email=ada@example.com")
        token = self._manage("create_api_token", "ada").splitlines()[-1]
        command = [sys.executable, "-m", "uvicorn", "backoffice.asgi:application", "--port=0"]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(command, cwd=ROOT, env=self._environment, stdout=log, stderr=log)
        self.client = httpx2.Client(
            base_url=self._address(), headers={"Authorization": f"Token {token}"}, timeout=300, trust_env=False
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.client.close()
        self._process.terminate()
        self._process.wait(timeout=30)

    def _manage(self, *arguments: str) -> str:
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self._environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def _address(self) -> str:
        """Polled from the log, for the port is the server's own choice."""
        given_up_at = time.monotonic() + START_SECONDS
        while (found := _ADDRESS.search(self.log)) is None:
            assert self._process.poll() is None, self.log
            assert time.monotonic() < given_up_at, self.log
            time.sleep(0.05)
        return found[1]
