"""An operator's night in a real Chromium, with nothing but admin's address and a spreadsheet."""

import asyncio
import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.models import User
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from playwright.async_api import Locator, Page, expect

from backoffice.database import in_database
from summarizer.models import Outcome, Review, Run, RunState
from summarizer.runs import lease
from summarizer.runs.queue import cancel, claim
from tests.admin.night import ended, failure, queued, summary
from tests.admin.staff import make_person
from tests.browser.conftest import OpenPage, serving
from tests.process.programs import programs
from tests.summarizer.making import MODEL, let_lease_run_out, taken

pytestmark = pytest.mark.browser

LAPTOP = {"viewport": {"width": 1366, "height": 820}, "locale": "en-GB", "timezone_id": "Europe/Berlin"}
PHONE = {"viewport": {"width": 390, "height": 844}, "locale": "en-GB", "timezone_id": "Europe/Berlin"}
NOTES: list[tuple[Any, Any]] = [
    (1, "Rechnung 4711: 1.200,50 EUR"),
    (2, "Invoice 7 from Harbour, USD 1,975.00 [[fault: drop-mid]]"),
    (3, "Miete Mai 800,00 EUR"),
    (4, "Porto 3,20 EUR [[fault: stop=length]]"),
]
BAD: list[tuple[Any, Any]] = [(1, "The same number twice"), (20000, "A number too large"), (6, None)]

SignIn = Callable[..., Any]


def spreadsheet(path: Path, *rows: tuple[Any, Any]) -> Path:
    book = openpyxl.Workbook()
    for row in (("Nr", "Buchungstext"), *rows):
        book.active.append(row)
    book.save(path)
    return path


@pytest.fixture
def origin(chromium: str, transactional_db: None) -> Iterator[str]:
    """A server for each test: a process remembers the keys of content types, and they change with every test."""
    with serving() as address:
        yield address


@pytest.fixture
def sign_in(origin: str, open_page: OpenPage) -> SignIn:
    """`await sign_in(**context)`: admin's first page, opened by an operator who typed name and password."""

    async def signed_in(name: str = "olga", **context: Any) -> Page:
        await in_database(_operator, name)
        page = await open_page(f"{origin}/admin/", **(LAPTOP | context))
        await page.locator("#id_username").fill(name)
        await page.locator("#id_password").fill(name)
        await page.locator("#login-form button[type=submit]").click()
        await expect(page.locator(".desk-figures").first).to_be_visible()
        return page

    return signed_in


def _operator(name: str) -> None:
    """Its password is hashed as the product's own process reads it, not as quick tests do."""
    user = make_person(name, "operator")
    User.objects.filter(pk=user.pk).update(password=PBKDF2PasswordHasher().encode(name, "salt", iterations=1000))


@pytest.fixture
def start_worker(django_db_setup: None) -> Iterator[Callable[[], None]]:
    with programs(LLM_PROVIDER="scripted", OPENAI_API_KEY="") as running:
        arguments = ("db_worker", "--interval", "0.1", "--no-reload", "--no-startup-delay")
        yield lambda: running.start("manage.py", *arguments, stdout=DEVNULL) and None


def button(page: Page, name: str) -> Locator:
    return page.locator(f".desk-button:has-text('{name}')").first


async def run_now(page: Page) -> None:
    await button(page, "Run now").click()
    await expect(page.locator("h1.desk-title")).to_contain_text("now?")
    await button(page, "Run now").click()


async def follow(page: Page, place: str) -> None:
    await page.locator("#nav-sidebar-apps").get_by_role("link", name=place).click()


async def choose_action(page: Page, action: str) -> None:
    await page.locator("select[name=action]").select_option(action)
    await page.locator("#changelist-actions button[type=submit]").click()


async def test_the_night_is_got_through(sign_in: SignIn, start_worker: Callable[[], None], tmp_path: Path) -> None:
    page = await sign_in()
    await _import(page, tmp_path)
    await _run_and_watch(page, start_worker)
    await _read_the_failure_and_queue_it_again(page)
    await _review(page)
    await _export(page)
    ended = await in_database(lambda: Counter(Outcome.objects.values_list("state", flat=True)))
    assert not ended["pending"]


