"""Requests that no other part knows."""

import json

from backoffice.llm.scripted.roles import ROLES, plain
from tests.llm.scripted.asking import chat_request, said, tool


def test_a_request_without_tools_gets_a_short_answer() -> None:
    assert said("Hello", tools=[]) == plain.ANSWER


def test_tools_that_it_does_not_know_are_left_alone() -> None:
    assert said("Hello", tools=[tool("launch_rocket")]) == plain.ANSWER


def test_an_answer_meant_to_be_json_is_json() -> None:
    assert json.loads(said("Hello", tools=[], response_format={"type": "json_object"})) == {}


def test_the_last_part_plays_everything() -> None:
    assert ROLES[-1].plays(chat_request("anything"))
