"""What the job says: plain lines off a terminal, one JSON object for programs, a bar on a terminal."""

import io
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError
from django.db.backends.utils import CursorWrapper
from pytest_django import Settings

from backoffice import database
from summarizer.models import Outcome, Run, RunState
from summarizer.reporting import Screen
from summarizer.runs import lease
from tests.process.programs import Programs, programs
from tests.summarizer.command.conftest import Batch
from tests.summarizer.making import claimed_run, queued_run, rows_of, store, summarised

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def test_off_a_terminal_there_are_neither_escape_codes_nor_carriage_returns(
    batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    queued_run("One.", "Two. [[fault:400]]")
    ran = batch("--show-rows")
    assert CONTROL.search(ran.out + ran.err) is None
    assert "Rows: 2, 1 summarised" in ran.out


def test_each_failed_row_is_named_with_its_reason_and_what_to_do(batch: Batch) -> None:
    run = queued_run("One.", "Two. [[fault:eof]]", "Three. [[fault:400]]")
    said = batch().out
    assert f"Run {run.pk}, row 2: failed (interrupted): The stream ended without a stop reason." in said
    assert f"Run {run.pk}, row 3: failed (rejected): " in said
    assert "1 × interrupted: the answer was cut off: --requeue-failed" in said
    assert "1 × rejected: the provider refuses the note or our key" in said


def test_a_note_is_not_said_unless_rows_are_asked_for(batch: Batch) -> None:
    queued_run("A secret of the customer.", "A secret of another. [[fault:eof]]")
    assert "secret" not in batch().out


def test_the_last_line_for_programs_is_one_json_object_with_the_counts_of_this_job(batch: Batch) -> None:
    queued_run("Earlier.")
    batch()
    run = queued_run("One costs 7 EUR.", "Two. [[fault:length]]", "Three. [[fault:400]]")
    counts = batch("--json").json
    expected = {"runs": 1, "rows": 3, "summarised": 2, "failed": 1, "warned": 1, "left": 0, "exit_status": 3}
    assert {name: counts[name] for name in expected} == expected
    [failed] = counts["failed_rows"]
    assert (failed["run_id"], failed["row_id"], failed["attempt"], failed["code"]) == (run.pk, 3, 1, "rejected")
    assert counts["failures"] == {"rejected": 1}


def test_costs_are_summed_and_what_is_unknown_is_told_and_not_counted(batch: Batch) -> None:
    queued_run("One.", "Two. [[fault:no-usage]]")
    ran = batch("--json")
    known, unknown = rows_of(Outcome.objects.first().run_id)  # type: ignore[union-attr]
    assert (ran.json["rows_of_unknown_cost"], ran.json["tokens_known"]) == (1, False)
    assert ran.json["cost"] == f"{known.cost.normalize():f}"
    assert (ran.json["input_tokens"], unknown.cost) == (known.input_tokens, None)
    assert "at least " in ran.err


def test_tokens_are_known_where_only_the_price_is_not(batch: Batch, settings: Settings) -> None:
    settings.LLM_MODEL = "somebody-elses-model"
    queued_run("One.")
    ran = batch("--json")
    [row] = Outcome.objects.all()
    known = {"cost": None, "tokens_known": True, "rows_of_unknown_cost": 1, "rows_of_unknown_tokens": 0}
    known |= {"input_tokens": row.input_tokens, "output_tokens": row.output_tokens}
    assert {name: ran.json[name] for name in known} == known
    assert f" 0 failed. {row.input_tokens:,} tokens in, {row.output_tokens} out, of unknown cost." in ran.err


def test_a_cost_is_written_out_for_programs_however_small(batch: Batch, settings: Settings) -> None:
    settings.LLM_PRICES = {settings.LLM_MODEL: {"input": "0.000001", "cached": "0", "output": "0"}}
    queued_run("One.")
    assert re.fullmatch(r"0\.0+[1-9]\d*", batch("--json").json["cost"])


def test_unknown_is_null_and_never_nothing(batch: Batch) -> None:
    queued_run("One. [[fault:no-usage]]")
    ran = batch("--json")
    assert [ran.json[name] for name in ("cost", "input_tokens", "output_tokens", "tokens_known")] == [None] * 3 + [
        False
    ]
    assert "Tokens and cost are unknown." in ran.err


def test_a_job_with_nothing_to_do_costs_nothing(batch: Batch) -> None:
    counts = batch("--json").json
    assert (counts["cost"], counts["input_tokens"], counts["tokens_known"]) == ("0", 0, True)


def test_the_table_of_outcomes_is_left_out_where_the_database_is_away(
    batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a restart of the database in the night that takes too long."""

    def execute(cursor: CursorWrapper, sql: str, params: Any = None) -> Any:
        if '"summarizer_outcome"."run_id" IN' in sql and "ORDER BY" in sql:
            raise OperationalError("server closed the connection unexpectedly")
        return working(cursor, sql, params)

    working = CursorWrapper.execute
    monkeypatch.setattr(CursorWrapper, "execute", execute)
    monkeypatch.setattr(database, "PATIENCE_SECONDS", 0.1)
    ran = batch("--input", "-", "--format", "jsonl", "--show-rows", "--json", stdin=TABLE)
    assert "The outcomes cannot be shown: the database is away." in ran.err
    assert ran.json["rows"] == 2


@pytest.mark.parametrize("arguments", [(), ("--dry-run",)], ids=["nothing to do", "dry run"])
def test_there_is_a_json_object_even_where_nothing_was_done(batch: Batch, arguments: tuple[str, ...]) -> None:
    counts = batch("--json", *arguments).json
    assert (counts["runs"], counts["rows"], counts["exit_status"]) == (0, 0, 0)


def test_for_programs_stdout_holds_nothing_else(batch: Batch) -> None:
    queued_run("One. [[fault:400]]")
    assert len(batch("--json").out.splitlines()) == 1


def test_held_runs_are_in_the_json_with_the_seconds_left(batch: Batch) -> None:
    held = claimed_run("One.")
    [named] = batch("--json").json["held"]
    assert named["run_id"] == held.run_id
    assert 0 < named["seconds_left"] <= 60


def test_the_table_of_outcomes_shows_amounts_summaries_and_reasons(batch: Batch, tmp_path: object) -> None:
    ran = batch("--input", "-", "--format", "jsonl", "--show-rows", stdin=TABLE)
    assert "1200.50" in ran.out
    assert "rejected" in ran.out


TABLE = b'{"row_id": 1, "text": "Invoice over 1.200,50 EUR."}\n{"row_id": 2, "text": "Two. [[fault:400]]"}'


@pytest.mark.django_db
def test_what_a_model_wrote_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    claimed = claimed_run("One.")
    store(claimed, rows_of(claimed.run_id)[0], summarised("A \x1b[2Jsummary\r\nof [bold]two[/bold] lines."))
    lease.end(claimed)
    Screen(sys.stdout).outcomes(Run.objects.all())
    said = capsys.readouterr().out
    assert CONTROL.search(said) is None
    assert "[bold]" in said


def closed_pipe() -> int:
    unread, written = os.pipe()
    os.close(unread)
    return written


def full_disk() -> int:
    return os.open("/dev/full", os.O_WRONLY)


@pytest.mark.parametrize("nowhere", [closed_pipe, full_disk])
def test_an_output_that_nobody_takes_any_more_is_no_error(nowhere: Callable[[], int]) -> None:
    with os.fdopen(nowhere(), "w", encoding="ascii") as stream:
        screen = Screen(stream)
        for _ in range(3):
            screen.say("Geprüft.")
            stream.flush()
        assert stream.write("on") == 2


@pytest.mark.process
@pytest.mark.parametrize("nowhere", [closed_pipe, full_disk])
@pytest.mark.parametrize("arguments", [(), ("--json", "--show-rows")], ids=["plain", "json and rows"])
def test_the_work_is_done_where_nobody_reads_what_is_said(
    transactional_db: None, nowhere: Callable[[], int], arguments: tuple[str, ...]
) -> None:
    queued_run("One.", "Two.")
    with programs(LLM_PROVIDER="scripted") as running:
        job = running.job(*arguments, stdout=nowhere(), stderr=subprocess.PIPE)
        _, errors = job.communicate(timeout=60)
    assert (job.returncode, Outcome.objects.filter(state="summarised").count()) == (0, 2)
    assert "Traceback" not in errors


@pytest.mark.process
def test_characters_that_the_output_cannot_hold_are_replaced(transactional_db: None) -> None:
    with programs(LLM_PROVIDER="scripted", PYTHONIOENCODING="ascii") as running:
        job = running.job("--input", "-", "--format", "jsonl", "--show-rows", stdin=subprocess.PIPE)
        said, _ = job.communicate('{"row_id": 1, "text": "Müller: 5 €"}', timeout=60)
    assert job.returncode == 0
    assert "M?ller" in said


def on_a_terminal(running: Programs, *arguments: str) -> tuple[int, str]:
    """The job on a pseudo-terminal: its exit status and everything the terminal was sent."""
    terminal, end = pty.openpty()
    job = running.job(*arguments, stdout=end, stderr=end, stdin=end)
    os.close(end)
    sent = b""
    try:
        while piece := os.read(terminal, 65_536):
            sent += piece
    except OSError:  # Linux says EIO where the other end is closed
        pass
    finally:
        os.close(terminal)
    return job.wait(60), sent.decode()


@pytest.mark.process
def test_on_a_terminal_a_bar_moves(transactional_db: None) -> None:
    queued_run(*(f"Delivery {number}." for number in range(9)), "Ten. [[fault:400]]")
    with programs(LLM_PROVIDER="scripted", TERM="xterm", COLUMNS="120") as running:
        status, sent = on_a_terminal(running)
    assert status == 3
    assert "\x1b[" in sent
    assert "Summarising" in sent
    assert "10/10" in sent
    assert "1 failed" in sent
    assert "Rows: 10, 9 summarised" in sent


@pytest.mark.process
def test_real_processes_end_with_the_statuses_of_usage_and_configuration(transactional_db: None) -> None:
    with programs(LLM_PROVIDER="openai", OPENAI_API_KEY="") as running:
        wrong = running.job("--concurrency", "none", stderr=subprocess.PIPE)
        unconfigured = running.job(stderr=subprocess.PIPE)
        said = [process.communicate(timeout=60) for process in (wrong, unconfigured)]
    assert [wrong.returncode, unconfigured.returncode] == [2, 1]
    assert "it must be a whole number of at least 1" in said[0][1]
    assert "OPENAI_API_KEY" in said[1][1]
    assert "Traceback" not in said[1][1]


def test_a_run_whose_end_could_not_be_stored_is_told_so() -> None:
    said = io.StringIO()
    Screen(said).run_ended(5, RunState.RUNNING)
    assert said.getvalue() == "Run 5: its end could not be stored; the next job goes on with it\n"
