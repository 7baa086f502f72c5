"""The model server of a torture test: the scripted model, and a log of what each answer said word for word.

`python -m benchmarks.torture.model LOG`, then the options of `manage.py scripted_model`. The notes are made up, so the
log may quote what was said about them.
"""

import json
import sys
import time
from argparse import ArgumentParser
from asyncio import run
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from backoffice.llm.scripted import ScriptedModel
from backoffice.llm.scripted.doors import Answer, Exchange, HttpCall
from backoffice.llm.scripted.script import Script
from backoffice.llm.scripted.server import serve
from backoffice.llm.scripted.serving import add_arguments, options_from


class LoggedModel:
    """Answers as the scripted model does; a line is written when a request comes and when its answer has ended."""

    def __init__(self, model: ScriptedModel, lines: TextIO) -> None:
        self._model, self._lines = model, lines
        self._number = 0

    def handle(self, call: HttpCall) -> Answer:
        came = time.time()
        answer = self._model.handle(call)
        if answer.exchange is None:
            return answer
        self._number += 1
        number, retry = self._number, call.headers.get("x-stainless-retry-count", "0")
        asked = {"note": answer.exchange.user_sha256, "call": answer.exchange.call, "retry": int(retry)}
        self._write({"number": number, "came": came, **asked})

        def ended(exchange: Exchange) -> None:
            said = text_of(answer.script)
            self._write({"number": number, "ended": exchange.ended, "faults": exchange.faults, "said": said})

        return Answer(answer.script, answer.exchange, ended)

    def _write(self, record: dict[str, Any]) -> None:
        self._lines.write(json.dumps(record) + "\n")


def text_of(script: Script) -> str:
    """What an answer says, read without the product's own reader: every piece of content, joined."""
    body = b"".join(step for step in script.body if isinstance(step, bytes))
    return "".join(_pieces(body))


def _pieces(body: bytes) -> Iterator[str]:
    for line in body.split(b"\n"):
        try:
            choices = json.loads(line.removeprefix(b"data: "))["choices"]
            piece = choices[0]["delta"]["content"]
        except (ValueError, LookupError, TypeError):
            continue
        if isinstance(piece, str):
            yield piece


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("log_file", type=Path)
    add_arguments(parser)
    options = vars(parser.parse_args())
    with options["log_file"].open("a", encoding="utf-8", buffering=1) as lines:
        model = LoggedModel(ScriptedModel(options_from(options)), lines)
        run(serve(model, options["host"], options["port"], lambda address: print(address.base_url, flush=True)))


if __name__ == "__main__":
    sys.exit(main())
