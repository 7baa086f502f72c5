"""`manage.py scripted_model` serves the scripted model on a port."""

import socket
import subprocess
import sys

import httpx2
import pytest
from django.core.management import CommandError, call_command

from tests.llm.scripted.asking import MODEL
from tests.wire.player import ROOT


@pytest.mark.process
def test_it_announces_its_address_serves_and_ends_with_a_signal() -> None:
    command = [sys.executable, "manage.py", "scripted_model", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        base_url = process.stdout.readline().removeprefix("Scripted model on ").strip()
        with httpx2.Client(trust_env=False) as client:
            models = client.get(f"{base_url}/models").json()
        process.terminate()
        process.communicate(timeout=10)
    assert [model["id"] for model in models["data"]] == [MODEL]
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"faults": "teapot"}, "unknown fault 'teapot'"),
        ({"fault_rate": 2.0}, "between 0 and 1"),
    ],
)
def test_what_it_cannot_do_is_said_in_one_sentence(options: dict[str, object], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("scripted_model", **options)


def test_a_port_that_is_taken_is_said_to_be_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(CommandError, match="address already in use"):
        call_command("scripted_model", port=taken.getsockname()[1])
