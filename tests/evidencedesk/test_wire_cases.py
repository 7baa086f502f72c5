"""Every stream met in the wild, played to both endpoints: an answer, the apology or a failure code, and never a 500."""

from collections.abc import Callable, Iterator

import pytest
from pytest_django import Settings

from backoffice.llm.failures import FailureCode
from tests.evidencedesk.desk import WITHHELD, Desk
from tests.wire.player import NOTE, ScriptedServer, load_captures, load_expectations

pytestmark = pytest.mark.process

EXPECTATIONS = load_expectations()
FAILED = {name for name, case in EXPECTATIONS.items() if case["outcome"] == "failed" and "+" not in case["script"]}
CODES = {code.value for code in FailureCode}


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


@pytest.fixture
def play_case(server: ScriptedServer, settings: Settings) -> Callable[[str], None]:
    def play(name: str) -> None:
        settings.LLM_PROVIDER, settings.OPENAI_API_KEY = "openai", "k"
        settings.OPENAI_BASE_URL = server.case_url(name)

    return play


def _failure_of(name: str) -> set[str]:
    failure = EXPECTATIONS[name]["failure"]
    return set(failure) if isinstance(failure, list) else {failure}


@pytest.mark.parametrize("name", sorted(load_captures()))
async def test_an_answer_is_withheld_or_the_failure_named(
    desk: Desk, play_case: Callable[[str], None], name: str
) -> None:
    play_case(name)
    response = await desk.post({"question": NOTE})
    body = response.json()
    if response.status_code == 502:
        assert body["code"] in (_failure_of(name) if name in FAILED else CODES)
        return
    assert response.status_code == 200
    assert name not in FAILED
    assert body == {**WITHHELD, "code": body["code"]}
    assert body["code"] in {"truncated", "unusable_stop", "invalid_json", "invalid_schema"}


@pytest.mark.parametrize("name", sorted(load_captures()))
async def test_a_stream_ends_marked_or_with_one_error(desk: Desk, play_case: Callable[[str], None], name: str) -> None:
    play_case(name)
    streamed = await desk.stream(NOTE)
    kinds = streamed.kinds
    if kinds[-1] == "error":
        assert set(kinds[:-1]) <= {"chunk"}
        assert streamed.of("error") == {"text": "upstream failed"}
        return
    assert name not in FAILED
    assert kinds[-2:] == ["citations", "done"]
    assert set(kinds[:-2]) <= {"chunk"}
    assert streamed.of("citations") == {"ok": False, "citations": []}
    assert streamed.of("done")["stop_reason"] in {"end", "length", "content_filter", "tool_calls"}


@pytest.mark.parametrize(
    ("name", "code", "posts"),
    [
        ("j01_json_ok", "invalid_schema", 2),
        ("j02_json_fenced", "invalid_json", 2),
        ("j03_json_truncated_length", "truncated", 1),
        ("j04_json_prose_around", "invalid_json", 2),
        ("j05_json_two_objects", "invalid_json", 2),
        ("j06_json_nan", "invalid_json", 2),
        ("j07_json_bom", "invalid_json", 2),
        ("t06_refusal", "unusable_stop", 1),
        ("t08_think_tags", "invalid_json", 2),
        ("e08_content_filter", "unusable_stop", 1),
        ("b01_tool", "unusable_stop", 1),
    ],
)
async def test_each_kind_of_unusable_json_has_its_code(
    desk: Desk, play_case: Callable[[str], None], server: ScriptedServer, name: str, code: str, posts: int
) -> None:
    server.forget(name)
    play_case(name)
    assert await desk.ask(NOTE) == {**WITHHELD, "code": code}
    assert len(server.received(name)) == posts
