"""`/weather/`: a page for everybody, under a policy that lets nothing in but the page's own files."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import AsyncClient

from backoffice.checks import OTHER_NUMBERS
from backoffice.pages import CONTENT_SECURITY_POLICY


async def test_the_page_is_there_for_everybody() -> None:
    response = await AsyncClient().get("/weather/")
    assert response.status_code == 200
    assert response["Content-Type"] == "text/html; charset=utf-8"
    assert 'data-most="2000"' in response.content.decode()


async def test_the_page_needs_no_database_and_no_session() -> None:
    response = await AsyncClient().get("/weather/")  # no database is allowed in this test
    assert not response.cookies


async def test_the_policy_allows_nothing_unsafe() -> None:
    response = await AsyncClient().get("/weather/")
    policy = dict(rule.split(" ", 1) for rule in response["Content-Security-Policy"].split("; "))
    assert policy == dict(rule.split(" ", 1) for rule in CONTENT_SECURITY_POLICY.split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert "unsafe" not in response["Content-Security-Policy"]
    assert "*" not in response["Content-Security-Policy"]


async def test_the_page_holds_nothing_inline() -> None:
    html = (await AsyncClient().get("/weather/")).content.decode()
    assert "<style" not in html
    assert " style=" not in html
    assert re.search(r"<script(?![^>]* src=)", html) is None
    assert re.search(r"\son\w+=", html) is None


async def test_every_file_the_page_names_exists() -> None:
    html = (await AsyncClient().get("/weather/")).content.decode()
    files = set(re.findall(r'(?:src|href)="/static/([^"]+)"', html))
    assert files == {"weatherbot/chat.js", "backoffice/pages.css", "weatherbot/icon.svg"}
    assert all(finders.find(name) for name in files)


def test_the_page_outwaits_two_comments_at_the_slowest_pace_that_the_check_allows() -> None:
    script = Path(str(finders.find("weatherbot/chat.js"))).read_text()
    [milliseconds] = re.findall(r"const SILENCE_LIMIT = ([\d_]+);", script)
    _least, slowest = OTHER_NUMBERS["SSE_KEEPALIVE_SECONDS"]
    assert int(milliseconds) / 1000 >= 2 * slowest


@pytest.mark.parametrize("method", ["post", "put", "delete"])
async def test_the_page_is_read_only(method: str) -> None:
    response = await getattr(AsyncClient(), method)("/weather/")
    assert response.status_code == 405
