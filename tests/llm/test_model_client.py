"""Which model is called, from the settings alone; and one client for each event loop, closed when its work ends."""

from dataclasses import replace

import pytest
from django.test import override_settings
from openai import AsyncOpenAI

from backoffice.llm.client import ModelConfig, client_for, close_clients, model_config, run_to_end
from backoffice.llm.failures import NotConfigured
from backoffice.llm.streaming import complete
from tests.llm.streams import question

OPENAI = {
    "LLM_PROVIDER": "openai",
    "LLM_MODEL": "m-1",
    "OPENAI_API_KEY": "sk-1",
    "OPENAI_BASE_URL": "http://provider.invalid/v1",
    "LLM_CHUNK_TIMEOUT": 3.0,
    "LLM_CALL_TIMEOUT": 7.0,
}


@override_settings(**OPENAI)
def test_the_configuration_is_that_of_the_settings() -> None:
    assert model_config() == ModelConfig("openai", "m-1", "sk-1", "http://provider.invalid/v1", 3.0, 7.0)


@override_settings(**{**OPENAI, "OPENAI_API_KEY": ""})
def test_without_a_key_nothing_is_configured_and_the_variables_to_set_are_named() -> None:
    with pytest.raises(NotConfigured, match=r"OPENAI_API_KEY.*LLM_PROVIDER=scripted"):
        model_config()


@override_settings(LLM_PROVIDER="scripted", OPENAI_API_KEY="")
def test_the_scripted_model_needs_no_key() -> None:
    assert model_config().provider == "scripted"


@override_settings(**OPENAI)
async def test_the_client_has_the_configured_address_key_limits_and_two_retries() -> None:
    client = client_for(model_config())
    assert (str(client.base_url), client.api_key, client.max_retries) == ("http://provider.invalid/v1/", "sk-1", 2)
    assert client.timeout.as_dict() == {"connect": 3.0, "read": 3.0, "write": 3.0, "pool": 7.0}  # type: ignore[union-attr]
    await close_clients()


async def test_a_long_limit_between_events_does_not_wait_long_for_a_connection(config: ModelConfig) -> None:
    client = client_for(replace(config, chunk_timeout=30.0))
    assert client.timeout.connect == 10.0  # type: ignore[union-attr]


@override_settings(**OPENAI)
async def test_the_scripted_model_is_never_shown_the_real_key(config: ModelConfig) -> None:
    assert "sk-1" not in client_for(replace(config, provider="scripted")).api_key


async def test_there_is_one_client_for_a_loop_and_a_configuration(config: ModelConfig) -> None:
    client = client_for(config)
    assert client_for(config) is client
    assert client_for(replace(config, model=config.model)) is client
    assert client_for(replace(config, base_url="http://other.invalid/v1")) is not client


def test_each_loop_has_its_own_client_which_works_and_is_closed_with_the_loops_work(config_values: ModelConfig) -> None:
    async def asked() -> tuple[AsyncOpenAI, bool]:
        completion = await complete(question(), config_values)
        return client_for(config_values), completion.usable

    (one, usable), (other, usable_too) = run_to_end(asked()), run_to_end(asked())
    assert one is not other
    assert usable
    assert usable_too
    assert one.is_closed()
    assert other.is_closed()


def test_work_that_fails_leaves_no_client_behind(config_values: ModelConfig) -> None:
    clients: list[AsyncOpenAI] = []

    async def failing() -> None:
        clients.append(client_for(config_values))
        raise KeyError

    with pytest.raises(KeyError):
        run_to_end(failing())
    assert clients[0].is_closed()


async def test_closing_where_no_client_is_open_harms_no_later_call(config: ModelConfig) -> None:
    await close_clients()
    await close_clients()
    assert (await complete(question(), config)).usable


@pytest.fixture
def config_values() -> ModelConfig:
    """A configuration for tests that make their own loops."""
    return model_config()
