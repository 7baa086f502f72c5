"""The chat page in a real Chromium: how it streams, what it says when something breaks, and for whom it works."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.async_api import Locator, Page, Route, expect

from tests.browser.conftest import OpenPage

pytestmark = pytest.mark.browser

SLOW = "[[fault: delay=0.1]]"
STALLED = "[[fault: stall-mid@2]]"
"""The second model call says half of its answer and falls silent."""
LOST = "The connection was lost before the answer was complete."


@pytest.fixture
async def page(open_page: OpenPage, origin: str) -> Page:
    return await open_page(f"{origin}/weather/")


async def _ask(page: Page, question: str) -> Locator:
    await page.get_by_label("Your question").fill(question)
    await page.keyboard.press("Enter")
    return page.locator(".answer").last


async def _ended(answer: Locator) -> str:
    await expect(answer).to_have_attribute("aria-busy", "false")
    return await answer.locator(".text").inner_text()


async def test_an_answer_arrives_in_pieces(page: Page) -> None:
    answer = await _ask(page, f"What is the weather in Oslo? {SLOW}")
    await expect(answer.locator(".text")).to_contain_text("Oslo")
    piece = await answer.locator(".text").inner_text()
    await expect(answer).to_have_attribute("aria-busy", "true")
    whole = await _ended(answer)
    assert whole.startswith(piece)
    assert whole.endswith("chance of rain.")
    assert len(piece) < len(whole)
    await expect(answer.locator(".notice")).to_be_hidden()


async def test_a_lookup_is_said_to_be_one(page: Page) -> None:
    answer = await _ask(page, "Weather in Oslo? [[fault: stall@2]]")
    await expect(answer.locator(".progress")).to_contain_text("Looking up the weather")
    await expect(page.get_by_role("status")).to_have_text("Looking up the weather …")


async def test_losing_the_network_is_said_below_what_had_arrived(page: Page, complaints: list[str]) -> None:
    answer = await _ask(page, f"Weather in Oslo? {STALLED}")
    await expect(answer.locator(".text")).to_contain_text("Oslo")
    await page.context.set_offline(True)
    text = await _ended(answer)
    assert text.startswith("Oslo")
    await expect(answer.locator(".notice")).to_contain_text(LOST)
    await expect(page.get_by_role("status")).to_contain_text(LOST)
    unreachable = await _ask(page, "Weather in Rome?")
    await expect(unreachable.locator(".notice")).to_contain_text("cannot be reached")
    await page.context.set_offline(False)
    assert (await _ended(await _ask(page, "Weather in Rome?"))).startswith("Rome")
    assert all("ERR_INTERNET_DISCONNECTED" in complaint for complaint in complaints)
    complaints.clear()


@dataclass
class Wire:
    """Stands between the browser and the product, and can be cut without either being told why."""

    origin: str
    writers: list[asyncio.StreamWriter] = field(default_factory=list)

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection("127.0.0.1", int(self.origin.rsplit(":", 1)[1]))
        self.writers += [writer, there[1]]
        await asyncio.gather(_pass_on(reader, there[1]), _pass_on(there[0], writer))

    def cut(self) -> None:
        for writer in self.writers:
            writer.transport.abort()


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65_536):
            writer.write(data)
        writer.close()


@pytest.fixture
async def wire(origin: str) -> AsyncIterator[tuple[Wire, str]]:
    """The wire, and the address at the browser's end of it."""
    wire = Wire(origin)
    server = await asyncio.start_server(wire.connect, "127.0.0.1", 0)
    async with server:
        yield wire, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/weather/"
        wire.cut()


async def test_a_connection_that_breaks_is_said_to_be_lost(
    open_page: OpenPage, wire: tuple[Wire, str], complaints: list[str]
) -> None:
    page = await open_page(wire[1])
    answer = await _ask(page, f"Weather in Oslo? {STALLED}")
    await expect(answer.locator(".text")).to_contain_text("Oslo")
    wire[0].cut()
    await expect(answer.locator(".notice")).to_contain_text(LOST)
    assert all("net::ERR_" in complaint for complaint in complaints)
    complaints.clear()


