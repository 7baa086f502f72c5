"""A real Chromium before the product as it runs in production: a process of its own, over the scripted model."""

import os
import shutil
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from subprocess import DEVNULL
from typing import Any

import pytest
from playwright.async_api import Browser, ConsoleMessage, Page, async_playwright

from tests.process.programs import programs

ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage"]

OpenPage = Callable[..., Awaitable[Page]]


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the system's Chromium. Without one the tests are skipped; where CI says so, they fail."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        missing = "There is no Chromium here: apt-get install chromium chromium-sandbox fonts-dejavu-core"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    return path


@contextmanager
def serving() -> Iterator[str]:
    """The product's address; its process shares the tests' database."""
    with closing(socket.socket()) as listening, programs(LLM_PROVIDER="scripted", OPENAI_API_KEY="") as running:
        listening.bind(("127.0.0.1", 0))
        listening.listen(16)
        listening.set_inheritable(True)
        descriptor = listening.fileno()
        arguments = ("-m", "uvicorn", "backoffice.asgi:application", "--log-level", "error", "--fd", str(descriptor))
        running.start(*arguments, pass_fds=(descriptor,), stdout=DEVNULL)  # a pipe that nobody reads would stop it
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@pytest.fixture(scope="module")
def origin(chromium: str, django_db_setup: None) -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture
async def browser(chromium: str) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield launched
        await launched.close()


@pytest.fixture
def complaints() -> Iterator[list[str]]:
    """What the browser complained of: broken policies, missing files, errors of the script. None may be left over."""
    heard: list[str] = []
    yield heard
    assert heard == []


@pytest.fixture
def open_page(browser: Browser, complaints: list[str], transactional_db: None) -> OpenPage:
    """`await open_page(address, **context)`: a page in a context of its own, such as `color_scheme="dark"`."""

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    async def opened(address: str, **context: Any) -> Page:
        page = await (await browser.new_context(**context)).new_page()
        page.on("console", heard)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        await page.goto(address)
        return page

    return opened
