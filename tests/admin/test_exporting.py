"""A filtered list becomes a file that a spreadsheet opens and that runs nothing in it."""

import csv
import io
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.test import AsyncClient
from django.urls import reverse
from django.utils import timezone, translation

from backoffice.llm.client import model_config
from summarizer import drafts, exporting, reviews
from summarizer.admin.exports import columns
from summarizer.exporting import CHUNK, Column, csv_lines, outcomes, safe
from summarizer.models import Outcome, Run, Trigger
from summarizer.runs.queue import Origin, create_runs, requeue
from tests.admin.night import ONE_ROW_COST, ended, failure, free, moved, queued, summary
from tests.admin.staff import make_person, words
from tests.summarizer.making import notes

pytestmark = pytest.mark.django_db(transaction=True)

FORMULAS = ["=1+1", "+49 30 1", "-150.00 EUR", "@SUM(A1)", "\t=1", "\r=1", "＝1", "-2+3+cmd|' /C calc'!A0"]


InThread = Callable[..., Any]


@pytest.fixture
async def clerk(async_client: AsyncClient, in_thread: InThread) -> AsyncClient:
    user = await in_thread(lambda: make_person("olga", "operator"))
    await async_client.aforce_login(user)
    return async_client


async def export(client: AsyncClient, kind: str, model: str = "outcome", query: str = "", **headers: str) -> Any:
    return await client.get(reverse(f"admin:summarizer_{model}_export", args=[kind]) + query, headers=headers)


async def body(response: Any) -> bytes:
    assert response.streaming
    return b"".join([part async for part in response.streaming_content])


async def table(client: AsyncClient, model: str = "outcome", query: str = "", **headers: str) -> list[list[str]]:
    text = (await body(await export(client, "csv", model, query, **headers))).decode("utf-8-sig")
    return [*csv.reader(io.StringIO(text), delimiter=";" if headers else ",")]


async def sheet(client: AsyncClient, query: str = "", model: str = "outcome", **headers: str) -> Any:
    response = await export(client, "xlsx", model, query, **headers)
    return openpyxl.load_workbook(io.BytesIO(await body(response))).active


async def test_csv_has_every_row_of_the_list_in_its_order_under_titles(clerk: AsyncClient, in_thread: InThread) -> None:
    await in_thread(lambda: ended(summary("Paid."), failure(), texts=("Toner.", "Rent.")))
    head, *rows = await table(clerk)
    assert head[:5] == ["Row", "In run", "State", "Note", "Summary"]
    assert [(row[0], row[2], row[3], row[4], row[head.index("Failure code")]) for row in rows] == [
        ("2", "Failed", "Rent.", "", "timeout"),
        ("1", "Summarised", "Toner.", "Paid.", ""),
    ]
    assert Decimal(rows[1][head.index("Cost (USD)")]) == ONE_ROW_COST
    assert rows[0][head.index("Cost (USD)")] == ""


async def test_it_is_filtered_and_searched_like_the_list(clerk: AsyncClient, in_thread: InThread) -> None:
    def made() -> None:
        ended(summary(), failure(), texts=("Toner.", "Rent."))
        moved(ended(failure(), texts=("Old rent.",)), timedelta(days=40))

    await in_thread(made)
    assert [row[3] for row in await table(clerk, "failedrow")] == ["Note", "Rent."]
    assert [row[3] for row in await table(clerk, query="?q=toner")] == ["Note", "Toner."]
    assert len(await table(clerk, "failedrow", "?period=all")) == 3


@pytest.mark.parametrize("text", FORMULAS)
async def test_no_cell_is_a_formula(clerk: AsyncClient, text: str, in_thread: InThread) -> None:
    await in_thread(lambda: ended(summary(text), texts=(text,)))
    assert (await table(clerk))[1][3:5] == [f"'{text}"] * 2
    row = next((await sheet(clerk)).iter_rows(min_row=2))
    assert {cell.data_type for cell in row[3:5]} == {"s"}
    assert str(row[3].value).replace("_x000D_", "\r") == text


async def test_no_title_is_a_formula_either(db: None) -> None:
    lines = csv_lines(outcomes(Outcome.objects.none(), [Column("=1+1", lambda row: row.pk)]))
    assert (await anext(lines)).decode("utf-8-sig") == "'=1+1\r\n"
    await lines.aclose()


def test_what_is_harmless_stays_as_it_is() -> None:
    assert [safe(text) for text in ("", "Toner", "1.200,50", "a=b", " =1")] == ["", "Toner", "1.200,50", "a=b", " =1"]


