"""`manage.py check` says in words what is missing, or cannot work, before a customer meets it."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import CheckMessage, run_checks
from pytest_django import Settings

from backoffice.api.access import SummariesRate
from backoffice.checks import LLM, MODEL_NUMBERS, OTHER_NUMBERS, RATES, model_is_configured
from backoffice.health.metrics import make_shared_folder


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


def _errors(about: str, **tags: Any) -> list[CheckMessage]:
    return [message for message in run_checks(**tags) if message.msg.startswith(about) and message.is_serious()]


@pytest.mark.parametrize("name", RATES)
@pytest.mark.parametrize(
    "rate", ["abc", "", "5", "1.5/min", "-1/min", "0/min", "0", "5/", "/min", "5/month", "5 / min", "5/min ", "٥/min"]
)
def test_a_rate_that_cannot_be_kept_is_an_error(settings: Settings, name: str, rate: str) -> None:
    setattr(settings, name, rate)
    (message,) = _errors(name)
    assert f"'{rate}'" in message.msg
    assert "120/min" in str(message.hint)


@pytest.mark.parametrize(
    ("rate", "seconds"),
    [
        ("1/s", 1),
        ("100000/sec", 1),
        ("600/min", 60),
        ("5/minute", 60),
        ("7/h", 3_600),
        ("7/hour", 3_600),
        ("9/day", 86_400),
    ],
)
def test_a_rate_in_order_is_no_news_and_means_what_it_says(settings: Settings, rate: str, seconds: int) -> None:
    for name in RATES:
        setattr(settings, name, rate)
    assert [message for name in RATES for message in _errors(name)] == []
    assert SummariesRate().duration == seconds


NUMBERS = MODEL_NUMBERS | OTHER_NUMBERS


def _set(settings: Settings, name: str, value: Any) -> None:
    match name:
        case "DJANGO_NUM_PROXIES":
            settings.REST_FRAMEWORK = settings.REST_FRAMEWORK | {"NUM_PROXIES": value}
        case "DATABASE_POOL_SIZE":
            database = settings.DATABASES["default"] | {"OPTIONS": {"pool": {"min_size": 1, "max_size": value}}}
            settings.DATABASES = {"default": database}
        case _:
            setattr(settings, name.removeprefix("DJANGO_"), value)


@pytest.mark.filterwarnings("ignore:Overriding setting DATABASES")
@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_out_of_its_range_is_an_error_that_says_the_range(settings: Settings, name: str) -> None:
    least, most = NUMBERS[name]
    for value in (least - 1, most + 1, float("nan")):
        _set(settings, name, value)
        (message,) = _errors(name)
        assert f"from {least:g}" in str(message.hint)
    for value in (least, most):
        _set(settings, name, value)
        assert _errors(name) == []


def test_a_cost_limit_may_be_none_or_an_amount_but_no_infinity(settings: Settings) -> None:
    settings.SUMMARISE_DAILY_COST_LIMIT = None
    assert _errors("SUMMARISE_DAILY_COST_LIMIT") == []
    settings.SUMMARISE_DAILY_COST_LIMIT = Decimal("Infinity")
    assert len(_errors("SUMMARISE_DAILY_COST_LIMIT")) == 1


@pytest.mark.parametrize(
    "address",
    ["api.openai.com/v1", "ftp://host/v1", "http://", "https://host:port/v1", "http://[::1/v1", "http://host:99999/",
     "http://host:0/", "http://my host/v1", "http://host/v1\n", "http://host/v1?key=1", "http://host/v1#top"],
)  # fmt: skip
def test_an_address_that_is_none_is_an_error(settings: Settings, address: str) -> None:
    settings.LLM_PROVIDER, settings.OPENAI_API_KEY, settings.OPENAI_BASE_URL = "openai", "k", address
    (message,) = _errors("OPENAI_BASE_URL", tags=[LLM])
    assert "https://host/v1" in str(message.hint)
    settings.LLM_PROVIDER = "scripted"
    assert _errors("OPENAI_BASE_URL") == []


@pytest.mark.parametrize(
    "address", ["https://api.openai.com/v1", "http://127.0.0.1:8080/v1", "http://[::1]:1/", "http://host"]
)
def test_an_address_in_order_is_no_news(settings: Settings, address: str) -> None:
    settings.LLM_PROVIDER, settings.OPENAI_API_KEY, settings.OPENAI_BASE_URL = "openai", "sk-1", address
    assert run_checks(tags=[LLM]) == []


@pytest.mark.parametrize("key", ["sk-ö", "sk-1\n", " sk-1", "sk\x00", "sk-1\r\nX: 1", "sk-“1”"])
def test_a_key_that_no_header_can_carry_is_an_error_that_does_not_tell_it(settings: Settings, key: str) -> None:
    settings.LLM_PROVIDER, settings.OPENAI_API_KEY, settings.METRICS_TOKEN = "openai", key, key
    for name in ("OPENAI_API_KEY", "METRICS_TOKEN"):
        (message,) = _errors(name)
        assert "sk" not in f"{message.msg} {message.hint}"


@pytest.mark.parametrize(
    "price",
    [{}, {"input": "1", "output": "1"}, {"input": "x", "cached": "1", "output": "1"}, [], "1", None,
     {"input": "-1", "cached": "1", "output": "1"}, {"input": "NaN", "cached": "1", "output": "1"}],
)  # fmt: skip
def test_a_price_that_nothing_can_be_counted_with_is_an_error(settings: Settings, price: Any) -> None:
    settings.LLM_PRICES = {"my-model": price}
    (message,) = _errors("LLM_PRICES", tags=[LLM])
    assert "'my-model'" in message.msg


def test_a_folder_for_the_counts_of_all_processes_is_made_as_one_starts(settings: Settings, tmp_path: Path) -> None:
    settings.PROMETHEUS_MULTIPROC_DIR = str(tmp_path / "new" / "counts")
    make_shared_folder()
    assert Path(settings.PROMETHEUS_MULTIPROC_DIR).is_dir()
    assert _errors("PROMETHEUS_MULTIPROC_DIR") == []
    assert list(Path(settings.PROMETHEUS_MULTIPROC_DIR).iterdir()) == []


@pytest.mark.parametrize("folder", ["file", "file/counts"])
def test_one_that_nothing_can_be_written_to_is_an_error(settings: Settings, tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").touch()
    settings.PROMETHEUS_MULTIPROC_DIR = str(tmp_path / folder)
    make_shared_folder()
    (message,) = _errors("PROMETHEUS_MULTIPROC_DIR")
    assert "(Not a directory)" in message.msg
    assert "every process may write" in str(message.hint)


def test_the_settings_as_they_come_are_no_news() -> None:
    assert [message for message in run_checks() if message.is_serious()] == []
