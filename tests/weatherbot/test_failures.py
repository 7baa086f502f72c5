"""Whatever goes wrong at the model is a 502 that says which kind in the product's words, none of the provider's."""

from collections.abc import Callable

import pytest
from pytest_django import Settings

from backoffice.database import in_database
from backoffice.llm.failures import SENTENCES, FailureCode
from backoffice.llm.scripted.script import Drop, Script, Sleep, data_event, error_answer
from tests.weatherbot.conftest import Customer
from tests.weatherbot.playing import Call, PlayedModel, asks, says
from weatherbot.models import Chat

Play = Callable[..., PlayedModel]

SECRET = "sk-secret: quota of org-42"
BEGUN = says("It is").body[0]
FAILURES = {
    "rate_limited": Script(429, (("retry-after-ms", "1"),), body=(SECRET.encode(),)),
    "rejected": error_answer(400, SECRET, "invalid_request_error"),
    "provider_error": Script(503, (("retry-after-ms", "1"),), body=(SECRET.encode(),)),
    "malformed_chunk": Script(body=(BEGUN, data_event('{"choices":"' + SECRET))),
    "interrupted": Script(body=(BEGUN,)),
    "connection": Script(body=(BEGUN, Drop())),
    "timeout": Script(body=(BEGUN, Sleep(60))),
}
STREAM_ERRORS = {
    "error event": Script(body=(BEGUN, data_event(f'{{"error":{{"message":"{SECRET}"}}}}'))),
    "unknown stop reason": says("It is", stop="abort"),
    "HTML": Script(headers=(("content-type", "text/html"),), body=(f"<h1>{SECRET}</h1>".encode(),)),
}


def _cases() -> list[object]:
    cases = [pytest.param(script, code, id=code) for code, script in FAILURES.items()]
    return cases + [pytest.param(script, "provider_error", id=name) for name, script in STREAM_ERRORS.items()]


@pytest.fixture(autouse=True)
def _short_patience(settings: Settings) -> None:
    settings.LLM_CHUNK_TIMEOUT = 0.3


@pytest.mark.parametrize(("script", "code"), _cases())
@pytest.mark.parametrize("later", [False, True], ids=["first call", "after a lookup"])
async def test_a_failure_is_a_502_with_its_code_and_is_stored_without_the_providers_words(
    customer: Customer, play: Play, caplog: pytest.LogCaptureFixture, script: Script, code: str, later: bool
) -> None:
    play(*([asks(Call()), script] if later else [script]))
    response = await customer.chat("Where is my secret message?")
    assert response.status_code == 502
    assert response.json() == {"detail": SENTENCES[FailureCode(code)], "code": code}
    stored = await in_database(Chat.objects.get)
    assert (stored.state, stored.failure, stored.answer) == ("failed", code, None)
    for told in (response.content.decode(), str(vars(stored)), caplog.text):
        assert SECRET not in told
    assert "secret message" not in caplog.text


async def test_without_a_configured_model_it_is_503_and_nothing_is_stored(
    customer: Customer, settings: Settings
) -> None:
    settings.LLM_PROVIDER, settings.OPENAI_API_KEY = "openai", ""
    for path in ("/weather/chat", "/weather/chat/stream"):
        response = await customer.post(path, {"message": "Weather in Oslo?"})
        assert (response.status_code, response.json()["code"]) == (503, "not_configured")
    assert await in_database(Chat.objects.count) == 0


async def test_a_programming_error_is_internal_and_is_logged(
    customer: Customer, play: Play, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    model = play(asks(Call()))
    monkeypatch.setattr(model, "handle", None)
    response = await customer.chat()
    assert (response.status_code, response.json()["code"]) == (502, "internal")
    assert "TypeError" in caplog.text
    assert (await in_database(Chat.objects.get)).failure == "internal"