@pytest.mark.parametrize("by", ["button", "key"])
async def test_an_answer_can_be_stopped(page: Page, by: str) -> None:
    answer = await _ask(page, f"Weather in Oslo? {STALLED}")
    await expect(answer.locator(".text")).to_contain_text("Oslo")
    if by == "button":
        await page.get_by_role("button", name="Stop").click()
    else:
        await page.keyboard.press("Escape")
    await expect(answer.locator(".notice")).to_have_text("You stopped this answer before it was complete.")
    await expect(page.get_by_label("Your question")).to_be_focused()
    await expect(page.get_by_role("button", name="Stop")).to_be_hidden()


def _events(*events: tuple[str, Any]) -> str:
    return "".join(f"event: {kind}\ndata: {json.dumps(data)}\n\n" for kind, data in events)


async def _answered_with(page: Page, **answer: Any) -> Locator:
    async def fulfil(route: Route) -> None:
        await route.fulfill(**{"content_type": "text/event-stream", **answer})

    await page.route("**/weather/chat/stream", fulfil)
    asked = await _ask(page, "Weather in Oslo?")
    await expect(asked).to_have_attribute("aria-busy", "false")
    return asked


DONE = {"stop_reason": "end", "usage": {"input_tokens": None, "output_tokens": None}}


async def test_text_before_a_lookup_is_cleared(page: Page) -> None:
    told = (("chunk", {"text": "Let me look."}), ("tool", {"name": "get_weather"}), ("chunk", {"text": "Cold."}))
    answer = await _answered_with(page, body=": keep-alive\n\n" + _events(*told, ("done", DONE)))
    await expect(answer.locator(".text")).to_have_text("Cold.")
    await expect(answer.locator(".notice")).to_be_hidden()


@pytest.mark.parametrize(
    ("events", "sentence"),
    [
        ([("error", {"text": "upstream failed"})], "could not be completed"),
        ([], LOST),
        ([("done", DONE | {"stop_reason": "length"})], "grew too long"),
        ([("done", DONE | {"stop_reason": "content_filter"})], "content filter"),
    ],
)
async def test_how_a_stream_ended_is_told_in_a_sentence(page: Page, events: list[Any], sentence: str) -> None:
    answer = await _answered_with(page, body=_events(("chunk", {"text": "It is"}), *events))
    await expect(answer.locator(".text")).to_have_text("It is")
    await expect(answer.locator(".notice")).to_contain_text(sentence)


@pytest.mark.parametrize("line_end", ["\r\n", "\r", "\n"])
async def test_lines_of_a_stream_may_end_in_any_way(page: Page, line_end: str) -> None:
    body = ": keep-alive\n\n" + _events(("chunk", {"text": "Cold\r\nand\u2028wet."}), ("done", DONE))
    answer = await _answered_with(page, body=body.replace("\n", line_end))
    await expect(answer.locator(".notice")).to_be_hidden()
    assert await answer.locator(".text").text_content() == "Cold\r\nand\u2028wet."


@pytest.mark.parametrize("cut", [1, 2, 7])
async def test_a_stream_may_be_cut_between_the_halves_of_a_line_end(page: Page, cut: int) -> None:
    """The page reads the bytes as they come: here a few at a time."""
    body = _events(("chunk", {"text": "Cold"}), ("chunk", {"text": " and wet."}), ("done", DONE)).replace("\n", "\r\n")
    await page.evaluate(
        """([body, cut]) => {
            const bytes = new TextEncoder().encode(body);
            window.fetch = async () => new Response(new ReadableStream({
                start(controller) {
                    for (let at = 0; at < bytes.length; at += cut) controller.enqueue(bytes.slice(at, at + cut));
                    controller.close();
                },
            }));
        }""",
        [body, cut],
    )
    answer = await _ask(page, "Weather in Oslo?")
    assert await _ended(answer) == "Cold and wet."
    await expect(answer.locator(".notice")).to_be_hidden()


