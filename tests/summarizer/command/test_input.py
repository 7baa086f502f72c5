"""New notes from a file or standard input, in any of the formats."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from summarizer.models import Outcome, Run, RunState, Trigger
from tests.process.programs import csv_of
from tests.summarizer.command.conftest import Batch
from tests.summarizer.making import failed_rows, queued_run, states_of

ROWS = [{"row_id": 7, "text": "Überweisung, dringend"}, {"row_id": 3, "text": "Second\nline"}]


def as_csv() -> bytes:
    return 'row_id,text\n7,"Überweisung, dringend"\n3,"Second\nline"\n'.encode()


def as_json() -> bytes:
    return json.dumps(ROWS).encode()


def as_json_lines() -> bytes:
    return "\n".join(map(json.dumps, ROWS)).encode()


def as_xlsx() -> bytes:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(["row_id", "text"])
    for row in ROWS:
        book.active.append([row["row_id"], row["text"]])
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


FORMATS = {"csv": as_csv, "json": as_json, "jsonl": as_json_lines, "xlsx": as_xlsx}


def stored() -> list[dict[str, object]]:
    return list(Outcome.objects.order_by("position").values("row_id", "text"))


@pytest.mark.parametrize(("name", "content"), FORMATS.items(), ids=FORMATS)
def test_a_file_is_read_by_its_name(batch: Batch, tmp_path: Path, name: str, content: Callable[[], bytes]) -> None:
    path = tmp_path / f"notes.{name}"
    path.write_bytes(content())
    assert batch("--input", str(path)).status == 0
    assert stored() == ROWS
    run = Run.objects.get()
    assert (run.trigger, run.source, run.state) == (Trigger.COMMAND, f"notes.{name}", RunState.COMPLETED)


@pytest.mark.parametrize(("name", "content"), FORMATS.items(), ids=FORMATS)
def test_standard_input_is_read_in_the_format_that_is_given(
    batch: Batch, name: str, content: Callable[[], bytes]
) -> None:
    assert batch("--input", "-", "--format", name, stdin=content()).status == 0
    assert stored() == ROWS
    assert Run.objects.get().source == "standard input"


def test_standard_input_without_a_format_is_refused(batch: Batch) -> None:
    ran = batch("--input", "-", stdin=as_csv())
    assert ran.status == 1
    assert "csv, json, jsonl, xlsx" in ran.err


def test_a_hundred_notes_make_two_runs_in_the_order_of_the_file(batch: Batch, tmp_path: Path) -> None:
    texts = [f"Delivery {number}." for number in range(100)]
    assert batch("--input", csv_of(tmp_path / "notes.csv", texts)).status == 0
    runs = Run.objects.order_by("pk")
    assert [list(run.outcomes.values_list("text", flat=True)) for run in runs] == [texts[:50], texts[50:]]


def test_a_bad_file_is_refused_whole_with_every_bad_line(batch: Batch, tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_text("row_id,text\n1,Good.\nx,Bad id.\n3,\n1,Twice.\n0,Too low.\n")
    ran = batch("--input", str(path))
    assert ran.status == 1
    assert not Run.objects.exists()
    assert [f"on line {line}:" in ran.err for line in range(2, 7)] == [False, True, True, True, True]
    assert "no model was called" in ran.err


def test_a_bad_file_stops_the_job_before_what_waits(batch: Batch, tmp_path: Path) -> None:
    waiting = queued_run("Waiting.")
    path = tmp_path / "notes.csv"
    path.write_text("row_id,text\nx,Bad id.\n")
    assert batch("--input", str(path)).status == 1
    assert states_of(waiting.pk) == ["pending"]


def test_an_empty_file_queues_nothing(batch: Batch, tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_text("row_id,text\n")
    batch("--input", str(path))
    assert not Run.objects.exists()


def test_notes_that_were_summarised_before_are_counted_and_named(batch: Batch, tmp_path: Path) -> None:
    notes = csv_of(tmp_path / "notes.csv", ["One.", "Two."])
    batch("--input", notes)
    more = csv_of(tmp_path / "more.csv", ["One.", "Three.", "Two."])
    ran = batch("--input", more, "--json")
    assert "2 notes were summarised before (same text, model and prompt): rows 1, 3" in ran.err
    assert (ran.json["known"], ran.json["rows"]) == ([1, 3], 3)


def test_known_notes_can_be_left_out(batch: Batch, tmp_path: Path) -> None:
    batch("--input", csv_of(tmp_path / "notes.csv", ["One.", "Two."]))
    ran = batch("--input", csv_of(tmp_path / "more.csv", ["One.", "Three.", "Two."]), "--skip-known", "--json")
    assert (ran.status, ran.json["known"], ran.json["rows"]) == (0, [1, 3], 1)


def test_a_long_list_of_known_notes_is_cut(batch: Batch, tmp_path: Path) -> None:
    notes = csv_of(tmp_path / "notes.csv", [f"Delivery {number}." for number in range(25)])
    batch("--input", notes)
    ran = batch("--input", notes, "--skip-known")
    assert "rows 1, 2, 3," in ran.out
    assert "19, 20 and 5 more" in ran.out
    assert "nothing to do" in ran.out


@pytest.mark.parametrize("requeue", [(), ("--requeue-failed",)], ids=["new", "new and failed"])
def test_a_dry_run_says_what_would_be_done_and_stores_nothing(
    batch: Batch, tmp_path: Path, requeue: tuple[str, ...]
) -> None:
    failed_rows("Failed.")
    queued_run("Waiting.")
    before = (Run.objects.count(), Outcome.objects.count())
    ran = batch("--input", csv_of(tmp_path / "notes.csv", ["One.", "Two."]), "--dry-run", *requeue)
    assert ran.status == 0
    assert "2 new notes would be queued." in ran.out
    assert f"{3 + len(requeue)} rows would be worked on. A dry run" in ran.out
    assert (Run.objects.count(), Outcome.objects.count()) == before
    assert not Outcome.objects.filter(state="summarised").exists()


def test_a_file_with_a_header_alone_is_nothing_new_and_what_waits_is_worked_off(batch: Batch) -> None:
    assert "nothing to do" in batch("--input", "-", "--format", "csv", stdin=b"row_id,text\n").out
    queued_run("Waiting.")
    ran = batch("--input", "-", "--format", "csv", "--json", stdin=b"row_id,text\n")
    assert (ran.status, ran.json["rows"]) == (0, 1)


def test_a_file_with_nothing_in_it_is_refused(batch: Batch) -> None:
    ran = batch("--input", "-", "--format", "csv")
    assert (ran.status, "the file is empty" in ran.err) == (1, True)


def test_what_was_not_read_of_a_workbook_is_said(batch: Batch, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for sheet, cells in ((book.active, ("Notes of November",)), (book.create_sheet("Data"), ("row_id", "text"))):
        assert sheet is not None
        sheet.append(cells)
    book["Data"].insert_rows(1)
    book["Data"]["A1"] = "A title"
    book.save(tmp_path / "notes.xlsx")
    said = batch("--input", str(tmp_path / "notes.xlsx")).out
    assert "Only the sheet Data was read, not Sheet: put each in a file of its own." in said
    assert "1 line above the header left out." in said


def test_a_guess_at_the_encoding_is_said(batch: Batch) -> None:
    said = batch("--input", "-", "--format", "csv", stdin="row_id,text\n1,Büro\n".encode("cp1252")).out
    assert "The file is not UTF-8: it was read as Windows-1252, which is a guess." in said


@pytest.mark.parametrize("name", ["", " "])
def test_a_name_that_is_empty_is_refused_and_not_taken_for_no_input(batch: Batch, name: str) -> None:
    waiting = queued_run("Waiting.")
    ran = batch("--input", name)
    assert (ran.status, ran.err) == (1, "--input is empty: is the variable set that it is given by?")
    assert states_of(waiting.pk) == ["pending"]