async def _import(page: Page, tmp_path: Path) -> None:
    await button(page, "Import notes").click()
    await page.locator("input[type=file]").set_input_files(spreadsheet(tmp_path / "night.xlsx", *NOTES, *BAD))
    await button(page, "Read the notes").click()
    for reason in ("Nr 1 appears twice", "Nr 20000 is out of range", "Buchungstext is empty"):
        await expect(page.locator(".desk-table").first).to_contain_text(reason)
    await button(page, "Queue 4 rows").click()
    await expect(page.locator("#main")).to_contain_text("Nothing was queued: some rows are bad.")
    mended = spreadsheet(tmp_path / "mended.xlsx", *NOTES, (5, "A number of its own"), (6, "Büro 12,00 EUR"))
    await page.locator("form[action$=replace] input[type=file]").set_input_files(mended)
    await button(page, "Read the corrected notes").click()
    await expect(page.locator("#main")).to_contain_text("Every row can be queued.")
    await button(page, "Queue 6 rows").click()
    await expect(page.locator("h1.desk-title")).to_contain_text("Run")


async def _run_and_watch(page: Page, start_worker: Callable[[], None]) -> None:
    await run_now(page)
    notice = page.locator("#run-live .desk-notice")
    await expect(notice).to_contain_text("no worker has taken it up", timeout=15_000)
    await expect(notice.locator("code")).to_have_text("python manage.py db_worker")
    start_worker()
    await expect(page.locator("#run-live")).to_contain_text("Completed", timeout=60_000, ignore_case=True)
    await expect(page.locator("#run-live")).to_contain_text("6 / 6")
    await expect(page.locator("#run-live")).not_to_have_attribute("data-live", "x")
    await expect(page.locator(".desk-table")).to_contain_text("The connection to the provider was lost.")


async def _read_the_failure_and_queue_it_again(page: Page) -> None:
    await follow(page, "Failed rows")
    await page.locator("#result_list a.desk-link").first.click()
    await expect(page.locator("#main")).to_contain_text("Check that the network is up, then queue the row again.")
    await page.go_back()
    await page.locator("input.action-select").first.check()
    await choose_action(page, "requeue")
    await expect(page.locator(".desk-facts")).to_contain_text("Rows that will be queued")
    await button(page, "Queue again").click()
    await expect(page.locator("#result_list")).to_contain_text("Pending in run")
    await page.locator("#result_list .field-next_attempt a").click()
    await run_now(page)
    await expect(page.locator("#run-live")).to_contain_text("1 / 1", timeout=60_000)
    await page.locator(".desk-table a.desk-link").first.click()
    await expect(page.locator(".desk-current")).to_contain_text("olga")


async def _review(page: Page) -> None:
    await follow(page, "Review")
    await page.locator("#result_list a.desk-link").first.click()
    await expect(page.locator("#main")).to_contain_text("Cut off.")
    await page.get_by_label("Reason").fill("Compared with the receipt.")
    await button(page, "Accept the summary").click()
    await expect(page.locator("#main")).to_contain_text("Accepted: row 4.")
    assert await in_database(Review.objects.count) == 1


async def _export(page: Page) -> None:
    await follow(page, "All rows")
    text = (await _download(page, "Export CSV")).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert sorted(row["State"] for row in rows) == ["Failed"] * 2 + ["Summarised"] * 5
    sheet = openpyxl.load_workbook(io.BytesIO(await _download(page, "Export Excel"))).active
    assert sheet.max_row == 8


async def _download(page: Page, name: str) -> bytes:
    async with page.expect_download() as download:
        await button(page, name).click()
    path = await (await download.value).path()
    return await asyncio.to_thread(path.read_bytes)


async def test_a_run_goes_on_through_a_reload_and_ends_after_its_row_when_cancelled(
    sign_in: SignIn, start_worker: Callable[[], None]
) -> None:
    run = await in_database(queued, "One.", *[f"Slow {number}. [[fault: delay=0.3]]" for number in range(20)])
    page = await sign_in()
    start_worker()
    await page.goto(f"{page.url}summarizer/run/{run.pk}/change/")
    await run_now(page)
    await expect(page.locator("#run-live")).to_contain_text("1 summarised", timeout=60_000)
    await page.reload()
    await expect(page.locator("#run-live")).to_contain_text("2 summarised", timeout=60_000)
    await button(page, "Cancel the run").click()
    await button(page, "Cancel the run").click()
    await expect(page.locator("#run-live")).to_contain_text("withdrawn", timeout=60_000)
    stored = await in_database(Run.objects.get, pk=run.pk)
    assert stored.state == RunState.CANCELLED


