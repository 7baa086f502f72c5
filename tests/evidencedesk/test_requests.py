"""What is not a question is refused before a model is called, and before anything is stored."""

from typing import Any

import pytest
from django.test import AsyncClient
from pytest_django import Settings

from backoffice.database import in_database
from backoffice.evidencedesk.models import Answer
from tests.evidencedesk.desk import Desk

TOO_LONG = "x" * 501


@pytest.fixture(autouse=True)
async def _nothing_is_stored(desk: Desk) -> Any:
    yield
    assert await in_database(Answer.objects.count) == 0


@pytest.mark.parametrize(
    ("body", "loc", "type_"),
    [
        ({}, ["body", "question"], "missing"),
        ({"question": ""}, ["body", "question"], "string_too_short"),
        ({"question": TOO_LONG}, ["body", "question"], "string_too_long"),
        ({"question": 1}, ["body", "question"], "string_type"),
        ({"question": None}, ["body", "question"], "string_type"),
        ({"question": "a\0b"}, ["body", "question"], "nul_character"),
        ({"question": "a\ud800b"}, ["body", "question"], "lone_surrogate"),
        ({"question": "When?", "model": "x"}, ["body", "model"], "extra_forbidden"),
        ([], ["body"], "model_type"),
    ],
)
async def test_an_invalid_body_is_422_and_not_repeated(desk: Desk, body: Any, loc: list[str], type_: str) -> None:
    response = await desk.post(body)
    (problem,) = response.json()["detail"]
    assert response.status_code == 422
    assert (problem["loc"], problem["type"], set(problem)) == (loc, type_, {"type", "loc", "msg"})


@pytest.mark.parametrize(
    ("query", "type_"),
    [
        ({}, "missing"),
        ({"q": ""}, "string_too_short"),
        ({"q": TOO_LONG}, "string_too_long"),
        ({"q": ["a", "b"]}, "string_type"),
        ({"q": "a\0b"}, "nul_character"),
        ({"question": "When?"}, "missing"),
    ],
)
async def test_an_invalid_query_is_422(desk: Desk, query: dict[str, Any], type_: str) -> None:
    response = await desk.get_stream(**query)
    (problem,) = response.json()["detail"]
    assert response.status_code == 422
    assert (problem["loc"], problem["type"]) == (["query", "q"], type_)


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"", 400), (b"{", 400), (b"\xff", 400), (b'{"question":"a","question":"b"}', 400), (b"NaN", 400)],
)
async def test_a_body_that_is_no_json_is_400(desk: Desk, body: bytes, status: int) -> None:
    assert (await desk.post(body)).status_code == status


async def test_a_query_of_too_many_parameters_is_400_in_our_words(desk: Desk) -> None:
    response = await desk.client.get(f"/ask/stream?{'a=1&' * 1_100}q=When")
    assert (response.status_code, response.json()) == (400, {"detail": "The request could not be read."})


async def test_a_slash_too_many_is_405_in_our_words() -> None:
    client = AsyncClient(enforce_csrf_checks=True)
    response = await client.post("/ask/", b'{"question": "When?"}', "application/json")
    assert (response.status_code, response.json()) == (405, {"detail": 'Method "POST" not allowed.'})


async def test_other_media_types_and_sizes_are_refused(desk: Desk) -> None:
    assert (await desk.post(b"question=When", "application/x-www-form-urlencoded")).status_code == 415
    assert (await desk.post(b" " * (4 * 1024 * 1024 + 1))).status_code == 413


@pytest.mark.parametrize(
    ("method", "path"),
    [("get", "/ask"), ("put", "/ask"), ("post", "/ask/stream"), ("head", "/ask/stream"), ("post", "/ask/")],
)
async def test_other_methods_are_405(desk: Desk, method: str, path: str) -> None:
    assert (await getattr(desk.client, method)(f"{path}?q=When")).status_code == 405


async def test_without_a_model_both_endpoints_say_so(desk: Desk, settings: Settings) -> None:
    settings.LLM_PROVIDER, settings.OPENAI_API_KEY = "openai", ""
    for response in (await desk.post({"question": "When?"}), await desk.get_stream(q="When?")):
        assert response.status_code == 503
        assert response.json() == {"detail": "No model is configured.", "code": "not_configured"}


async def test_both_endpoints_share_one_rate_for_each_client(desk: Desk, settings: Settings) -> None:
    settings.ASK_RATE = "2/min"
    assert (await desk.post({})).status_code == 422
    assert (await desk.get_stream()).status_code == 422
    response = await desk.post({})
    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= 60
