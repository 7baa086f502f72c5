"""One call may bring so much and no more: a provider that floods us fills neither the memory nor the audit."""

from collections.abc import Callable

import pytest

from backoffice.llm.assembly import MOST_CALLS, MOST_CHARACTERS
from backoffice.llm.client import ModelConfig
from backoffice.llm.events import Completion, Status
from backoffice.llm.failures import FailureCode
from backoffice.llm.record import record
from backoffice.llm.scripted.script import Step
from backoffice.llm.sse import MOST_EVENT_BYTES
from backoffice.llm.streaming import complete
from tests.llm.streams import DONE, ENDED, STOP, chunk, cut, fragments, piece, playing, question

Configured = Callable[..., ModelConfig]

MUCH = 100_000
"""Characters in one chunk of a flood."""
BEYOND = MOST_CHARACTERS // MUCH + 200
FLOODS: dict[str, bytes] = {
    "text": chunk("x" * MUCH),
    "arguments": fragments(piece("1" * MUCH, index=0, id="a", name="get_weather")),
    "a name": fragments(piece(index=0, name="x" * MUCH)),
    "an id": fragments(piece(index=0, id="x" * MUCH)),
    "reasoning": chunk(reasoning_content="x" * MUCH),
    "a refusal": chunk(refusal="x" * MUCH),
}


async def _completed(config_for: Configured, *body: Step) -> Completion:
    return await complete(question(), config_for(playing(*body)))


def _code(completion: Completion) -> FailureCode | None:
    return completion.failure and completion.failure.code


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
async def test_a_flood_ends_the_call_and_what_had_come_is_kept(config_for: Configured, flood: bytes) -> None:
    player = playing(*[flood] * BEYOND, *ENDED)
    completion = await complete(question(), config_for(player))
    assert _code(completion) is FailureCode.PROVIDER_ERROR
    assert not completion.usable
    assert MUCH < len(str(record(completion, []))) < MOST_CHARACTERS + 2 * MOST_EVENT_BYTES
    assert [ending.ended for ending in player.endings] == ["hung_up"]


async def test_a_flood_of_what_a_provider_wants_back_ends_the_call(config_for: Configured) -> None:
    flood = fragments({"index": 0, "extra_content": {"x": "x" * MUCH}})
    assert _code(await _completed(config_for, *[flood] * BEYOND, *ENDED)) is FailureCode.PROVIDER_ERROR


async def test_a_flood_of_calls_ends_the_call(config_for: Configured) -> None:
    calls = [fragments(*(piece(index=number) for number in range(at, at + 100))) for at in range(0, 100_000, 100)]
    completion = await _completed(config_for, *calls, *ENDED)
    assert _code(completion) is FailureCode.PROVIDER_ERROR
    assert MOST_CALLS < len(completion.tool_calls) < 10 * MOST_CALLS


async def test_an_event_too_long_to_be_one_is_malformed(config_for: Configured) -> None:
    pieces = cut(chunk("x" * 2 * MOST_EVENT_BYTES), range(0, 2 * MOST_EVENT_BYTES, MUCH))
    completion = await _completed(config_for, chunk("It is"), *pieces, *ENDED)
    assert (_code(completion), completion.text) == (FailureCode.MALFORMED_CHUNK, "It is")


async def test_a_flood_after_the_stop_reason_fails_the_call_too(config_for: Configured) -> None:
    completion = await _completed(config_for, STOP, *[FLOODS["text"]] * BEYOND, DONE)
    assert _code(completion) is FailureCode.PROVIDER_ERROR


@pytest.mark.parametrize(
    "body",
    [
        [chunk("x" * 1_000)] * 4_000,
        [chunk("x" * 4_000_000)],
        [fragments(piece("[" * 100_000 + "]" * 100_000, index=0, id="a", name="get_weather"))],
        [fragments(piece("9", index=0, id="a", name="get_weather"))] * 5_000,
    ],
    ids=["long in pieces", "long at once", "deep", "digits"],
)
async def test_what_is_only_long_is_read_whole(config_for: Configured, body: list[bytes]) -> None:
    completion = await _completed(config_for, *body, *ENDED)
    assert (completion.status, completion.usable) == (Status.COMPLETE, True)
