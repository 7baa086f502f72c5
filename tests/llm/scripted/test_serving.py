"""The server as a process: its options, its log, its end."""

import hashlib
import json
import re
import signal
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import openai
import pytest

from backoffice.llm.scripted import Options
from backoffice.llm.scripted.faults import parse_faults
from backoffice.llm.scripted.misbehaviour import Pace
from backoffice.llm.scripted.random_faults import RandomFaults
from backoffice.llm.scripted.request_log import request_log
from backoffice.llm.scripted.serving import add_arguments, options_from
from tests.llm.scripted.asking import MODEL, body, stream
from tests.wire.player import ROOT, ScriptedServer


def _options(*arguments: str) -> Options:
    parser = ArgumentParser()
    add_arguments(parser)
    return options_from(vars(parser.parse_args(arguments)))


def test_without_arguments_it_behaves_well() -> None:
    options = _options()
    assert (options.faults, options.pace, options.random_faults.rate) == ((), Pace(), 0.0)


def test_the_arguments_say_how_it_behaves() -> None:
    options = _options(
        *("--faults", "429*2; no-usage", "--ttft", "0.5", "--delay", "0.01"),
        *("--fault-rate", "0.2", "--seed", "7", "--fault-mix", "drop; eof"),
    )
    assert options.faults == parse_faults("429*2; no-usage")
    assert options.pace == Pace(0.5, 0.01)
    assert options.random_faults == RandomFaults(0.2, 7, parse_faults("drop; eof"))


@pytest.mark.parametrize("arguments", [("--faults", "teapot"), ("--fault-rate", "2"), ("--fault-mix", "")])
def test_an_argument_that_makes_no_sense_is_refused(arguments: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match=r"teapot|between 0 and 1|at least one"):
        _options(*arguments)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--port", "65536"), "'65536' is no port"),
        (("--port", "http"), "'http' is no port"),
        (("--ttft", "-1"), "is no number of seconds|expected one argument"),
        (("--delay", "soon"), "'soon' is no number of seconds"),
    ],
)
def test_a_number_out_of_its_range_is_refused(
    arguments: tuple[str, str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        _options(*arguments)
    assert re.search(words, capsys.readouterr().err)


def test_without_a_file_there_is_no_log() -> None:
    with request_log(None) as observer:
        assert observer is None


@pytest.fixture
async def client() -> AsyncIterator[openai.AsyncOpenAI]:
    async with openai.AsyncOpenAI(api_key="none", http_client=openai.DefaultAioHttpClient()) as sdk:
        yield sdk


@pytest.mark.process
async def test_the_log_tells_who_was_asked_what_how_often_and_no_text(
    client: openai.AsyncOpenAI, tmp_path: Path
) -> None:
    log = tmp_path / "requests.jsonl"
    with ScriptedServer("--log", str(log), "--faults", "503=0.001*1") as server:
        received = await stream(client.with_options(base_url=server.base_url), body("a secret of the customer"))
    records: list[dict[str, Any]] = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    told = [(r["attempt"], r["call"], r["status"], r["faults"], r["ended"], r["model"]) for r in records]
    assert received.stop_reasons == ["stop"]
    assert told == [(1, 1, 503, ["503=0.001*1"], "sent", MODEL), (2, 1, 200, [], "sent", MODEL)]
    assert {r["user_sha256"] for r in records} == {hashlib.sha256(b"a secret of the customer").hexdigest()}
    assert all("time" in record and record["seconds"] >= 0 for record in records)
    assert "secret" not in log.read_text(encoding="utf-8")


@pytest.mark.process
async def test_a_log_goes_on_where_it_ended(client: openai.AsyncOpenAI, tmp_path: Path) -> None:
    log = tmp_path / "requests.jsonl"
    for _ in range(2):
        with ScriptedServer("--log", str(log)) as server:
            await stream(client.with_options(base_url=server.base_url), body())
    assert len(log.read_text(encoding="utf-8").splitlines()) == 2


@pytest.mark.process
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_at_once_and_in_order(number: signal.Signals) -> None:
    command = [sys.executable, "-m", "tests.wire.serve", "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(number)
        _, errors = process.communicate(timeout=10)
    assert (process.returncode, errors) == (0, b"")
