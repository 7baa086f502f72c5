"""Notes come in by file or paste, are shown as they were read, put right, and queued once."""

import json
import re
from collections.abc import Callable
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from summarizer import drafts
from summarizer.models import ImportDraft, Outcome, Run, RunState, Trigger
from tests.admin.night import ended, summary
from tests.admin.staff import make_person, said, signed_in, words
from tests.summarizer.importing.files import sheets, workbook

ADD = "/admin/summarizer/importdraft/add/"
GOOD = "row_id,text\n1,Toner 640.00 EUR\n2,Rent 800.00 EUR\n"
BAD = "row_id,text\n1,Toner\n1,Twice\nx,No number\n4,\n5,Rent\n"


def page_of(name: str, draft: ImportDraft) -> str:
    return reverse(f"admin:summarizer_importdraft_{name}", args=[draft.pk])


def upload(client: Client, name: str, data: bytes) -> Any:
    return client.post(ADD, {"file": SimpleUploadedFile(name, data)})


def imported(client: Client, text: str = GOOD) -> ImportDraft:
    client.post(ADD, {"text": text})
    return ImportDraft.objects.latest("pk")


FILES = {
    "notes.csv": GOOD.encode(),
    "bom.csv": b"\xef\xbb\xbf" + GOOD.encode(),
    "semicolons.csv": GOOD.replace(",", ";").encode(),
    "windows.csv": "Nr;Buchungstext\n1;Bürobedarf 640,00\n2;Miete\n".encode("cp1252"),
    "utf16.csv": GOOD.encode("utf-16"),
    "notes.json": json.dumps([{"row_id": 1, "text": "Toner"}, {"row_id": 2, "text": "Rent"}]).encode(),
    "notes.jsonl": b'{"row_id": 1, "text": "Toner"}\n{"row_id": 2, "text": "Rent"}\n',
    "notes.xlsx": workbook(("Nr", "Note"), (1, "Toner"), (2, "Rent")),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_any_usual_kind_is_read_and_kept(desk: Client, olga: User, name: str) -> None:
    response = upload(desk, name, FILES[name])
    draft = ImportDraft.objects.get()
    assert response.headers["Location"] == page_of("change", draft)
    assert (draft.name, draft.good_rows, draft.bad_rows, draft.created_by) == (name, 2, 0, olga)
    assert "Every row can be queued." in words(desk.get(page_of("change", draft)))


PASTED = {
    "cells of a spreadsheet": "Nr\tNote\n1\tToner\n2\tRent",
    "csv": GOOD,
    "a list": '[{"row_id": 1, "text": "Toner"}, {"row_id": 2, "text": "Rent"}]',
    "a request's body": '{"rows": [{"row_id": 1, "text": "Toner"}, {"row_id": 2, "text": "Rent"}]}',
    "lines": '{"row_id": 1, "text": "Toner"}\n{"row_id": 2, "text": "Rent"}',
}


@pytest.mark.parametrize("text", PASTED.values(), ids=PASTED.keys())
def test_what_is_pasted_is_read_as_what_it_looks_like(desk: Client, text: str) -> None:
    assert imported(desk, text).good_rows == 2


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ({}, "Choose a file, or paste the rows: one of the two."),
        ({"text": GOOD, "file": SimpleUploadedFile("a.csv", b"x")}, "one of the two."),
        ({"file": SimpleUploadedFile("notes.xlsx", b"no workbook")}, "not an Excel workbook"),
        ({"text": "["}, "not valid JSON"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason_and_not_kept(
    desk: Client, data: dict[str, Any], complaint: str
) -> None:
    assert complaint in words(desk.post(ADD, data))
    assert not ImportDraft.objects.exists()


def test_the_preview_names_each_bad_row_with_its_reason(desk: Client) -> None:
    page = words(desk.get(page_of("change", imported(desk, BAD))))
    assert "Good rows 2 Bad rows 3" in page
    assert "on line 3 1 row_id 1 appears twice, first on line 2" in page
    assert 'on line 4 x row_id must be a whole number between 1 and 10000, not the text "x"' in page
    assert "on line 5 4 text is empty" in page


def test_the_preview_says_what_queueing_comes_to(desk: Client) -> None:
    ended(summary(), texts=("Rent 800.00 EUR",))
    page = words(desk.get(page_of("change", imported(desk))))
    assert "Runs they make 1" in page
    assert "summarised before 1" in page
    assert "The most it can cost at most 0.0" in page


def shown(page: str, css_class: str) -> str:
    """The page's words without those that the tick hides."""
    return words(
        SimpleNamespace(content=re.sub(rf'<(\w+)[^>]*{css_class}".*?</\1>', " ", page, flags=re.DOTALL).encode())
    )


def test_its_figures_follow_the_tick_that_leaves_out_rows_summarised_before(desk: Client) -> None:
    texts = [f"Note {number}" for number in range(1, 61)]
    ended(*[summary()] * 50, texts=tuple(texts[:50]))
    draft = imported(desk, "row_id,text\n" + "".join(f"{row},{text}\n" for row, text in enumerate(texts, 1)))
    page = desk.get(page_of("change", draft)).content.decode()
    with_tick, without = shown(page, "desk-if-all"), shown(page, "desk-if-new")
    assert "Queue 10 rows" in with_tick
    assert "Queue 60 rows" in without
    assert "Runs they make 1" in with_tick
    assert "Runs they make 2" in without
    costs = [re.findall(r"can cost at most ([\d.]+) USD", told) for told in (with_tick, without)]
    assert [len(found) for found in costs] == [1, 1]
    assert Decimal(costs[0][0]) * 5 < Decimal(costs[1][0])


def test_where_every_row_was_summarised_before_the_tick_says_that_nothing_is_left(desk: Client) -> None:
    ended(summary(), summary(), texts=("Toner 640.00 EUR", "Rent 800.00 EUR"))
    page = desk.get(page_of("change", imported(desk))).content.decode()
    with_tick, without = shown(page, "desk-if-all"), shown(page, "desk-if-new")
    assert "nothing is left to queue" in with_tick
    assert "Every row can be queued." not in with_tick
    assert "Queue 2 rows" not in with_tick
    assert "nothing is left to queue" not in without
    assert "Queue 2 rows" in without


OWN_NAMES = "Beleg-Nr.,Hinweis\n1,Toner\n1,Twice\nx,\n"
CHOICE = {"row_id": "Beleg-Nr.", "text": "Hinweis"}


def test_reasons_name_the_columns_by_the_names_that_were_chosen(desk: Client) -> None:
    draft = imported(desk, OWN_NAMES)
    desk.post(page_of("columns", draft), CHOICE)
    page = words(desk.get(page_of("change", draft)))
    assert "Where Beleg-Nr. Reason" in page
    assert "on line 3 1 Beleg-Nr. 1 appears twice, first on line 2" in page
    assert 'Beleg-Nr. must be a whole number between 1 and 10000, not the text "x"; Hinweis is empty' in page
    assert "row_id" not in page.split("The first good rows")[0].split("Bad rows: ")[1].split("Or paste")[0]


@pytest.mark.parametrize(("text", "good"), [(OWN_NAMES.replace("x,", "2,Two"), 2), ("row_id,text\n1,A\n2,B\n3,C\n", 3)])
def test_a_corrected_file_keeps_the_columns_chosen_where_its_header_has_them(
    desk: Client, text: str, good: int
) -> None:
    draft = imported(desk, OWN_NAMES)
    desk.post(page_of("columns", draft), CHOICE)
    desk.post(page_of("replace", draft), {"text": text})
    draft.refresh_from_db()
    assert draft.good_rows == good


def test_a_header_that_is_not_understood_asks_for_the_columns_and_calls_no_row_bad(desk: Client) -> None:
    page = words(desk.get(page_of("change", imported(desk, OWN_NAMES))))
    assert "Choose them below" in page
    assert "the header has no column row_id" in page
    assert "Bad rows" not in page
    assert "The most it can cost" not in page


def test_the_text_that_a_spreadsheet_program_saves_is_read_as_a_table(desk: Client) -> None:
    upload(desk, "night.TXT", b"Nr\tNote\n1\tToner\n")
    assert ImportDraft.objects.get().good_rows == 1


@pytest.mark.parametrize("name", ["night.xls", "night.ods", "night", "night.pdf"])
def test_a_file_of_another_kind_is_refused_with_what_to_do_in_the_spreadsheet_program(desk: Client, name: str) -> None:
    page = words(upload(desk, name, b"x"))
    assert f"A file such as {name} is not read here: save it as an Excel workbook (.xlsx) or as CSV" in page


def test_columns_of_other_names_are_chosen_by_hand(desk: Client) -> None:
    draft = imported(desk, "A,B\n1,Toner\n2,Rent\n")
    assert (draft.good_rows, draft.bad_rows) == (0, 1)
    assert "Choose a column" in words(desk.get(page_of("change", draft)))
    response = desk.post(page_of("columns", draft), {"row_id": "A", "text": "B"})
    assert "The notes were read anew." in said(desk, response)
    draft.refresh_from_db()
    assert (draft.good_rows, draft.bad_rows) == (2, 0)


NOVEMBER, DECEMBER = ((("Nr", "Note"), (1, "Toner")), (("A", "B"), (2, "Rent"), (3, "Paper")))


def test_another_sheet_of_the_workbook_is_read_on_wish_and_its_columns_are_asked_for(desk: Client) -> None:
    upload(desk, "year.xlsx", sheets(November=NOVEMBER, December=DECEMBER))
    draft = ImportDraft.objects.get()
    page = words(desk.get(page_of("change", draft)))
    assert "Sheets that were not read December" in page
    assert draft.good_rows == 1

    assert "The notes were read anew." in said(desk, desk.post(page_of("sheet", draft), {"sheet": "December"}))
    desk.post(page_of("columns", draft), {"row_id": "A", "text": "B"})
    draft.refresh_from_db()
    assert (draft.good_rows, draft.bad_rows) == (2, 0)


@pytest.mark.parametrize(
    ("corrected", "good"), [({"November": NOVEMBER, "December": DECEMBER}, 2), ({"X": NOVEMBER}, 1)]
)
def test_a_corrected_workbook_keeps_the_sheet_chosen_where_it_has_one_of_that_name(
    desk: Client, corrected: dict[str, tuple[tuple[Any, ...], ...]], good: int
) -> None:
    upload(desk, "year.xlsx", sheets(November=NOVEMBER, December=DECEMBER))
    draft = ImportDraft.objects.get()
    desk.post(page_of("sheet", draft), {"sheet": "December"})
    desk.post(page_of("columns", draft), {"row_id": "A", "text": "B"})
    desk.post(page_of("replace", draft), {"file": SimpleUploadedFile("year.xlsx", sheets(**corrected))})
    draft.refresh_from_db()
    assert draft.good_rows == good


def test_a_sheet_that_is_not_there_is_refused(desk: Client) -> None:
    upload(desk, "year.xlsx", sheets(November=NOVEMBER, December=DECEMBER))
    response = desk.post(page_of("sheet", ImportDraft.objects.get()), {"sheet": "January"})
    assert "Choose a sheet." in said(desk, response)


def test_a_title_above_the_header_is_left_out_and_counted(desk: Client) -> None:
    draft = imported(desk, "Notes of November\n" + GOOD)
    assert "Lines above the header, left out 1" in words(desk.get(page_of("change", draft)))
    assert draft.good_rows == 2


def test_an_empty_list_offers_one_way_to_import(desk: Client) -> None:
    page = desk.get(reverse("admin:summarizer_importdraft_changelist")).content.decode()
    assert page.count(f'href="{ADD}"') == 1
    assert "Nothing is listed here." in page
    assert "It shows the last 30 days unless another period is chosen." in page


def test_a_column_that_is_not_there_is_refused(desk: Client) -> None:
    draft = imported(desk, "A,B\n1,Toner\n")
    assert "Choose both columns." in said(desk, desk.post(page_of("columns", draft), {"row_id": "A", "text": "C"}))


def test_a_corrected_file_takes_the_place_of_the_first(desk: Client) -> None:
    draft = imported(desk, BAD)
    desk.post(page_of("replace", draft), {"file": SimpleUploadedFile("right.csv", GOOD.encode())})
    draft.refresh_from_db()
    assert (draft.name, draft.good_rows, draft.bad_rows) == ("right.csv", 2, 0)
    assert "one of the two" in said(desk, desk.post(page_of("replace", draft), {}))
    assert "not valid JSON" in said(desk, desk.post(page_of("replace", draft), {"text": "["}))


def test_good_rows_are_queued_as_runs_of_up_to_fifty(desk: Client, olga: User) -> None:
    draft = imported(desk, "row_id,text\n" + "".join(f"{number},Note {number}\n" for number in range(1, 102)))
    response = desk.post(page_of("queue", draft))
    runs = list(Run.objects.order_by("pk"))
    assert [run.outcomes.count() for run in runs] == [50, 50, 1]
    assert {(run.state, run.trigger, run.created_by, run.source) for run in runs} == {
        (RunState.QUEUED, Trigger.ADMIN, olga, "pasted text")
    }
    assert "101 rows of pasted text queued: run" in said(desk, response)
    told = [*LogEntry.objects.order_by("pk").values_list("change_message", flat=True)]
    assert told == ["Queued 101 rows as 3 runs.", *["Queued from pasted text."] * 3]


def test_with_bad_rows_all_are_refused_unless_the_operator_leaves_them_out(desk: Client) -> None:
    draft = imported(desk, BAD)
    assert "Nothing was queued: some rows are bad." in said(desk, desk.post(page_of("queue", draft)))
    assert not Run.objects.exists()
    desk.post(page_of("queue", draft), {"without_bad_rows": "on"})
    assert [*Outcome.objects.order_by("position").values_list("row_id", "text")] == [(1, "Toner"), (5, "Rent")]


def test_rows_summarised_before_are_left_out_on_wish(desk: Client) -> None:
    ended(summary(), texts=("Rent 800.00 EUR",))
    known = Run.objects.count()
    told = said(desk, desk.post(page_of("queue", imported(desk)), {"skip_known": "on"}))
    assert "Left out: 1 row summarised before or queued already." in told
    assert [row.text for row in Outcome.objects.pending()] == ["Toner 640.00 EUR"]
    desk.post(page_of("queue", imported(desk)))
    assert Run.objects.count() == known + 2


def test_rows_that_wait_already_are_counted_and_left_out_on_wish(desk: Client) -> None:
    desk.post(page_of("queue", imported(desk)))
    draft = imported(desk, GOOD + "3,Paper 12.00 EUR\n")
    page = words(desk.get(page_of("change", draft)))
    assert "Of the good rows, summarised before 0" in page
    assert "Of the good rows, queued already 2" in page
    told = said(desk, desk.post(page_of("queue", draft), {"skip_known": "on"}))
    assert "Left out: 2 rows summarised before or queued already." in told
    assert Outcome.objects.count() == 3


def test_nothing_is_queued_where_every_row_was_summarised_before(desk: Client) -> None:
    ended(summary(), summary(), texts=("Toner 640.00 EUR", "Rent 800.00 EUR"))
    draft = imported(desk)
    assert "no row is left" in said(desk, desk.post(page_of("queue", draft), {"skip_known": "on"}))
    draft.refresh_from_db()
    assert draft.is_open


def test_pressing_twice_queues_once_and_leaves_no_copy_of_the_notes(desk: Client) -> None:
    draft = imported(desk)
    desk.post(page_of("queue", draft))
    assert "queued or given up meanwhile" in said(desk, desk.post(page_of("queue", draft)))
    assert f"Its runs: run {Run.objects.get().pk}" in words(desk.get(page_of("change", draft)))
    assert Run.objects.count() == 1
    draft.refresh_from_db()
    assert (bytes(draft.file), draft.reading) == (b"", {})
    assert "Queued on" in words(desk.get(page_of("change", draft)))


def test_queueing_and_running_are_one_press_for_those_in_a_hurry(
    desk: Client, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    draft = imported(desk)
    with django_capture_on_commit_callbacks(execute=True):
        response = desk.post(page_of("queue", draft), {"run_now": "1"})
    run = Run.objects.get()
    assert response.headers["Location"] == reverse("admin:summarizer_run_change", args=[run.pk])
    assert DBTaskResult.objects.get().args_kwargs["args"] == [run.pk]


def test_an_import_given_up_queues_nothing_and_is_emptied(desk: Client) -> None:
    draft = imported(desk)
    assert "Give the import of pasted text up?" in words(desk.post(page_of("discard", draft)))
    assert ImportDraft.objects.get().is_open
    given_up = desk.post(page_of("discard", draft), {"confirmed": "1"})
    assert "was given up; nothing was queued" in said(desk, given_up)
    draft.refresh_from_db()
    assert (draft.is_open, bytes(draft.file)) == (False, b"")
    for name, data in (("queue", {}), ("replace", {"text": GOOD}), ("columns", {"row_id": "row_id", "text": "text"})):
        desk.post(page_of(name, draft), data)
    assert not Run.objects.exists()
    assert desk.get(page_of("bad-rows", draft)).status_code == 404


def test_a_draft_outlives_the_browser_and_a_colleague_may_go_on_with_it(desk: Client) -> None:
    draft = imported(desk)
    colleague = signed_in(make_person("otto", "operator"))
    listed = colleague.get(reverse("admin:summarizer_importdraft_changelist"))
    assert "Not queued yet" in words(listed)
    colleague.post(page_of("queue", draft))
    assert Run.objects.get().created_by == User.objects.get(username="otto")


def test_without_a_model_nothing_is_queued_and_the_draft_stays(desk: Client, settings: Settings) -> None:
    draft = imported(desk)
    settings.LLM_PROVIDER, settings.OPENAI_API_KEY = "openai", ""
    assert "No model is configured" in words(desk.get(page_of("change", draft)))
    assert "Nothing was stored." in said(desk, desk.post(page_of("queue", draft)))
    draft.refresh_from_db()
    assert draft.is_open
    assert not Run.objects.exists()


def test_a_guessed_encoding_is_said_to_be_one(desk: Client) -> None:
    upload(desk, "windows.csv", FILES["windows.csv"])
    assert "cp1252 (a guess" in words(desk.get(page_of("change", ImportDraft.objects.get())))


def test_what_was_read_is_kept_whole(olga: User) -> None:
    draft = drafts.store(olga, drafts.pasted(BAD))
    draft.refresh_from_db()
    notes = drafts.reading_of(draft)
    assert [(note.line, note.row_id, note.text) for note in notes.notes] == [(2, 1, "Toner"), (6, 5, "Rent")]
    assert [bad.line for bad in notes.bad_lines] == [3, 4, 5]
    assert notes.layout.columns is not None
    assert (notes.layout.columns.row_id, notes.layout.columns.text) == ("row_id", "text")
