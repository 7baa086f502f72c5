"""A rehearsal summarises past notes with another model, stores nothing, and says what changed."""

import asyncio
import os
import signal
from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import QuerySet

from backoffice.database import in_database
from backoffice.llm.client import ModelConfig
from backoffice.llm.scripted import Options, ScriptedModel
from backoffice.llm.scripted.doors import Answer, Exchange, HttpCall
from backoffice.llm.scripted.faults import parse_faults
from summarizer.comparison import Change
from summarizer.models import Outcome, Run
from summarizer.rehearsal import Rehearsal, Rehearsing, last_notes, most_it_costs, notes_of
from tests.audit.ageing import finished_run
from tests.summarizer.making import MODEL, claimed_run, failed, queued_run, rows_of, store, summarised
from tests.summarizer.provider import Provider, text_reply

pytestmark = pytest.mark.django_db(transaction=True)

ConfigFor = Callable[..., ModelConfig]
NEW = "gpt-next-2027-01-01"


def past_run(**summaries: str) -> int:
    """A completed run of notes that are their own names, each summarised as it says; `FAILED` fails."""
    claimed = claimed_run(*summaries)
    for row in rows_of(claimed.run_id):
        said = summaries[row.text]
        store(claimed, row, failed() if said == "FAILED" else summarised(said))
    return claimed.run_id


async def rehearsed(config: ModelConfig, *, concurrency: int = 1) -> tuple[Rehearsal, int]:
    """The stored notes in their order, with whatever model the configuration has."""
    rows = await in_database(last_notes, 100)
    return await Rehearsing(rows[::-1], config, concurrency).work()


def changes(rehearsal: Rehearsal) -> list[Change]:
    return [row.change for row in rehearsal.compared]


async def test_the_new_model_is_asked_as_the_old_one_was(config_for: ConfigFor) -> None:
    provider = Provider(text_reply("It arrived."))
    await in_database(past_run, note="It arrived.")
    rehearsal, status = await rehearsed(config_for(provider, model=NEW))
    [request] = provider.requests
    assert (request["model"], request["temperature"], request["max_tokens"]) == (NEW, 0, 200)
    assert request["messages"][-1] == {"role": "user", "content": "note"}
    assert (changes(rehearsal), status) == ([Change.NONE], 0)


async def test_nothing_is_stored(config_for: ConfigFor) -> None:
    await in_database(past_run, one="1 EUR.", two="FAILED")
    before = await in_database(everything)
    await rehearsed(config_for(Provider(text_reply("2 EUR.")), model=NEW))
    assert await in_database(everything) == before


def everything() -> list[list[dict[str, Any]]]:
    return [list(QuerySet(model).order_by("pk").values()) for model in (Run, Outcome)]


async def test_each_note_is_compared_with_how_it_was_stored(config_for: ConfigFor) -> None:
    await in_database(past_run, same="One.", wording="Two came.", amounts="3 EUR.", better="FAILED")
    answers = [text_reply(text) for text in ("One.", "There came two.", "4 EUR.", "Four.")]
    rehearsal, status = await rehearsed(config_for(Provider(*answers)))
    assert changes(rehearsal) == [Change.NONE, Change.WORDING, Change.AMOUNTS, Change.OUTCOME]
    assert status == 3


async def test_changed_amounts_come_first_and_the_same_last(config_for: ConfigFor) -> None:
    await in_database(past_run, same="One.", wording="Two came.", amounts="3 EUR.", better="FAILED")
    answers = [text_reply(text) for text in ("One.", "There came two.", "4 EUR.", "Four.")]
    rehearsal, _ = await rehearsed(config_for(Provider(*answers)))
    assert [row.change for row in rehearsal.in_order] == list(Change)


async def test_a_note_that_fails_now_ends_otherwise(config_for: ConfigFor) -> None:
    await in_database(past_run, one="One.")
    rehearsal, status = await rehearsed(config_for(ScriptedModel(Options(faults=parse_faults("400")))))
    [row] = rehearsal.compared
    assert (row.change, row.after.failure, row.after.summary, status) == (Change.OUTCOME, "rejected", None, 3)


async def test_only_wording_is_nothing_that_stops_a_change_of_model(config_for: ConfigFor) -> None:
    await in_database(past_run, one="One came.")
    assert (await rehearsed(config_for(Provider(text_reply("There came one.")))))[1] == 0


