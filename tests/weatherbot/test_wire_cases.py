"""Every stream met in the wild, played to the chat: never a 500, no lookup from a stream that did not end well, and
failure codes of the one vocabulary.

The cases were written for a tool called `normalize_amount`; here the tool's name and its argument's are changed to fit.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest
from pytest_django import Settings

from backoffice.database import in_database
from backoffice.llm.events import StopReason
from backoffice.llm.failures import FailureCode
from backoffice.llm.scripted.script import Script
from tests.weatherbot.conftest import Customer, Weather
from tests.weatherbot.playing import PlayedModel, says
from tests.wire.player import load_captures, load_expectations
from weatherbot.models import Chat

Play = Callable[..., PlayedModel]

FITTING = {
    b"normalize_amount": b"get_weather",
    b'"normalize_"': b'"get_"',
    b'"amount","arguments"': b'"weather","arguments"',
    rb"\"raw\"": rb"\"location\"",
}
EXPECTATIONS = load_expectations()
ASKS_FOR_EVER = {"c47_followup_same_id"}
"""A row has one follow-up and takes its text; a chat goes on as long as tools are asked for."""


def _fitted(step: object) -> object:
    if isinstance(step, bytes):
        for theirs, ours in FITTING.items():
            step = step.replace(theirs, ours)
    return step


CAPTURES = {name: replace(script, body=tuple(map(_fitted, script.body))) for name, script in load_captures().items()}


def _scripts(name: str) -> list[Script]:
    """The case's first answer, and the follow-up as often as it is asked for."""
    return [CAPTURES[part] for part in EXPECTATIONS[name]["script"].split("+")]


@pytest.fixture(autouse=True)
def _short_patience(settings: Settings) -> None:
    settings.LLM_CHUNK_TIMEOUT = 0.5


@pytest.mark.parametrize("name", sorted(EXPECTATIONS))
async def test_a_case_ends_with_an_answer_or_with_the_failure_that_a_row_has(
    customer: Customer, play: Play, weather: Weather, name: str
) -> None:
    model = play(*_scripts(name))
    response = await customer.chat()
    stored = await in_database(Chat.objects.get)
    if response.status_code == 200:
        assert response.json() == {"answer": stored.answer}
    else:
        assert (response.status_code, response.json()["code"]) == (502, stored.failure)
    assert (stored.failure or None) in _failures(name)
    assert model.refusals == []
    _check_lookups(stored, weather)
    play(*_scripts(name))
    kinds = (await customer.stream()).kinds
    assert kinds[-1] == ("error" if stored.failure else "done")
    assert sum(kind in ("done", "error") for kind in kinds) == 1


def _failures(name: str) -> set[str | None]:
    """What the case's row fails with, None for none; where any outcome will do, whatever the provider may be at."""
    case = EXPECTATIONS[name]
    if name in ASKS_FOR_EVER:
        return {FailureCode.TOO_MANY_ROUNDS}
    if not case.get("strict", True):
        return {None, *FailureCode} - {FailureCode.INTERNAL, FailureCode.NOT_CONFIGURED}
    return set(case["failure"]) if isinstance(case["failure"], list) else {case["failure"]}


def _check_lookups(stored: Chat, weather: Weather) -> None:
    ran = 0
    seen: set[str] = set()
    for call in stored.exchange:
        for run in call["tool_runs"]:
            assert not run["ran"] or call["answer"]["stop_reason"] in (StopReason.END, StopReason.TOOL_CALLS)
            assert not run["ran"] or run["id"] not in seen
            assert ("error" in run["result"]) or run["ran"]
            seen.add(run["id"])
            ran += run["ran"]
        assert not (call["answer"]["failure"] and call["tool_runs"])
    assert len(weather.lookups) == ran


@pytest.mark.parametrize("name", ["b01_tool", "b03_parallel_interleaved", "c08_name_split", "c52_weather_valid"])
async def test_good_cases_do_look_up(customer: Customer, play: Play, weather: Weather, name: str) -> None:
    play(CAPTURES[name], says("Cold."))
    assert await customer.answer() == "Cold."
    assert weather.lookups
