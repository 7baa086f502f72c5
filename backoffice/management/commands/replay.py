"""Plays saved wire captures to the product's own client, for support and for bug reports: what did this stream mean?

Each capture is served on a port of this machine and read as a provider's answer would be, retries and time limits
included; `backoffice/llm/scripted/captures.py` documents the format.
"""

from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from backoffice.llm.client import ModelConfig, run_to_end
from backoffice.llm.events import Completion, Event
from backoffice.llm.failures import SENTENCES
from backoffice.llm.record import record
from backoffice.llm.scripted.captures import CaptureError, read_capture
from backoffice.llm.scripted.doors import Answer, HttpCall
from backoffice.llm.scripted.script import Script
from backoffice.llm.scripted.server import serving
from backoffice.llm.streaming import ModelRequest, ModelStream
from backoffice.llm.tools import Tool
from backoffice.terminal import terminal_json

USUAL_TOOLS = ("normalize_amount", "get_weather")
ANYTHING = {"type": "object"}


@dataclass(frozen=True, slots=True)
class _Played:
    script: Script

    def handle(self, _call: HttpCall) -> Answer:
        return Answer(self.script)


class Command(BaseCommand):
    help = "Replay saved model streams: print each one's events, the completion they add up to, and the verdict."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument(
            "--tool",
            action="append",
            metavar="NAME",
            help=f"a tool the model was told of, as often as needed (default: {' and '.join(USUAL_TOOLS)})",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            scripts = [(path, read_capture(path)) for path in options["files"]]
        except (CaptureError, OSError) as error:
            raise CommandError(str(error)) from None
        run_to_end(self._replay_all(scripts, options["tool"] or USUAL_TOOLS))

    async def _replay_all(self, scripts: Sequence[tuple[Path, Script]], tool_names: Sequence[str]) -> None:
        tools = tuple(Tool(name, "", ANYTHING, dict) for name in tool_names)
        request = ModelRequest([{"role": "user", "content": "replay"}], 1, tools=tools)
        for path, script in scripts:
            self.stdout.write(f"== {path.name}")
            async with (
                serving(_Played(script)) as address,
                ModelStream(request, _config(address.base_url)) as stream,
            ):
                async for event in stream:
                    self.stdout.write(_line(event))
            self._print(stream.completion)

    def _print(self, completion: Completion) -> None:
        answer = record(completion, [])["answer"]
        self.stdout.write(f"completion {terminal_json(answer, indent=2)}")
        self.stdout.write(f"verdict {_verdict(completion)}\n")


def _config(base_url: str) -> ModelConfig:
    return ModelConfig(
        "openai", settings.LLM_MODEL, "replay", base_url, settings.LLM_CHUNK_TIMEOUT, settings.LLM_CALL_TIMEOUT
    )


def _line(event: Event) -> str:
    return f"{type(event).__name__} {terminal_json(asdict(event))}"


def _verdict(completion: Completion) -> str:
    failure = completion.failure
    if failure is None:
        return f"usable: it ended with {completion.stop_reason}"
    return f"not usable: {failure.code} ({failure.detail or SENTENCES[failure.code]})"
