"""What a request must be, and what the open endpoints answer to one that is not."""

import json
from typing import Any

import pytest
from django.test import AsyncClient
from pytest_django import Settings

from backoffice.database import in_database
from tests.weatherbot.conftest import Customer
from weatherbot.models import Chat

PATHS = ["/weather/chat", "/weather/chat/stream"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("body", "kind", "loc"),
    [
        ({}, "missing", ["body", "message"]),
        ({"message": ""}, "string_too_short", ["body", "message"]),
        ({"message": "x" * 2_001}, "string_too_long", ["body", "message"]),
        ({"message": 7}, "string_type", ["body", "message"]),
        ({"message": None}, "string_type", ["body", "message"]),
        ({"message": ["Oslo"]}, "string_type", ["body", "message"]),
        ({"message": "nul \0"}, "nul_character", ["body", "message"]),
        ({"message": "half \ud83c"}, "lone_surrogate", ["body", "message"]),
        ({"message": "Oslo", "units": "kelvin"}, "extra_forbidden", ["body", "units"]),
        (["Oslo"], "model_type", ["body"]),
    ],
)
async def test_a_message_that_breaks_a_rule_is_a_422_that_says_which(
    stranger: Customer, path: str, body: Any, kind: str, loc: list[str]
) -> None:
    response = await stranger.post(path, body)
    assert response.status_code == 422
    (problem,) = response.json()["detail"]
    assert set(problem) == {"type", "loc", "msg"}
    assert (problem["type"], problem["loc"]) == (kind, loc)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b"", "application/json", 400),
        (b"{", "application/json", 400),
        (b'{"message":NaN}', "application/json", 400),
        (b'{"message":"a","message":"b"}', "application/json", 400),
        (b'{"message":' + b"[" * 100_000, "application/json", 400),
        (b'{"message":"\xff"}', "application/json", 400),
        (b"message=Oslo", "application/x-www-form-urlencoded", 415),
        (b'{"message":"Oslo"}', "text/plain", 415),
        (b'{"message":"' + b"x" * 5_000_000 + b'"}', "application/json", 413),
    ],
)
async def test_a_body_that_cannot_be_read_is_refused(
    stranger: Customer, path: str, body: bytes, content_type: str, status: int
) -> None:
    response = await stranger.post(path, body, content_type)
    assert response.status_code == status
    assert isinstance(response.json()["detail"], str)


@pytest.mark.parametrize("message", ["x", "x" * 2_000, "🌨" * 2_000, " \n", "\ud83c\udf28"])
async def test_any_text_of_1_to_2000_characters_is_a_message(customer: Customer, message: str) -> None:
    response = await customer.post("/weather/chat", json.dumps({"message": message}, ensure_ascii=True).encode())
    assert response.status_code == 200


@pytest.mark.parametrize("path", PATHS)
async def test_another_method_is_a_405(path: str) -> None:
    assert (await AsyncClient().get(path)).status_code == 405


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("accept", ["text/event-stream", "application/json", "text/html", "*/*"])
async def test_what_a_client_accepts_changes_nothing(stranger: Customer, path: str, accept: str) -> None:
    response = await stranger.post(path, {"message": ""}, Accept=accept)
    assert response.status_code == 422
    assert response["Content-Type"] == "application/json"


@pytest.mark.parametrize("path", PATHS)
async def test_a_client_that_asks_too_often_is_told_when_to_come_back(
    customer: Customer, settings: Settings, path: str
) -> None:
    settings.WEATHER_RATE = "2/min"
    for _ in range(2):
        await customer.chat()
    response = await customer.post(path, {"message": "Oslo?"})
    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= 60
    assert isinstance(response.json()["detail"], str)
    assert await in_database(Chat.objects.count) == 2


@pytest.mark.parametrize(("proxies", "statuses"), [(0, [200, 429]), (1, [200, 200])])
async def test_clients_are_told_apart_by_their_address_or_by_what_our_own_proxy_says(
    customer: Customer, settings: Settings, proxies: int, statuses: list[int]
) -> None:
    settings.WEATHER_RATE = "1/min"
    settings.REST_FRAMEWORK = settings.REST_FRAMEWORK | {"NUM_PROXIES": proxies}
    responses = [
        await customer.post("/weather/chat", {"message": "Oslo?"}, **{"X-Forwarded-For": address})
        for address in ("192.0.2.1", "192.0.2.2")
    ]
    assert [response.status_code for response in responses] == statuses