async def test_pressing_twice_in_two_tabs_hands_a_run_over_once(sign_in: SignIn) -> None:
    run = await in_database(queued)
    first = await sign_in()
    second = await first.context.new_page()
    for page in (first, second):
        await page.goto(f"{first.url.split('/admin/')[0]}/admin/summarizer/run/{run.pk}/start")
    await button(first, "Run now").dblclick()
    await expect(first.locator("h1.desk-title")).to_have_text(f"Run {run.pk}")
    await button(second, "Run now").click()
    await expect(second.locator("#main")).to_contain_text("left alone")
    assert await in_database(DBTaskResult.objects.count) == 1


async def test_a_watched_page_changes_in_place_and_loses_neither_the_focus_nor_a_press(sign_in: SignIn) -> None:
    run = await in_database(queued, "One.", "Two.")
    page = await sign_in()
    await page.goto(f"{page.url}summarizer/run/{run.pk}/change/")
    cancel = page.locator("[data-key=cancel]")
    await cancel.focus()
    await cancel.hover()
    await page.mouse.down()
    await in_database(Run.objects.filter(pk=run.pk).update, start_requested_at=timezone.now())
    await expect(page.locator("[data-key=handed-over]")).to_be_visible()
    await expect(page.locator("[data-key=queued]")).to_have_count(0)
    await expect(page.locator("[data-key=start]")).to_have_count(0)
    await in_database(claim, run.pk, provider="scripted")
    await expect(page.locator("#run-live")).to_contain_text("Running", ignore_case=True)
    await expect(cancel).to_be_focused()
    await cancel.hover()
    await page.mouse.up()
    await expect(page.locator("h1.desk-title")).to_have_text(f"Cancel run {run.pk}?")


async def test_a_text_that_is_selected_stays_selected_while_rows_end(sign_in: SignIn) -> None:
    run = await in_database(queued, "Select me.", "Two.")
    page = await sign_in()
    await page.goto(f"{page.url}summarizer/run/{run.pk}/change/")
    await page.get_by_text("Select me.").evaluate("cell => getSelection().selectAllChildren(cell)")
    selected = await page.evaluate("getSelection().toString()")
    await in_database(_end_first_row, run.pk)
    await expect(page.locator("#run-live")).to_contain_text("1 / 2")
    await expect(page.locator("#run-live")).to_contain_text("It is paid.")
    assert selected
    assert await page.evaluate("getSelection().toString()") == selected


def _end_first_row(run_id: int) -> None:
    row = Outcome.objects.filter(run=run_id).order_by("position")[0]
    lease.store(taken(run_id), row.pk, summary("It is paid."), MODEL, timezone.now())


@pytest.mark.parametrize("status", [None, 503])
async def test_a_server_that_is_away_is_said_to_be_and_the_page_goes_on_by_itself(
    sign_in: SignIn, complaints: list[str], status: int | None
) -> None:
    run = await in_database(queued)
    page = await sign_in()
    await page.goto(f"{page.url}summarizer/run/{run.pk}/change/")
    lost = page.get_by_text("The server cannot be reached")
    await expect(lost).to_be_hidden()
    await page.route("**/live", lambda route: route.abort() if status is None else route.fulfill(status=status))
    await expect(lost).to_be_visible()
    await page.unroute("**/live")
    await expect(lost).to_be_hidden()
    assert all("Failed to load resource" in complaint for complaint in complaints)
    complaints.clear()


async def test_the_figures_of_an_import_follow_the_tick(sign_in: SignIn, tmp_path: Path) -> None:
    await in_database(ended, summary(), texts=(str(NOTES[0][1]),))
    page = await sign_in()
    await button(page, "Import notes").click()
    await page.locator("input[type=file]").set_input_files(spreadsheet(tmp_path / "night.xlsx", *NOTES))
    await button(page, "Read the notes").click()
    queue = page.locator("button.desk-primary", has_text="Queue")
    await expect(queue).to_have_text("Queue 3 rows", use_inner_text=True)
    await page.locator("[name=skip_known]").uncheck()
    await expect(queue).to_have_text("Queue 4 rows", use_inner_text=True)


async def test_whoever_was_signed_out_meanwhile_is_led_to_sign_in(sign_in: SignIn) -> None:
    run = await in_database(queued)
    page = await sign_in()
    await page.goto(f"{page.url}summarizer/run/{run.pk}/change/")
    await page.context.clear_cookies()
    await expect(page.locator("#id_username")).to_be_visible(timeout=15_000)


PAGES = ("", "summarizer/run/", "summarizer/failedrow/", "summarizer/rowtoreview/", "summarizer/outcome/",
         "summarizer/importdraft/", "summarizer/importdraft/add/")  # fmt: skip