async def test_its_tokens_and_cost_are_added_up_beside_what_was_stored(config_for: ConfigFor) -> None:
    await in_database(finished_run, "One.", "Two.")
    rehearsal, _ = await rehearsed(config_for(Provider(text_reply("A summary."))))
    assert rehearsal.input_tokens > 0
    assert rehearsal.cost * 10**8 == rehearsal.input_tokens * 15 + rehearsal.output_tokens * 60
    assert rehearsal.stored_cost * 10**5 == 42
    assert rehearsal.rows_of_unknown_cost == 0


async def test_a_model_without_a_price_costs_an_unknown_sum(config_for: ConfigFor) -> None:
    await in_database(past_run, one="One.")
    rehearsal, _ = await rehearsed(config_for(Provider(text_reply("One.")), model=NEW))
    assert (rehearsal.cost, rehearsal.rows_of_unknown_cost) == (0, 1)
    assert most_it_costs(await in_database(last_notes, 1), NEW) is None


async def test_what_it_costs_at_the_most_is_known_before(config_for: ConfigFor) -> None:
    await in_database(past_run, one="One.")
    most = most_it_costs(await in_database(last_notes, 1), MODEL)
    rehearsal, _ = await rehearsed(config_for(Provider(text_reply("One."))))
    assert most is not None
    assert most > rehearsal.cost > 0


async def test_notes_of_another_prompt_are_counted(config_for: ConfigFor) -> None:
    run_id = await in_database(past_run, one="One.", two="Two.")
    await in_database(QuerySet(Run).filter(pk=run_id).update, prompt_version="2020-01-01")
    rehearsal, _ = await rehearsed(config_for(Provider(text_reply("One."))))
    assert rehearsal.other_prompts == 2


async def test_notes_are_asked_side_by_side_up_to_the_concurrency(config_for: ConfigFor) -> None:
    await in_database(past_run, **dict.fromkeys("abcdef", "One."))
    crowd = Crowd()
    await rehearsed(config_for(crowd), concurrency=3)
    assert crowd.most == 3


class Crowd:
    """Counts the requests in flight."""

    def __init__(self) -> None:
        self.now = self.most = 0
        self._model = ScriptedModel(Options(faults=parse_faults("ttft=0.1")), self._ended)

    def handle(self, call: HttpCall) -> Answer:
        self.now += 1
        self.most = max(self.most, self.now)
        return self._model.handle(call)

    def _ended(self, _: Exchange) -> None:
        self.now -= 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_it_with_what_it_has(config_for: ConfigFor, number: signal.Signals) -> None:
    await in_database(past_run, **dict.fromkeys("abcdef", "One."))
    config = config_for(ScriptedModel(Options(faults=parse_faults("ttft=0.1"))))
    asyncio.get_running_loop().call_later(0.15, os.kill, os.getpid(), number)
    rehearsal, status = await rehearsed(config)
    assert 1 <= len(rehearsal.compared) < rehearsal.notes == 6
    assert status == 128 + number


async def test_a_second_signal_gives_up_the_note_in_flight(config_for: ConfigFor) -> None:
    await in_database(past_run, one="One.")
    config = config_for(ScriptedModel(Options(faults=parse_faults("stall"))), chunk_timeout=30)
    for delay in (0.05, 0.1):
        asyncio.get_running_loop().call_later(delay, os.kill, os.getpid(), signal.SIGTERM)
    rehearsal, status = await asyncio.wait_for(rehearsed(config), 2)
    assert (rehearsal.compared, status) == ([], 143)


def test_the_last_notes_are_the_latest_and_each_is_asked_once() -> None:
    first = past_run(a="One.", b="Two.")
    second = past_run(b="Two again.", c="Three.")
    queued_run("d")
    assert [(row.text, row.run_id) for row in last_notes(10)] == [("c", second), ("b", second), ("a", first)]
    assert [row.text for row in last_notes(2)] == ["c", "b"]


def test_runs_are_chosen_by_their_numbers() -> None:
    runs = [past_run(**{name: "One."}) for name in "abcd"]
    chosen = notes_of([range(runs[0], runs[1] + 1), range(runs[3], runs[3] + 1)])
    assert [row.text for row in chosen] == ["d", "b", "a"]
