"""Settings that cannot work are told in words by the programs themselves, from the environment on."""

import pytest

from tests.process.programs import finished, programs

pytestmark = [pytest.mark.process, pytest.mark.django_db]


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
        status, said = finished(running.start("manage.py", "check"))
    assert status == 1
    assert f"{name} must be a" in said
    assert "not 'many'" in said