async def test_a_workbook_has_numbers_as_numbers_and_times_as_times(clerk: AsyncClient, in_thread: InThread) -> None:
    await in_thread(lambda: ended(summary("Paid.\x0b")))
    page = await sheet(clerk)
    titles = [cell.value for cell in page[1]]
    row = dict(zip(titles, [cell.value for cell in page[2]], strict=True))
    assert (row["Row"], row["Tokens in"], row["Summary"]) == (1, 1000, "Paid.")
    assert row["Cost (USD)"] == pytest.approx(float(ONE_ROW_COST))
    assert abs(row["Ended at"] - timezone.now().replace(tzinfo=None)) < timedelta(minutes=5)


async def test_a_german_browser_gets_what_a_german_spreadsheet_reads(clerk: AsyncClient, in_thread: InThread) -> None:
    await in_thread(lambda: ended(summary()))
    head, row = await table(clerk, **{"accept-language": "de"})
    assert head[0] == "Zeile"
    assert row[head.index("Kosten (USD)")] == f"{ONE_ROW_COST:f}".replace(".", ",")


async def test_states_warnings_failures_and_people_are_in_the_readers_words_and_codes_in_columns_of_their_own(
    clerk: AsyncClient, in_thread: InThread
) -> None:
    await in_thread(lambda: ended(summary("Cut", "truncated", "unsupported_number"), failure()))
    head, failed, warned = await table(clerk, **{"accept-language": "de"})
    told = dict(zip(head, failed, strict=True))
    assert (told["Stand"], told["Fehlercode"]) == ("Fehlgeschlagen", "timeout")
    assert told["Was schiefging"] == "Das Modell hat nicht rechtzeitig geantwortet."
    assert told["Wer"] == "Nachtlauf"
    told = dict(zip(head, warned, strict=True))
    assert told["Stand"] == "Zusammengefasst"
    assert told["Warnungen"] == "Abgeschnitten, Zweifelhafte Zahl"
    assert told["Codes der Warnungen"] == "truncated, unsupported_number"
    titles, *rows = [[cell.value for cell in row] for row in await sheet(clerk, **{"accept-language": "de"})]
    assert {row[titles.index("Stand")] for row in rows} == {"Fehlgeschlagen", "Zusammengefasst"}


async def test_the_list_of_runs_is_taken_away_with_its_counts_and_what_is_unknown(
    clerk: AsyncClient, in_thread: InThread
) -> None:
    def made() -> None:
        ended(summary(), failure())
        ended(free(), failure())
        ended(failure())
        queued("One.")

    await in_thread(made)
    head, *rows = await table(clerk, "run")
    wanted = ("State", "Rows", "Summarised", "Failed", "Tokens in", "Cost (USD)", "Rows of unknown cost")
    assert [tuple(row[head.index(title)] for title in wanted) for row in rows] == [
        ("Queued", "1", "0", "0", "", "", "0"),
        ("Completed", "1", "0", "1", "", "", "1"),
        ("Completed", "2", "1", "1", "0", "0.00000000", "1"),
        ("Completed", "2", "1", "1", "1000", "0.00021000", "1"),
    ]
    assert len(await table(clerk, "run", "?state=queued")) == 2
    assert (await sheet(clerk, model="run")).max_row == 5


async def test_a_run_of_a_program_says_where_it_is_from_on_its_page_in_the_list_and_in_the_file(
    clerk: AsyncClient, in_thread: InThread
) -> None:
    def made() -> Run:
        user = make_person("program", "staff")
        return create_runs(notes("One."), Origin(Trigger.API, user), model_config())[0]

    run = await in_thread(made)
    assert [row["Where from"] for row in as_told(await table(clerk, "run"))] == ["API"]
    assert "Where from API" in words(await clerk.get(reverse("admin:summarizer_run_change", args=[run.pk])))
    listed = words(await clerk.get(reverse("admin:summarizer_run_changelist")))
    assert f"{run.pk} scripted API" in listed


async def test_the_list_of_imports_is_taken_away(clerk: AsyncClient, in_thread: InThread) -> None:
    user = await in_thread(lambda: User.objects.get(username="olga"))
    await in_thread(lambda: drafts.store(user, drafts.pasted("row_id,text\n1,Toner\nx,Bad\n")))
    head, row = await table(clerk, "importdraft")
    assert row[: head.index("Who") + 1] == ["pasted text", "Not queued yet", "1", "1", "olga"]


