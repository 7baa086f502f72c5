"""`manage.py rehearse`: what it prints, what it takes, and how it ends."""

import json
import os
import subprocess

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.db.backends.utils import CursorWrapper
from pytest_django import Settings

from tests.audit.ageing import finished_run
from tests.process.programs import programs
from tests.summarizer.making import queued_run

pytestmark = pytest.mark.django_db(transaction=True)
NEW = "gpt-next-2027-01-01"


def rehearse(*options: str) -> int:
    try:
        call_command("rehearse", "--model", NEW, *options)
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def test_it_says_what_changed_first_and_sums_it_up_last(capsys: pytest.CaptureFixture[str]) -> None:
    run_id = finished_run("Invoice 7: 12.50 EUR.")
    assert rehearse() == 3
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"1 notes are summarised with {NEW}, for a cost that is unknown."
    assert lines[1].startswith(f"Run {run_id}, row 1: changed amounts: none became ")
    assert lines[2] == "  stored: A summary."
    assert lines[3].startswith("  now   : ")
    assert f"1 of 1 notes with {NEW}, stored with gpt-4o-mini-2024-07-18:" in lines
    assert "  1 with changed amounts" in lines
    assert lines[-1] == "Nothing was stored."


def test_a_note_that_fails_is_told_with_its_code(capsys: pytest.CaptureFixture[str]) -> None:
    finished_run("One. [[fault:400]]")
    assert rehearse() == 3
    out = capsys.readouterr().out
    assert "end otherwise (failures, warnings)" in out
    assert "  now   : failed (rejected)" in out


def test_json_is_one_object_on_the_last_line(capsys: pytest.CaptureFixture[str]) -> None:
    run_id = finished_run("Invoice 7: 12.50 EUR.", "fails timeout")
    status = rehearse("--json")
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (told["model"], told["notes"], told["done"], told["exit_status"]) == (NEW, 2, 2, status)
    assert told["counts"] == {"amounts": 1, "outcome": 1, "wording": 0, "none": 0}
    first = told["compared"][0]
    assert (first["run_id"], first["row_id"], first["change"]) == (run_id, 1, "amounts")
    assert first["before"] == {"summary": "A summary.", "failure": "", "warnings": [], "amounts": []}
    assert any("12.50" in amount for amount in first["after"]["amounts"])


@pytest.mark.parametrize(("option", "notes"), [("--last=1", 1), ("--last=9", 3), ("--concurrency=2", 3)])
def test_how_many_notes_is_an_option(capsys: pytest.CaptureFixture[str], option: str, notes: int) -> None:
    finished_run("One.", "Two.", "Three.")
    rehearse(option)
    assert capsys.readouterr().out.startswith(f"{notes} notes are summarised")


def test_only_the_notes_of_the_named_runs_are_rehearsed(capsys: pytest.CaptureFixture[str]) -> None:
    first, second, third = (finished_run(f"Invoice {number}: 12.50 EUR.") for number in range(3))

    def rehearsed(runs: str) -> list[int]:
        rehearse("--json", "--runs", runs)
        told = json.loads(capsys.readouterr().out.splitlines()[-1])
        return sorted(each["run_id"] for each in told["compared"])

    assert rehearsed(f"{first}-{second}") == [first, second]
    assert rehearsed(f"{first},{third}") == [first, third]


@pytest.mark.parametrize("options", [("--runs", "x"), ("--runs", "3-"), ("--runs", "1,,2"), ("--last", "0")])
def test_what_names_no_notes_is_refused(options: tuple[str, str]) -> None:
    with pytest.raises(CommandError, match="must be"):
        rehearse(*options)


def test_nothing_to_rehearse_could_not_run() -> None:
    queued_run()
    with pytest.raises(CommandError, match="no note to rehearse"):
        rehearse()


@pytest.mark.parametrize("model", ["", " "])
def test_a_model_that_is_empty_is_refused(model: str) -> None:
    finished_run("One.")
    with pytest.raises(CommandError, match="--model is empty"):
        rehearse("--model", model)


def test_a_database_that_cannot_be_used_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OperationalError("server closed the connection unexpectedly")

    with monkeypatch.context() as within:
        within.setattr(CursorWrapper, "execute", refuse)
        with pytest.raises(CommandError, match=r"The database cannot be used \(OperationalError\)"):
            rehearse()


@pytest.mark.process
@pytest.mark.parametrize("options", [(), ("--json",)], ids=["plain", "json"])
def test_it_ends_as_it_would_have_where_nobody_reads_what_it_says(options: tuple[str, ...]) -> None:
    finished_run("Invoice 7: 12.50 EUR.")
    unread, written = os.pipe()
    os.close(unread)
    with programs(LLM_PROVIDER="scripted") as running:
        arguments = ("manage.py", "rehearse", "--model", NEW, *options)
        process = running.start(*arguments, stdout=written, stderr=subprocess.PIPE)
        os.close(written)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "Traceback" not in errors
    assert "BrokenPipe" not in errors


def test_without_a_model_it_says_what_to_set(settings: Settings) -> None:
    settings.LLM_PROVIDER = "openai"
    with pytest.raises(CommandError, match="OPENAI_API_KEY"):
        rehearse()
