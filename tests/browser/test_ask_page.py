"""The evidence desk's page in a real Chromium, whose own EventSource reads our streams."""

import pytest
from playwright.async_api import Page, expect

from backoffice.database import in_database
from backoffice.evidencedesk.models import Answer
from tests.browser.conftest import OpenPage

pytestmark = pytest.mark.browser

SLOW = "[[fault: delay=0.05]]"


@pytest.fixture
async def page(origin: str, open_page: OpenPage) -> Page:
    return await open_page(f"{origin}/ask/")


async def _ask(page: Page, question: str) -> None:
    await page.get_by_label("Your question").fill(question)
    await page.keyboard.press("Enter")


async def test_an_answer_is_unconfirmed_until_its_citation_comes_as_a_card(page: Page) -> None:
    await _ask(page, f"When are customer invoices payable? {SLOW}")
    answer = page.locator(".answer")
    await expect(answer).to_have_attribute("data-state", "unconfirmed")
    await expect(answer.locator(".verdict")).to_contain_text("Unconfirmed")
    await expect(answer).to_have_attribute("data-state", "backed")
    text = answer.locator(":scope > .text")
    await expect(text).to_have_text("Customer invoices are payable 30 days net from the invoice date.1")
    card = answer.locator(".citations details")
    await expect(card.locator(".title")).to_have_text("Payment terms for customers")
    await expect(card.locator(".passage")).to_be_hidden()
    await card.locator("summary").click()
    await expect(card.locator(".passage")).to_have_text(
        "Customer invoices are payable 30 days net from the invoice date."
    )


@pytest.mark.parametrize(
    ("question", "holds", "title"),
    [
        ("Wie lange werden Jahresabschlüsse und Rechnungen aufbewahrt?", "8 Jahre", "Aufbewahrung von Unterlagen"),
        ("হোটেলে প্রতি রাতের খরচ কত পর্যন্ত ফেরত দেওয়া হয়?", "১৪০ ইউরো", "কর্মীদের ভ্রমণ খরচের সীমা"),
    ],
)
async def test_every_language_is_shown_whole(page: Page, question: str, holds: str, title: str) -> None:
    await _ask(page, question)
    await expect(page.locator(".answer > .text")).to_contain_text(holds)
    await expect(page.locator(".citations .title")).to_have_text(title)


@pytest.mark.parametrize("fault", ["answer: wrong-number", "answer: unknown-id", "fault: length"])
async def test_an_answer_that_is_not_backed_is_said_to_be_so(page: Page, fault: str) -> None:
    await _ask(page, f"When are customer invoices payable? [[{fault}]]")
    await expect(page.locator(".answer")).to_have_attribute("data-state", "unsupported")
    await expect(page.locator(".verdict")).to_contain_text("Please do not rely on it")
    await expect(page.locator(".citations li")).to_have_count(0)


async def test_an_abstention_shows_no_mark_and_no_card(page: Page) -> None:
    await _ask(page, "May I bring my dog?")
    await expect(page.locator(".answer")).to_have_attribute("data-state", "abstained")
    await expect(page.locator(".answer > .text")).to_have_text("The documents do not answer this question.")


async def test_a_failed_stream_is_said_to_be_incomplete_and_asked_once(page: Page) -> None:
    await _ask(page, "When are customer invoices payable? [[fault: drop-mid]]")
    await expect(page.locator(".answer")).to_have_attribute("data-state", "failed")
    await page.wait_for_timeout(100)
    await expect(page.get_by_label("Your question")).to_have_value(
        "When are customer invoices payable? [[fault: drop-mid]]"
    )
    await _ask(page, "When are customer invoices payable?")
    await expect(page.locator(".answer").last).to_have_attribute("data-state", "backed")
    assert await in_database(Answer.objects.count) == 2


async def test_a_stopped_answer_is_said_to_be_unconfirmed(page: Page) -> None:
    await _ask(page, "When are customer invoices payable? [[fault: stall-mid]]")
    await expect(page.locator(".verdict")).to_contain_text("Unconfirmed")
    await page.get_by_role("button", name="Stop").click()
    await expect(page.locator(".answer")).to_have_attribute("data-state", "stopped")
    await expect(page.get_by_role("button", name="Ask", exact=True)).to_be_visible()
    await expect(page.get_by_label("Your question")).to_have_value("")


async def test_an_example_is_asked_with_one_click(page: Page) -> None:
    await page.get_by_role("button", name="When are customer invoices payable?").click()
    await expect(page.locator(".answer")).to_have_attribute("data-state", "backed")
    await expect(page.locator("#welcome")).to_be_hidden()


async def test_the_browsers_event_source_reads_every_event_as_we_sent_it(page: Page) -> None:
    received = await page.evaluate(
        """(question) => new Promise((resolve) => {
            const source = new EventSource("/ask/stream?" + new URLSearchParams({ q: question }));
            const events = [];
            for (const kind of ["chunk", "citations", "done", "error"]) {
                source.addEventListener(kind, ({ data }) => {
                    events.push([kind, data === undefined ? null : JSON.parse(data)]);
                    if (kind === "done" || kind === "error") { source.close(); resolve(events); }
                });
            }
        })""",
        "হোটেলে প্রতি রাতের খরচ কত পর্যন্ত ফেরত দেওয়া হয়?",
    )
    kinds = [kind for kind, _ in received]
    assert kinds[-2:] == ["citations", "done"]
    assert set(kinds[:-2]) == {"chunk"}
    text = "".join(data["text"] for kind, data in received if kind == "chunk")
    assert text.endswith("[expense-limits-bn]")
    assert received[-2][1]["citations"][0]["passage"] in text
