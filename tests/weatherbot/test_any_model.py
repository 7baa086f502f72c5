"""Whatever a model does, the chat stays right: never a 500, never a lookup twice for an id, never an invalid
conversation, never more than five model calls."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backoffice.database import in_database
from backoffice.llm.failures import FailureCode
from backoffice.llm.scripted.doors import Handler
from backoffice.llm.scripted.script import DONE, Drop, Script, data_event, error_answer
from tests.weatherbot.conftest import Customer, Streamed, Weather
from tests.weatherbot.playing import Call, PlayedModel, asks, turn
from weatherbot.models import Chat

PLACES = ("Oslo", "Rome", "Kraków", "")
GOOD = [json.dumps({"location": place}, ensure_ascii=False) for place in PLACES]
BAD = ["", "{", "[]", "null", '{"location":7}', '{"location":"Oslo","forecast_days":0}', '{"location":NaN}', "\ud800"]

calls = st.builds(
    Call,
    arguments=st.sampled_from([*GOOD, *BAD]) | st.text(max_size=20),
    id=st.sampled_from(["a", "b", "c", ""]) | st.text(max_size=5),
    name=st.sampled_from(["get_weather"] * 4 + ["get_wether", "", "a b"]),
)
turns = st.builds(
    turn,
    st.lists(st.text(max_size=20), max_size=3),
    st.lists(calls, max_size=10),
    stop=st.sampled_from(["stop", "tool_calls", "length", "content_filter", None, None, None]),
)
asking = st.lists(calls, min_size=1, max_size=4).map(lambda some: asks(*some))
failures = st.sampled_from(
    [
        error_answer(400, "no", "invalid_request_error"),
        Script(503, (("retry-after-ms", "1"),)),
        Script(body=(Drop(),)),
        Script(body=(DONE,)),
        Script(body=(data_event('{"error":{"message":"no"}}'),)),
        Script(body=(data_event("[1"),)),
    ]
)
broken = st.builds(lambda script, keep: Script(body=script.body[:keep]), turns, st.integers(0, 4))
models = st.lists(asking | asking | turns | failures | broken, min_size=1, max_size=7)

CODES = set(FailureCode) - {FailureCode.INTERNAL, FailureCode.NOT_CONFIGURED}


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(scripts=models, streamed=st.booleans())
async def test_the_chat_is_right_under_any_model(
    customer: Customer,
    serve_model: Callable[[Handler], None],
    weather: Weather,
    scripts: list[Script],
    streamed: bool,
) -> None:
    model = PlayedModel(*scripts)
    serve_model(model)
    weather.lookups.clear()
    response = None if streamed else await customer.chat()
    stream = await customer.stream() if streamed else None
    chat = await in_database(Chat.objects.latest, "pk")
    assert chat.state in ("answered", "failed")
    if response is not None:
        _check_response(response, chat)
    if stream is not None:
        _check_stream(stream, chat)
    _check_conversations(model, chat)
    _check_lookups(chat, weather)


def _check_response(response: Any, chat: Chat) -> None:
    assert response.status_code in (200, 502)
    if response.status_code == 200:
        assert (chat.state, response.json()) == ("answered", {"answer": chat.answer})
    else:
        assert (chat.state, response.json()["code"]) == ("failed", chat.failure)
        assert chat.failure in CODES


def _check_stream(stream: Streamed, chat: Chat) -> None:
    assert sum(kind in ("done", "error") for kind in stream.kinds) == 1
    if stream.kinds[-1] == "done":
        assert (chat.state, stream.answer) == ("answered", chat.answer)
    else:
        assert stream.events[-1] == ("error", {"text": "upstream failed"})
        assert chat.state == "failed"
        assert chat.failure in CODES


def _check_conversations(model: PlayedModel, chat: Chat) -> None:
    assert model.refusals == []
    assert 1 <= chat.rounds <= 5
    distinct = [request for number, request in enumerate(model.requests) if request not in model.requests[:number]]
    assert len(distinct) == chat.rounds  # the SDK's retries repeat a request to the letter
    choices = [request.get("tool_choice") for request in distinct]
    assert choices == [None, None, None, None, "none"][: len(choices)]


def _check_lookups(chat: Chat, weather: Weather) -> None:
    runs = [run for call in chat.exchange for run in call["tool_runs"]]
    ran = [run for run in runs if run["ran"]]
    assert len(weather.lookups) == len(ran)
    assert max(Counter(run["id"] for run in ran).values(), default=0) <= 1
    assert all(json.loads(run["arguments"])["location"] for run in ran)
    for call in chat.exchange:
        assert len(call["tool_runs"]) in (0, len(call["answer"]["tool_calls"]))
        assert sum(run["ran"] for run in call["tool_runs"]) <= 8
