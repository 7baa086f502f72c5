"""The API's description holds both endpoints, and the project's checks know the weather's settings."""

from io import StringIO

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
    common = {"200", "400", "413", "415", "422", "429", "503"}
    assert set(paths["/weather/chat"]["post"]["responses"]) == common | {"502"}  # type: ignore[index]
    assert set(paths["/weather/chat/stream"]["post"]["responses"]) == common  # type: ignore[index]


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
