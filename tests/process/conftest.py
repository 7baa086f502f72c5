"""Every test here starts real processes; they share the tests' database with the test itself."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.process.programs import ModelLog, Programs, programs
from tests.wire.player import ScriptedServer


@pytest.fixture
def model_log(tmp_path: Path) -> ModelLog:
    return ModelLog(tmp_path / "model.log")


@pytest.fixture
def over_model(model_log: ModelLog, transactional_db: None) -> Iterator[Callable[..., Programs]]:
    """`over_model("--ttft", "0.1", RUN_LEASE_SECONDS="2")`: options of the scripted model's process, and the
    environment of the programs that call it."""
    with ExitStack() as stack:

        def started(*options: str, **environment: str) -> Programs:
            server = stack.enter_context(ScriptedServer("--log", str(model_log.path), *options))
            address = {"LLM_PROVIDER": "openai", "OPENAI_API_KEY": "none", "OPENAI_BASE_URL": server.base_url}
            return stack.enter_context(programs(**address, **environment))

        yield started