async def test_an_empty_answer_is_told_in_a_sentence(page: Page) -> None:
    answer = await _answered_with(page, body=_events(("done", DONE)))
    await expect(answer.locator(".notice")).to_contain_text("no answer")


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ({"status": 429, "headers": {"Retry-After": "17"}}, "Please wait 17 seconds"),
        ({"status": 422}, "1 to 2000 characters"),
        ({"status": 503}, "not available"),
        ({"status": 500}, "could not be completed"),
    ],
)
async def test_a_refusal_is_told_in_a_sentence(
    page: Page, complaints: list[str], answer: dict[str, Any], sentence: str
) -> None:
    asked = await _answered_with(page, body="{}", **answer)
    await expect(asked.locator(".notice")).to_contain_text(sentence)
    assert all(str(answer["status"]) in complaint for complaint in complaints)
    complaints.clear()


async def test_a_failing_model_is_told_in_a_sentence(page: Page) -> None:
    answer = await _ask(page, "Weather in Oslo? [[fault: error-event@2]]")
    await expect(answer.locator(".notice")).to_contain_text("Please ask again in a moment.")


@pytest.mark.parametrize(
    "ending", [{"status": 503}, {"body": ""}, {"body": _events(("error", {"text": "upstream failed"}))}]
)
async def test_a_question_that_failed_comes_back_into_the_field(
    page: Page, complaints: list[str], ending: dict[str, Any]
) -> None:
    await _answered_with(page, **{"body": "{}", **ending})
    await expect(page.get_by_label("Your question")).to_have_value("Weather in Oslo?")
    await page.unroute("**/weather/chat/stream")
    await page.keyboard.press("Enter")
    await expect(page.locator(".answer")).to_have_count(2)
    assert (await _ended(page.locator(".answer").last)).startswith("Oslo")
    await expect(page.get_by_label("Your question")).to_have_value("")
    complaints.clear()


async def test_it_takes_no_other_questions_place(page: Page) -> None:
    answer = await _ask(page, "Weather in Oslo? [[fault: ttft=0.3; error-event]]")
    await page.get_by_label("Your question").fill("And in Rome?")
    await _ended(answer)
    await expect(page.get_by_label("Your question")).to_have_value("And in Rome?")


async def test_a_question_that_was_answered_or_stopped_does_not_come_back(page: Page) -> None:
    await _ended(await _ask(page, "Weather in Oslo?"))
    await expect(page.get_by_label("Your question")).to_have_value("")
    stopped = await _ask(page, f"Weather in Oslo? {STALLED}")
    await expect(stopped.locator(".text")).to_contain_text("Oslo")
    await page.keyboard.press("Escape")
    await _ended(stopped)
    await expect(page.get_by_label("Your question")).to_have_value("")


async def test_two_thousand_characters_are_counted_as_people_count_them(page: Page) -> None:
    await _ended(await _ask(page, "🌧" * 2_000))
    await expect(page.locator(".question .text")).to_have_text("🌧" * 2_000)
    await expect(page.get_by_text("Please shorten it.")).to_be_hidden()


async def test_one_more_is_said_to_be_too_many_and_is_not_sent(page: Page) -> None:
    field = page.get_by_label("Your question")
    await field.fill("🌧" * 2_001)
    problem = page.locator("#problem")
    await expect(problem).to_have_text("A question has 2000 characters at most; this one has 2001. Please shorten it.")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status")).to_contain_text("this one has 2001")
    await expect(page.locator(".answer")).to_have_count(0)
    await expect(field).to_have_attribute("aria-invalid", "true")
    await field.fill("🌧")
    await expect(problem).to_be_hidden()
    await expect(field).to_have_attribute("aria-invalid", "false")


async def test_each_text_runs_in_the_direction_of_its_language(page: Page) -> None:
    answer = await _answered_with(page, body=_events(("chunk", {"text": "الطقس بارد"}), ("done", DONE)))
    directions = "(element) => getComputedStyle(element).direction"
    assert await answer.locator(".text").evaluate(directions) == "rtl"
    assert await page.locator(".question .text").evaluate(directions) == "ltr"
    await page.get_by_label("Your question").fill("الطقس؟")
    assert await page.get_by_label("Your question").evaluate(directions) == "rtl"


