"""Benchmark 1, the batch: what a row costs beside the shortest loop over the SDK, and beside what people use.

python -m benchmarks.bench_rows
"""

import http.client
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from tempfile import NamedTemporaryFile
from typing import Any

from benchmarks.contestants import (
    ROOT,
    Contestant,
    NotInstalled,
    contestant,
    cpu_of,
    model_server,
    status_of,
    web_server,
)
from benchmarks.project import deployed, manage, token_of_an_operator
from benchmarks.report import Report, median_ratio

ROWS = 50
ROUNDS = 9
NOTE = "Rechnung 4711 der Musterbau GmbH: Material und Montage, Gesamtbetrag 1.234,50 EUR, zahlbar in 30 Tagen."
OURS = {"rows.py": "our_rows.py", "stored run": "our_stored_rows.py"}
PEERS = {
    "pydantic-ai": ("pydantic_ai_rows.py", "pydantic_ai"),
    "openai-agents": ("openai_agents_rows.py", "openai_agents"),
    "LangChain": ("langchain_rows.py", "langchain"),
}
SHORTEST = "shortest loop"
LIMITS = {"rows.py": ("row_cpu", 0.45), "stored run": ("stored_row_cpu", 0.8)}

Costs = dict[str, list[dict[str, float]]]


def task_of(environment: Mapping[str, str], model_url: str) -> dict[str, Any]:
    """What every contender does: our prompt, our tool, one note."""
    shown = manage(environment, "shell", "-c", SHOW_TASK, capture_output=True).stdout
    own = {"base_url": model_url, "note": NOTE, "database_url": environment["DATABASE_URL"]}
    return {**json.loads(shown.splitlines()[-1]), **own}


SHOW_TASK = """
import json
from django.conf import settings
from summarizer.prompts import SYSTEM_PROMPT
from summarizer.rows import MAX_TOKENS, NORMALIZE_AMOUNT
print(json.dumps({"model": settings.LLM_MODEL, "prompt": SYSTEM_PROMPT, "tool": NORMALIZE_AMOUNT.declaration,
                  "max_tokens": MAX_TOKENS}))
"""


@contextmanager
def contenders(task: Mapping[str, Any], report: Report, *, peers: bool) -> Iterator[list[Contestant]]:
    with ExitStack() as stack:
        entered = [stack.enter_context(contestant(SHORTEST, "shortest_loop.py", task))]
        entered += [stack.enter_context(contestant(name, script, task)) for name, script in OURS.items()]
        for name, (script, environment) in PEERS.items() if peers else ():
            try:
                entered.append(stack.enter_context(contestant(name, script, task, environment)))
            except NotInstalled as error:
                report.say(f"left out: {error}")
        yield entered


def rounds_of(entered: Sequence[Contestant], rounds: int, rows: int) -> Costs:
    costs: Costs = {each.name: [] for each in entered}
    for _ in range(rounds):
        for each in entered:
            costs[each.name].append(each.round(rows))
    return costs


def tell(costs: Costs, report: Report, rows: int, *, paced: bool) -> None:
    cpu = {name: [cost["cpu"] for cost in rounds] for name, rounds in costs.items()}
    wall = {name: [cost["wall"] for cost in rounds] for name, rounds in costs.items()}
    report.table(
        f"A row, {'an event a read' if paced else 'whole answers'} (CPU and wall beside the {SHORTEST})",
        ("", "CPU", "wall", "CPU ms/row", "MB", "threads"),
        [
            (
                name,
                f"{median_ratio(cpu[name], cpu[SHORTEST]):.2f}",
                f"{median_ratio(wall[name], wall[SHORTEST]):.2f}",
                f"{statistics.median(cpu[name]) / rows * 1000:.1f}",
                f"{costs[name][-1]['megabytes']:.0f}",
                f"{costs[name][-1]['threads']:.0f}",
            )
            for name in costs
        ],
    )
    for name, (limit_name, limit) in LIMITS.items():
        suffix = "_paced" if paced else ""
        report.ratio(limit_name + suffix, median_ratio(cpu[name], cpu[SHORTEST]), limit)


def measure_rows(report: Report, *, peers: bool = True, rounds: int = ROUNDS, rows: int = ROWS) -> None:
    for paced in (False, True):
        with (
            model_server(paced=paced) as url,
            deployed(url) as environment,
            contenders(task_of(environment, url), report, peers=peers and not paced) as entered,
        ):
            tell(rounds_of(entered, rounds, rows), report, rows, paced=paced)


def measure_doors(report: Report) -> None:
    """The same rows through the endpoint and through the command."""
    with model_server() as url, deployed(url) as environment:
        _endpoint(report, environment)
        _command(report, environment)


def _endpoint(report: Report, environment: Mapping[str, str]) -> None:
    token = token_of_an_operator(environment)
    body = json.dumps({"rows": [{"row_id": number, "text": NOTE} for number in range(1, ROWS + 1)]})
    headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
    with web_server(sys.executable, "backoffice.asgi:application", environment) as (port, process_id):
        costs = []
        for _ in range(4):
            cpu, wall = cpu_of(process_id), time.perf_counter()
            connection = http.client.HTTPConnection("127.0.0.1", port)
            connection.request("POST", "/summaries/batch", body, headers)
            assert len(json.load(connection.getresponse())["summaries"]) == ROWS
            costs.append((cpu_of(process_id) - cpu, time.perf_counter() - wall))
        report.figure("POST /summaries/batch, CPU", min(costs[1:])[0] / ROWS * 1000, "ms/row")
        report.figure("POST /summaries/batch, wall", min(costs[1:])[1] / ROWS * 1000, "ms/row")
        report.figure("POST /summaries/batch, memory", status_of(process_id)["VmHWM"] / 1024, "MB")


def _command(report: Report, environment: Mapping[str, str]) -> None:
    with NamedTemporaryFile("w", suffix=".jsonl") as notes:
        for number in range(1, 10 * ROWS + 1):
            notes.write(json.dumps({"row_id": number, "text": NOTE}) + "\n")
        notes.flush()
        command = [sys.executable, "manage.py", "summarise_batch", "--input", notes.name]
        started = time.perf_counter()
        process = subprocess.Popen(command, cwd=ROOT, env=dict(environment), stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        assert status == 0
    wall, rows = time.perf_counter() - started, 10 * ROWS
    report.figure(
        f"summarise_batch, {rows} rows, CPU with its start", (used.ru_utime + used.ru_stime) / rows * 1000, "ms/row"
    )
    report.figure(f"summarise_batch, {rows} rows, wall with its start", wall / rows * 1000, "ms/row")
    report.figure("summarise_batch, memory", used.ru_maxrss / 1024, "MB")


def main(report: Report, *, limits_only: bool = False) -> None:
    measure_rows(report)
    if not limits_only:
        measure_doors(report)


if __name__ == "__main__":
    main(Report())
