"""Command-line options into a running server, for `manage.py scripted_model` and for processes without Django."""

import asyncio
import re
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from backoffice.llm.scripted.captures import read_captures
from backoffice.llm.scripted.cases import CaseBook
from backoffice.llm.scripted.faults import parse_faults
from backoffice.llm.scripted.misbehaviour import Pace
from backoffice.llm.scripted.model import Options, ScriptedModel
from backoffice.llm.scripted.random_faults import DEFAULT_MIX, RandomFaults
from backoffice.llm.scripted.request_log import request_log
from backoffice.llm.scripted.script import Script
from backoffice.llm.scripted.server import Address, serve


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=_port, default=8901, help="0 takes any free port (default: %(default)s)")
    parser.add_argument("--faults", default="", help="faults for every request, such as '429*2; delay=0.05'")
    parser.add_argument(
        "--fault-rate", type=float, default=0.0, help="share of requests that draw a random fault, 0 to 1"
    )
    parser.add_argument("--fault-mix", default=DEFAULT_MIX, help="what is drawn from (default: '%(default)s')")
    parser.add_argument("--seed", type=int, default=0, help="of the random faults (default: %(default)s)")
    parser.add_argument("--ttft", type=_seconds, default=0.0, help="seconds to the first token of every answer")
    parser.add_argument("--delay", type=_seconds, default=0.0, help="seconds between the chunks of every answer")
    parser.add_argument("--log", type=Path, help="append one JSON line per model call to this file")
    parser.add_argument("--cases", type=Path, help="a directory of captures, played under /case/NAME/v1")


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65_535:
        raise ArgumentTypeError(f"{text!r} is no port; ports go from 0 to 65535")
    return int(text)


def _seconds(text: str) -> float:
    if re.fullmatch(r"\d{1,6}(\.\d{1,6})?", text) is None:
        raise ArgumentTypeError(f"{text!r} is no number of seconds")
    return float(text)


def options_from(arguments: Mapping[str, Any]) -> Options:
    """Raises ValueError for a fault, a mix or a rate that is none."""
    return Options(
        faults=parse_faults(arguments["faults"]),
        random_faults=RandomFaults(arguments["fault_rate"], arguments["seed"], parse_faults(arguments["fault_mix"])),
        pace=Pace(arguments["ttft"], arguments["delay"]),
    )


def run_server(arguments: Mapping[str, Any], announce: Callable[[Address], None]) -> None:
    """Serve until SIGTERM or SIGINT. Raises OSError and ValueError."""
    with request_log(arguments["log"]) as observer:
        model = ScriptedModel(options_from(arguments), observer)
        handler = CaseBook(_captures(arguments["cases"]), model)
        asyncio.run(serve(handler, arguments["host"], arguments["port"], announce))


def _captures(directory: Path | None) -> Mapping[str, Script]:
    return {} if directory is None else read_captures(directory)
