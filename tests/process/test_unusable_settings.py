"""Settings that cannot work are told in words by the programs themselves, from the environment on."""

import pytest

from tests.process.programs import finished, programs

pytestmark = [pytest.mark.process, pytest.mark.django_db]

SETTINGS = "from backoffice import settings as s"
"""What every program does first."""


def test_each_is_a_line_of_the_check() -> None:
    environment = {"LLM_PROVIDER": "openai", "OPENAI_API_KEY": "sk-1\n", "OPENAI_BASE_URL": "host"}
    with programs(WEATHER_RATE="abc", ASK_RATE="5", WEATHER_CONCURRENT_LOOKUPS="0", **environment) as running:
        status, said = finished(running.start("manage.py", "check"))
    assert status == 1
    for words in (
        "WEATHER_RATE is 'abc'",
        "ASK_RATE is '5'",
        "WEATHER_CONCURRENT_LOOKUPS is 0",
        "OPENAI_API_KEY holds",
    ):
        assert words in said
    assert "OPENAI_BASE_URL is 'host'" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("name", ["LLM_MAX_IN_FLIGHT", "RUN_GRACE_SECONDS", "SUMMARISE_DAILY_COST_LIMIT"])
def test_what_is_no_number_is_named(name: str) -> None:
    with programs(**{name: "many"}) as running:
        status, said = finished(running.start("-c", SETTINGS))
    assert status == 1
    assert f"{name} must be a" in said
    assert "not 'many'" in said


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("LLM_PRICES", "{", " must be JSON such as "),
        ("DATABASE_URL", "postgres://user:s3/cr3t@host:5432/name", ": its host or its port cannot be read."),
        ("CACHE_URL", "memory://user:s3cr3t@host", ": its scheme, "),
        ("EMAIL_URL", "smtp://user:s3cr3t@host:port", ": its host or its port cannot be read."),
    ],
)
def test_what_cannot_be_read_is_named_without_its_password(name: str, value: str, words: str) -> None:
    with programs(**{name: value}) as running:
        status, said = finished(running.start("-c", SETTINGS))
    assert status == 1
    assert f"{name}{words}" in said.splitlines()[-1]
    assert "s3" not in said


def test_a_variable_left_blank_means_the_default() -> None:
    with programs(
        LLM_MODEL="", DJANGO_TIME_ZONE=" ", EVIDENCE_CORPUS="", WEATHER_RATE="", LLM_MAX_IN_FLIGHT=""
    ) as running:
        status, said = finished(
            running.start("-c", f"{SETTINGS}; print(s.LLM_MODEL, s.TIME_ZONE, s.EVIDENCE_CORPUS[-6:])")
        )
    assert (status, said.splitlines()[-1]) == (0, "gpt-4o-mini-2024-07-18 UTC corpus")


def test_what_the_address_of_the_database_asks_for_is_kept() -> None:
    code = f"{SETTINGS}; print(s.DATABASES['default']['OPTIONS']['sslmode'])"
    with programs(DATABASE_URL="postgres://user@host/name?sslmode=require") as running:
        status, said = finished(running.start("-c", code))
    assert (status, said.splitlines()[-1]) == (0, "require")
