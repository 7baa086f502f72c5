"""A log of what the stand-in was asked, one JSON object a line: crash tests read in it who asked what how often.

It holds no text of anyone: a user message is named by its SHA-256.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from backoffice.llm.scripted.doors import Exchange, Observer


@contextmanager
def request_log(path: Path | None) -> Iterator[Observer | None]:
    """An observer that appends a line as each answer ends; None where no log is wanted."""
    if path is None:
        yield None
        return
    with path.open("a", encoding="utf-8", buffering=1) as lines:

        def write(exchange: Exchange) -> None:
            record = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), **asdict(exchange)}
            lines.write(json.dumps(record) + "\n")

        yield write