async def test_with_the_systems_own_colours_bubbles_and_dots_are_seen(open_page: OpenPage, origin: str) -> None:
    page = await open_page(f"{origin}/weather/", forced_colors="active")
    answer = await _ask(page, "Weather in Oslo? [[fault: stall@1]]")
    colour = "(element, name) => getComputedStyle(element)[name]"
    background = await page.locator("body").evaluate(colour, "backgroundColor")
    assert await answer.locator(".dots i").first.evaluate(colour, "backgroundColor") != background
    for bubble in (answer, page.locator(".question")):
        assert await bubble.evaluate(colour, "borderTopWidth") == "1px"
        assert await bubble.evaluate(colour, "borderTopColor") not in (background, "rgba(0, 0, 0, 0)")


async def test_the_page_works_by_keyboard_alone(page: Page) -> None:
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("link", name="Skip to the question")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_label("Your question")).to_be_focused()
    await page.keyboard.type("Weather in Oslo?")
    await page.keyboard.press("Shift+Enter")
    await page.keyboard.type("In Fahrenheit")
    await page.keyboard.press("Enter")
    assert "°F" in await _ended(page.locator(".answer"))
    await expect(page.get_by_label("Your question")).to_be_focused()
    await expect(page.locator(".question .text")).to_have_text("Weather in Oslo?\nIn Fahrenheit")


async def test_an_example_is_asked_with_one_click(page: Page) -> None:
    await page.get_by_role("button", name="Compare Lisbon and Kraków").click()
    text = await _ended(page.locator(".answer"))
    assert "Lisbon" in text
    assert "Kraków" in text
    await expect(page.get_by_role("heading", name="What would you like to know?")).to_be_hidden()


async def test_a_screen_reader_hears_the_whole_answer_once(page: Page) -> None:
    text = await _ended(await _ask(page, "Weather in Oslo?"))
    await expect(page.get_by_role("status")).to_have_text(text)
    await expect(page.get_by_role("list", name="Questions and answers").get_by_role("listitem")).to_contain_text(
        "You asked: Weather in Oslo?"
    )


async def test_markup_of_a_customer_is_text(page: Page) -> None:
    await _ended(await _ask(page, '<img src="x" onerror="alert(1)"> in Oslo'))
    await expect(page.locator(".question .text")).to_have_text('<img src="x" onerror="alert(1)"> in Oslo')
    await expect(page.locator(".exchange img")).to_have_count(0)


async def test_the_page_fits_a_phone(open_page: OpenPage, origin: str) -> None:
    page = await open_page(f"{origin}/weather/", viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    answer = await _ask(page, "Compare Lisbon, Oslo and Llanfairpwllgwyngyllgogerychwyrndrobwllllantysilio for 7 days")
    await _ended(answer)
    assert await page.evaluate("() => document.documentElement.scrollWidth") == 360
    for control in (page.get_by_label("Your question"), page.get_by_role("button", name="Ask", exact=True)):
        box = await control.bounding_box()
        assert box is not None
        assert box["height"] >= 44
    end_of_answer = await answer.evaluate("(element) => element.getBoundingClientRect().bottom")
    top_of_form = await page.locator("footer").evaluate("(element) => element.getBoundingClientRect().top")
    assert end_of_answer <= top_of_form


async def _colours(page: Page) -> list[int]:
    """How bright the text and the page are, 0 to 765."""
    script = """() => ["color", "backgroundColor"].map((name) => getComputedStyle(
        document.querySelector(name === "color" ? "body" : "footer"))[name].match(/\\d+/g).slice(0, 3)
        .reduce((sum, part) => sum + Number(part), 0))"""
    found: list[int] = await page.evaluate(script)
    return found


async def test_the_page_follows_the_dark_mode(open_page: OpenPage, origin: str) -> None:
    text, background = await _colours(await open_page(f"{origin}/weather/", color_scheme="dark"))
    assert text > 600
    assert background < 200
    text, background = await _colours(await open_page(f"{origin}/weather/", color_scheme="light"))
    assert text < 200
    assert background > 600