async def test_a_row_has_its_next_attempt_and_the_last_decision_about_it(
    clerk: AsyncClient, in_thread: InThread
) -> None:
    def made() -> tuple[int, int]:
        user = User.objects.get(username="olga")
        warned, failed = ended(summary("Cut", "truncated"), failure())
        reviews.accept(warned.pk, user, "It is enough.")
        [run] = requeue([failed], Origin(Trigger.REQUEUE, user), model_config()).runs
        return warned.run_id, run.pk

    of, again = await in_thread(made)
    rows = {(row["In run"], row["Row"]): row for row in as_told(await table(clerk))}
    assert rows[str(of), "2"]["Next attempt"] == f"Pending in run {again}"
    decided = [rows[str(of), "1"][title] for title in ("Decision", "Reason", "Decided by", "Next attempt")]
    assert decided == ["Accepted", "It is enough.", "olga", ""]
    assert abs(datetime.fromisoformat(rows[str(of), "1"]["Decided at"] + "Z") - timezone.now()) < timedelta(minutes=5)
    assert {rows[str(of), "2"][title] for title in ("Decision", "Reason", "Decided by", "Decided at")} == {""}


def as_told(lines: list[list[str]]) -> list[dict[str, str]]:
    return [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]


def test_what_followed_is_read_with_each_chunk_and_not_row_by_row(
    db: None, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    keys = [row.pk for row in ended(*[summary("Cut", "truncated"), failure()] * 10)]
    for key in keys[::2]:
        reviews.accept(key, User.objects.create_user(f"reviewer {key}"), "It is enough.")
    found = outcomes(Outcome.objects.all(), columns())
    with django_assert_max_num_queries(3):
        assert len([found.cells(row) for row in found.load(keys).values()]) == 20


async def test_a_workbook_keeps_its_titles_in_sight_and_has_room_for_words(
    clerk: AsyncClient, in_thread: InThread
) -> None:
    await in_thread(lambda: ended(summary()))
    page = await sheet(clerk)
    assert page.freeze_panes == "A2"
    widths = {str(cell.value): page.column_dimensions[cell.column_letter].width for cell in page[1]}
    assert widths["Note"] == widths["Summary"] == 60
    assert all(width > len(title) for title, width in widths.items())


async def test_times_are_in_the_zone_of_the_browser(clerk: AsyncClient, in_thread: InThread) -> None:
    await in_thread(lambda: ended(summary()))
    clerk.cookies["timezone"] = "Asia/Kolkata"
    head, row = await table(clerk)
    shown = datetime.fromisoformat(row[head.index("Ended at")]).replace(tzinfo=ZoneInfo("Asia/Kolkata"))
    assert abs(shown - timezone.now()) < timedelta(minutes=5)


async def test_a_workbook_of_too_many_rows_is_refused_with_a_way_out(
    clerk: AsyncClient, monkeypatch: pytest.MonkeyPatch, in_thread: InThread
) -> None:
    monkeypatch.setattr("summarizer.admin.exports.MAX_XLSX_ROWS", 1)
    await in_thread(lambda: ended(summary(), summary()))
    response = await export(clerk, "xlsx", query="?state=summarised")
    assert response.headers["Location"] == f"{reverse('admin:summarizer_outcome_changelist')}?state=summarised"
    page = await clerk.get(response.headers["Location"])
    assert "A workbook holds at most 1 row" in page.content.decode()


@pytest.mark.parametrize(("kind", "query"), [("pdf", ""), ("csv", "?nonsense=1")])
async def test_another_kind_and_a_broken_filter_are_not_found(clerk: AsyncClient, kind: str, query: str) -> None:
    assert (await export(clerk, kind, query=query)).status_code == 404


async def test_rows_are_read_a_few_hundred_at_a_time_and_while_the_reader_reads(in_thread: InThread) -> None:
    def made() -> list[int]:
        for _run in range(11):
            ended(*[summary()] * 50)
        return list(Outcome.objects.order_by("-pk").values_list("pk", flat=True))

    keys = await in_thread(made)
    with translation.override("en-gb"):
        lines = csv_lines(outcomes(Outcome.objects.order_by("-pk"), [Column("Key", lambda row: row.pk)]))
    parts = [part.decode() async for part in lines]
    assert len(parts) == 1 + -(-len(keys) // CHUNK)
    assert [int(line) for line in "".join(parts[1:]).split()] == keys


async def test_rows_purged_while_a_file_is_written_are_left_out(
    monkeypatch: pytest.MonkeyPatch, in_thread: InThread
) -> None:
    monkeypatch.setattr(exporting, "CHUNK", 1)
    await in_thread(lambda: ended(summary(), summary()))
    lines = csv_lines(outcomes(Outcome.objects.order_by("pk"), [Column("Row", lambda row: row.row_id)]))
    assert [await anext(lines), await anext(lines)][1] == b"1\r\n"
    await in_thread(Outcome.objects.all().purge)
    assert b"".join([part async for part in lines]) == b""


def test_the_person_who_made_a_run_stands_in_the_file(db: None) -> None:
    user = User.objects.create_user("otto")
    [row] = ended(summary(), user=user)
    assert next(column.value(row) for column in columns() if column.title == "Who") == "otto"
