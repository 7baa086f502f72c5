"""The API's description holds both endpoints, and the project's checks know the weather's settings."""

from io import StringIO
from typing import Any

import pytest
import yaml
from django.core.checks import run_checks
from django.core.management import call_command
from pytest_django import Settings


@pytest.fixture(scope="module")
def paths() -> dict[str, dict[str, object]]:
    out = StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=out)
    described: dict[str, dict[str, object]] = yaml.safe_load(out.getvalue())["paths"]
    return described


@pytest.mark.parametrize("path", ["/weather/chat", "/weather/chat/stream"])
def test_a_message_is_the_body_of_both(paths: dict[str, object], path: str) -> None:
    body = paths[path]["post"]["requestBody"]["content"]  # type: ignore[index]
    assert body == {"application/json": {"schema": {"$ref": "#/components/schemas/ChatIn"}}}


def test_every_status_is_described(paths: dict[str, object]) -> None:
    common = {"200", "400", "405", "413", "415", "422", "429", "503"}
    assert set(paths["/weather/chat"]["post"]["responses"]) == common | {"502"}  # type: ignore[index]
    assert set(paths["/weather/chat/stream"]["post"]["responses"]) == common  # type: ignore[index]


def test_no_answer_of_any_endpoint_is_without_its_words(paths: dict[str, Any]) -> None:
    answers = [
        (path, status, answer)
        for path, methods in paths.items()
        for operation in methods.values()
        for status, answer in operation["responses"].items()
    ]
    assert [(path, status) for path, status, answer in answers if len(answer["description"]) < 5] == []
    assert {path for path, status, _ in answers if status == "405"} == set(paths)
    with_header = {status for _, status, answer in answers if "Retry-After" in answer.get("headers", {})}
    assert with_header == {"429", "503"}


def test_a_private_endpoint_is_said_to_be_one(paths: dict[str, Any]) -> None:
    assert {"401", "403", "404", "429"} <= set(paths["/summaries/runs/{run_id}"]["get"]["responses"])


@pytest.mark.parametrize("event", ["`chunk`", "`tool`", "`done`", "`error`"])
def test_the_events_of_the_stream_are_described(paths: dict[str, object], event: str) -> None:
    answer = paths["/weather/chat/stream"]["post"]["responses"]["200"]  # type: ignore[index]
    assert event in answer["description"]
    assert set(answer["content"]) == {"text/event-stream"}


@pytest.mark.parametrize(("name", "problems"), [("mock", []), ("open_meteo", []), ("weather.com", ["weatherbot.E001"])])
def test_a_backend_that_does_not_exist_is_named_by_the_checks(
    settings: Settings, name: str, problems: list[str]
) -> None:
    settings.WEATHER_BACKEND = name
    found = [message.id for message in run_checks() if (message.id or "").startswith("weatherbot.")]
    assert found == problems
