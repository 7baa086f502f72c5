"""`manage.py check` says in words what is missing for a model to be called."""

import pytest
from pytest_django import Settings

from backoffice.checks import model_is_configured


def test_without_a_key_there_is_a_warning_that_names_the_variable(settings: Settings) -> None:
    settings.LLM_PROVIDER, settings.OPENAI_API_KEY = "openai", ""
    (message,) = model_is_configured()
    assert (message.id, message.is_serious()) == ("llm.W001", False)
    assert "OPENAI_API_KEY" in message.msg


def test_a_provider_nobody_knows_is_an_error(settings: Settings) -> None:
    settings.LLM_PROVIDER = "gpt"
    (message,) = model_is_configured()
    assert (message.id, message.is_serious()) == ("llm.E001", True)
    assert "'gpt'" in message.msg


@pytest.mark.parametrize(("provider", "key"), [("openai", "sk-1"), ("scripted", "")])
def test_what_can_be_called_is_no_news(settings: Settings, provider: str, key: str) -> None:
    settings.LLM_PROVIDER, settings.OPENAI_API_KEY = provider, key
    assert model_is_configured() == []