async def test_no_page_is_wider_than_a_phone(sign_in: SignIn) -> None:
    rows = await in_database(ended, summary("Cut", "truncated"), failure())
    page = await sign_in(**PHONE)
    own = [f"summarizer/outcome/{row.pk}/change/" for row in rows]
    own += [f"summarizer/run/{rows[0].run_id}/change/", f"summarizer/rowtoreview/{rows[0].pk}/change/"]
    start = page.url
    for address in (*PAGES, *own):
        await page.goto(start + address)
        width = await page.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE["viewport"]["width"], address  # type: ignore[index]


async def test_menus_filters_and_themes_work_under_the_policy(sign_in: SignIn) -> None:
    await in_database(ended, failure(), summary())
    page = await sign_in()
    await follow(page, "Failed rows")
    filters = page.locator("#changelist-filter")
    await expect(filters).to_be_hidden()
    await page.locator("#changelist a", has_text="Filters").first.click()
    await expect(filters).to_be_visible()
    await filters.get_by_role("link", name="The model did not answer in time.").click()
    await expect(page.locator("#result_list tbody")).to_have_count(1)
    sidebar = page.locator("#nav-sidebar")
    await page.get_by_text("dock_to_right").first.click()
    await expect(sidebar).to_be_hidden()
    await page.reload()
    await expect(sidebar).to_be_hidden()
    await page.get_by_text("dock_to_right").first.click()
    await page.get_by_text("unfold_more").click()
    await page.locator("nav").get_by_text("dark_mode").click()
    await expect(page.locator("html")).to_have_class("dark")


async def test_a_german_operator_reads_german(sign_in: SignIn) -> None:
    page = await sign_in(locale="de-DE")
    await expect(page.locator("#main")).to_contain_text("Letzte Nacht und heute")
    await follow(page, "Fehlgeschlagene Zeilen")
    await expect(page.locator("#changelist a", has_text="Filter").first).to_be_visible()


async def test_a_row_shows_its_exchange_on_wish(sign_in: SignIn) -> None:
    [row] = await in_database(ended, summary("Paid."))
    page = await sign_in()
    await page.goto(f"{page.url}summarizer/outcome/{row.pk}/change/")
    await expect(page.locator(".desk-exchange")).to_be_hidden()
    await page.locator("summary:has-text('The exchange')").click()
    await expect(page.locator(".desk-exchange")).to_contain_text("Paid.")
    assert await in_database(Outcome.objects.count) == 1


async def test_the_list_of_runs_changes_in_place_and_keeps_what_is_ticked(sign_in: SignIn) -> None:
    run = await in_database(queued, "One.", "Two.")
    page = await sign_in()
    await in_database(Run.objects.filter(pk=run.pk).update, start_requested_at=timezone.now())
    await page.goto(f"{page.url}summarizer/run/")
    line = page.locator("#result_list tr.data-row")
    await expect(line).to_contain_text("Starting", ignore_case=True)
    await line.locator("input[type=checkbox]").check()
    await in_database(_end_first_row, run.pk)
    await expect(line).to_contain_text("1 / 2")
    await expect(line).to_contain_text("Running", ignore_case=True)
    await expect(line.locator("input[type=checkbox]")).to_be_checked()
    await in_database(cancel, run.pk)
    await in_database(let_lease_run_out, run.pk)
    await expect(page.locator("#runs-live[data-live]")).to_have_count(0)


async def test_the_keyboard_reaches_the_content_and_every_menu(sign_in: SignIn) -> None:
    await in_database(lambda: ended(failure()))
    page = await sign_in()
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("link", name="Skip to the content")).to_be_in_viewport()
    await page.goto(f"{page.url}summarizer/failedrow/")
    await _press(page, "Administration", "Space")
    await expect(page.get_by_role("link", name="Kept totals")).to_be_visible()
    await _press(page, "olga", "Enter")
    await expect(page.get_by_role("button", name="Log out")).to_be_visible()
    await _press(page, "dock_to_right", "Enter")
    await expect(page.locator("#nav-sidebar")).to_be_hidden()
    await _press(page, "Filters", "Enter")
    await expect(page.locator("#changelist-filter")).to_be_visible()


async def _press(page: Page, name: str, key: str) -> None:
    """Tabs until what is called so has the focus, and presses the key."""
    for _ in range(60):
        await page.keyboard.press("Tab")
        if await page.locator("[role=button]:focus").filter(has_text=name).count():
            await page.keyboard.press(key)
            return
    raise AssertionError(f"Tab never reaches {name}")
