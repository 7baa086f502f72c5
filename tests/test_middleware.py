"""Django's middleware on the event loop does what Django's own does, under the asynchronous server and the other one,
and a request that waits holds no thread."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings as django_settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.asgi import get_asgi_application
from django.core.signals import request_started
from django.db import close_old_connections, reset_queries
from django.http import HttpRequest, HttpResponse
from django.test import AsyncClient, Client
from django.urls import include, path
from django.utils.module_loading import import_string
from pytest_django import Settings

from backoffice.middleware import OnTheLoop, spare_request_threads
from backoffice.middleware_setting import STANDS_FOR, Middleware

LONG = "x" * 5_000
"""No cookie holds it."""


class Waiting:
    """Requests that have come in and wait for a model."""

    def __init__(self) -> None:
        self.arrived = 0
        self.all_there = asyncio.Event()
        self.answer = asyncio.Event()


waiting: list[Waiting] = []


async def wait(_request: HttpRequest) -> HttpResponse:
    here = waiting[-1]
    here.arrived += 1
    if here.arrived == REQUESTS:
        here.all_there.set()
    await here.answer.wait()
    return HttpResponse()


def tell(request: HttpRequest) -> HttpResponse:
    messages.info(request, request.GET["text"])
    return HttpResponse()


def told(request: HttpRequest) -> HttpResponse:
    return HttpResponse("|".join(str(message) for message in messages.get_messages(request)))


def remember(request: HttpRequest) -> HttpResponse:
    request.session["name"] = request.GET["name"]
    return HttpResponse()


async def remembered(request: HttpRequest) -> HttpResponse:
    return HttpResponse(await request.session.aget("name", "nothing"))


async def forget(request: HttpRequest) -> HttpResponse:
    await request.session.aflush()
    return HttpResponse()


async def change(_request: HttpRequest) -> HttpResponse:
    return HttpResponse("changed")


urlpatterns = [
    path("wait", wait),
    path("tell", tell),
    path("told", told),
    path("remember", remember),
    path("remembered", remembered),
    path("forget", forget),
    path("change", change),
    path("", include("backoffice.urls")),
]


@pytest.fixture(autouse=True)
def _views(settings: Settings) -> None:
    settings.ROOT_URLCONF = __name__


Ask = Callable[..., Any]


@pytest.fixture(params=["asgi", "wsgi"])
def ask(request: pytest.FixtureRequest, db: None) -> Ask:
    """`ask(method, path, …)`: one browser, over either kind of server, whose forms need a CSRF token."""
    if request.param == "wsgi":
        browser = Client(enforce_csrf_checks=True)
        return lambda method, *args, **more: getattr(browser, method)(*args, **more)
    async_browser = AsyncClient(enforce_csrf_checks=True)
    return lambda method, *args, **more: async_to_sync(getattr(async_browser, method))(*args, **more)


@pytest.mark.parametrize(("ours", "djangos"), STANDS_FOR.items())
def test_each_one_is_the_one_of_djangos_that_it_stands_for(ours: str, djangos: str) -> None:
    assert issubclass(import_string(ours), OnTheLoop)
    assert issubclass(import_string(ours), import_string(djangos))


def test_the_project_has_them_all_and_a_check_finds_them_by_djangos_name() -> None:
    assert all(ours in django_settings.MIDDLEWARE for ours in STANDS_FOR)
    assert all(djangos in django_settings.MIDDLEWARE for djangos in STANDS_FOR.values())


def test_a_check_does_not_find_what_is_not_there() -> None:
    setting = Middleware(["backoffice.middleware.Security"])
    assert "django.middleware.security.SecurityMiddleware" in setting
    assert "django.middleware.csrf.CsrfViewMiddleware" not in setting
    assert None not in setting


@pytest.mark.parametrize("path", ["/healthz", "/nothing-here", "/change", "/admin/login/"])
def test_every_answer_has_the_security_headers(ask: Ask, path: str) -> None:
    answer = ask("get", path)
    headers = ("X-Frame-Options", "X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy")
    assert [answer[header] for header in headers] == ["DENY", "nosniff", "same-origin", "same-origin"]


def test_plain_http_is_sent_to_https_before_anything_else_where_that_is_set(ask: Ask, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    answer = ask("get", "/change?a=b")
    assert (answer.status_code, answer["Location"]) == (301, "https://testserver/change?a=b")


def test_a_missing_slash_is_added_and_a_foreign_host_is_refused(ask: Ask) -> None:
    assert ask("get", "/admin")["Location"] == "/admin/"
    assert ask("get", "/change", headers={"Host": "evil.example"}).status_code == 400


def test_a_form_without_its_token_is_refused(ask: Ask) -> None:
    assert ask("post", "/change", {"a": "b"}).status_code == 403


def test_a_form_from_another_site_is_refused(ask: Ask) -> None:
    assert ask("post", "/change", headers={"Origin": "https://evil.example"}).status_code == 403


def test_a_form_with_its_token_is_taken(ask: Ask) -> None:
    token = ask("get", "/admin/login/").cookies["csrftoken"].value
    assert ask("post", "/change", {"csrfmiddlewaretoken": token}).content == b"changed"
    assert ask("post", "/change", headers={"X-CSRFToken": token}).content == b"changed"


def test_a_person_signs_in_works_and_signs_out(ask: Ask) -> None:
    User.objects.create_superuser("ada", password="ada")
    token = ask("get", "/admin/login/").cookies["csrftoken"].value
    entered = {"username": "ada", "password": "ada", "next": "/admin/", "csrfmiddlewaretoken": token}
    signed_in = ask("post", "/admin/login/", entered)
    assert (signed_in.status_code, signed_in["Location"]) == (302, "/admin/")
    assert ask("get", "/admin/").status_code == 200
    token = signed_in.cookies["csrftoken"].value
    signed_out = ask("post", "/admin/logout/", {"csrfmiddlewaretoken": token})
    assert signed_out.cookies["sessionid"].value == ""
    assert ask("get", "/admin/").status_code == 302


@pytest.mark.parametrize("text", ["hello", LONG])
def test_a_message_is_shown_once(ask: Ask, text: str) -> None:
    ask("get", "/tell", {"text": text})
    assert [ask("get", "/told").content.decode() for _ in range(2)] == [text, ""]


def test_a_session_lasts_until_it_is_forgotten(ask: Ask) -> None:
    assert "sessionid" in ask("get", "/remember", {"name": "zł"}).cookies
    assert ask("get", "/remembered").content.decode() == "zł"
    assert "Cookie" in ask("get", "/remembered")["Vary"]
    ask("get", "/forget")
    assert ask("get", "/remembered").content == b"nothing"


def test_a_session_that_nobody_changed_is_stored_where_the_setting_asks_for_it(ask: Ask, settings: Settings) -> None:
    ask("get", "/remember", {"name": "a"})
    assert "sessionid" not in ask("get", "/remembered").cookies
    settings.SESSION_SAVE_EVERY_REQUEST = True
    assert "sessionid" in ask("get", "/remembered").cookies


REQUESTS = 30


@pytest.fixture
def _as_served() -> Iterator[None]:
    """Django's test client connects one of the two anew with every request."""
    spare_request_threads()
    yield
    request_started.connect(reset_queries)
    request_started.connect(close_old_connections)


async def requested(application: Any, path: str) -> int:
    """The status of the answer."""
    scope = {"type": "http", "method": "GET", "path": path, "headers": [(b"host", b"localhost")], "query_string": b""}
    received: asyncio.Queue[Any] = asyncio.Queue()
    received.put_nowait({"type": "http.request"})
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    await application(scope, received.get, send)
    return sent[0]["status"]  # type: ignore[no-any-return]


@pytest.mark.usefixtures("_as_served")
async def test_requests_that_wait_hold_no_thread() -> None:
    waiting.append(here := Waiting())
    threads = threading.active_count()
    application = get_asgi_application()
    requests = [asyncio.create_task(requested(application, "/wait")) for _ in range(REQUESTS)]
    await here.all_there.wait()
    assert threading.active_count() == threads
    here.answer.set()
    assert await asyncio.gather(*requests) == [200] * REQUESTS
