"""Every exception of a view has an answer, and none tells more than it should."""

import asyncio
import logging
from typing import Any

import pytest
from django.test import AsyncClient, AsyncRequestFactory

from backoffice.api.errors import respond_to
from tests.api.toy_urls import FailingView


async def got(name: str) -> Any:
    return await AsyncClient(raise_request_exception=False).get(f"/failing/{name}")


@pytest.mark.parametrize(
    ("name", "status", "body"),
    [
        ("not-configured", 503, {"detail": "No model is configured.", "code": "not_configured"}),
        (
            "rate-limited",
            502,
            {"detail": "The model provider is limiting our requests at the moment.", "code": "rate_limited"},
        ),
        (
            "rounds",
            502,
            {"detail": "The model kept asking for tools instead of answering.", "code": "too_many_rounds"},
        ),
        ("missing", 404, {"detail": "Not found."}),
        ("not-found", 404, {"detail": "Not found."}),
        ("forbidden", 403, {"detail": "You do not have permission to perform this action."}),
        ("bug", 500, {"detail": "Something went wrong on our side.", "code": "internal"}),
    ],
)
async def test_each_failure_has_its_status_and_our_own_words(name: str, status: int, body: dict[str, str]) -> None:
    answer = await got(name)
    assert (answer.status_code, answer.json()) == (status, body)
    assert answer["Content-Type"] == "application/json"


async def test_a_request_that_django_cannot_take_apart_is_400(caplog: pytest.LogCaptureFixture) -> None:
    answer = await AsyncClient().get(f"/open?{'q=1&' * 1_100}")
    assert (answer.status_code, answer.json()) == (400, {"detail": "The request could not be read."})
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_a_throttled_client_is_told_when_to_come_back() -> None:
    answer = await got("throttled")
    assert (answer.status_code, answer["Retry-After"]) == (429, "7")


async def test_a_programming_error_is_logged_with_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    await got("bug")
    (record,) = [record for record in caplog.records if record.name == "backoffice.api.errors"]
    assert record.levelno == logging.ERROR
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], KeyError)


async def test_what_a_client_asked_for_wrongly_is_no_error_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    await AsyncClient().post("/open", data=b"{", content_type="application/json")
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("accept", ["application/json", "text/html", "text/event-stream", "image/png", "nonsense"])
async def test_what_a_client_accepts_does_not_change_an_error(accept: str) -> None:
    answer = await AsyncClient().get("/failing/missing", headers={"Accept": accept})
    assert (answer.status_code, answer.json()) == (404, {"detail": "Not found."})


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
async def test_a_wrong_method_is_405_and_names_the_right_ones(method: str) -> None:
    answer = await getattr(AsyncClient(), method)("/open")
    assert (answer.status_code, answer["Allow"]) == (405, "GET, POST, HEAD, OPTIONS")
    assert "not allowed" in answer.json()["detail"]


@pytest.mark.parametrize("method", ["TRACE", "PROPFIND", "__CLASS__", "BODY"])
async def test_a_method_nobody_knows_is_405_too(method: str) -> None:
    assert (await AsyncClient().generic(method, "/open")).status_code == 405


async def test_options_are_answered() -> None:
    answer = await AsyncClient().options("/open")
    assert (answer.status_code, answer["Allow"]) == (200, "GET, POST, HEAD, OPTIONS")


async def test_a_head_request_is_a_get_without_its_body() -> None:
    answer = await AsyncClient().head("/open?q=a")
    assert (answer.status_code, answer.content) == (200, b"")


async def test_cancellation_is_no_error_to_be_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    class Waiting(FailingView):
        async def get(self, request: Any, name: str) -> Any:
            await asyncio.Event().wait()

    task = asyncio.ensure_future(Waiting.as_view()(AsyncRequestFactory().get("/failing/x"), name="x"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_the_answer_of_a_bug_does_not_depend_on_a_request() -> None:
    answer = respond_to(RuntimeError("sk-secret"), {})
    assert (answer.status_code, answer.data["code"]) == (500, "internal")
