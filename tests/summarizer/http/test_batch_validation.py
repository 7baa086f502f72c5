"""What a batch may hold: bounds and strict types, each refusal with the place and without the text."""

import json
from typing import Any

import pytest

from backoffice.database import in_database
from summarizer.models import Run
from tests.summarizer.http.standards import Caller, run_id_of
from tests.summarizer.making import rows_of

pytestmark = pytest.mark.django_db(transaction=True)

FINE = {"row_id": 1, "text": "A note."}


def rows(count: int) -> list[dict[str, Any]]:
    return [{"row_id": row_id, "text": "A note."} for row_id in range(1, count + 1)]


@pytest.mark.parametrize(
    "given",
    [
        rows(1),
        rows(50),
        [{"row_id": 10_000, "text": "x"}],
        [{"row_id": 1, "text": "x" * 4_000}],
        [{"row_id": 1, "text": "😀" * 4_000}],
        [{"row_id": 1, "text": " \n\t\x01\x7f\u2028"}],
    ],
    ids=["1 row", "50 rows", "id 10000", "4000 characters", "4000 emoji", "blanks and controls"],
)
async def test_what_is_within_the_bounds_is_summarised_as_it_came(caller: Caller, given: list[dict[str, Any]]) -> None:
    answer = await caller.post({"rows": given})
    assert answer.status_code == 200, answer.text
    stored = await in_database(rows_of, run_id_of(answer))
    assert [{"row_id": row.row_id, "text": row.text} for row in stored] == given


REFUSED = {
    "no rows": ({"rows": []}, ["body", "rows"]),
    "51 rows": ({"rows": rows(51)}, ["body", "rows"]),
    "rows missing": ({}, ["body", "rows"]),
    "rows null": ({"rows": None}, ["body", "rows"]),
    "rows an object": ({"rows": {"0": FINE}}, ["body", "rows"]),
    "a row that is none": ({"rows": [FINE, "note"]}, ["body", "rows", 1]),
    "row id missing": ({"rows": [{"text": "x"}]}, ["body", "rows", 0, "row_id"]),
    "row id 0": ({"rows": [{"row_id": 0, "text": "x"}]}, ["body", "rows", 0, "row_id"]),
    "row id negative": ({"rows": [{"row_id": -1, "text": "x"}]}, ["body", "rows", 0, "row_id"]),
    "row id 10001": ({"rows": [{"row_id": 10_001, "text": "x"}]}, ["body", "rows", 0, "row_id"]),
    "row id huge": ({"rows": [{"row_id": 10**400, "text": "x"}]}, ["body", "rows", 0, "row_id"]),
    "row id a string": ({"rows": [{"row_id": "1", "text": "x"}]}, ["body", "rows", 0, "row_id"]),
    "row id 1.0": ({"rows": [{"row_id": 1.0, "text": "x"}]}, ["body", "rows", 0, "row_id"]),
    "row id true": ({"rows": [{"row_id": True, "text": "x"}]}, ["body", "rows", 0, "row_id"]),
    "row id null": ({"rows": [{"row_id": None, "text": "x"}]}, ["body", "rows", 0, "row_id"]),
    "row id twice": ({"rows": [FINE, FINE]}, ["body", "rows"]),
    "text missing": ({"rows": [{"row_id": 1}]}, ["body", "rows", 0, "text"]),
    "text empty": ({"rows": [FINE, {"row_id": 2, "text": ""}]}, ["body", "rows", 1, "text"]),
    "text 4001": ({"rows": [{"row_id": 1, "text": "x" * 4_001}]}, ["body", "rows", 0, "text"]),
    "text 4001 emoji": ({"rows": [{"row_id": 1, "text": "😀" * 4_001}]}, ["body", "rows", 0, "text"]),
    "text a number": ({"rows": [{"row_id": 1, "text": 5}]}, ["body", "rows", 0, "text"]),
    "text null": ({"rows": [{"row_id": 1, "text": None}]}, ["body", "rows", 0, "text"]),
    "text with NUL": ({"rows": [{"row_id": 1, "text": "a\0b"}]}, ["body", "rows", 0, "text"]),
    "text with a high surrogate": ({"rows": [{"row_id": 1, "text": "a\ud83d"}]}, ["body", "rows", 0, "text"]),
    "text with a low surrogate": ({"rows": [{"row_id": 1, "text": "\udc00b"}]}, ["body", "rows", 0, "text"]),
    "an unknown property": ({"rows": [FINE], "dry_run": True}, ["body", "dry_run"]),
    "an unknown property of a row": ({"rows": [{**FINE, "note": "x"}]}, ["body", "rows", 0, "note"]),
    "an unknown property no wire carries": ({"rows": [FINE], "\ud800": 1}, ["body"]),
    "a list": ([FINE], ["body"]),
    "a string": ("rows", ["body"]),
    "null": (None, ["body"]),
}


@pytest.mark.parametrize(("body", "place"), REFUSED.values(), ids=REFUSED)
async def test_what_is_not_is_refused_with_its_place_and_stored_nowhere(
    caller: Caller, body: Any, place: list[str | int]
) -> None:
    answer = await caller.send(json.dumps(body))
    assert answer.status_code == 422, answer.text
    [problem] = answer.json()["detail"]
    assert (set(problem), problem["loc"]) == ({"type", "loc", "msg"}, place)
    assert problem["msg"]
    assert not await in_database(Run.objects.exists)


async def test_a_refusal_does_not_repeat_what_was_sent(caller: Caller) -> None:
    answer = await caller.send(json.dumps({"rows": [{"row_id": "secret-id", "text": "secret " * 600}]}))
    assert answer.status_code == 422
    assert "secret" not in answer.text


async def test_every_problem_of_a_request_is_named(caller: Caller) -> None:
    answer = await caller.send(json.dumps({"rows": [{"row_id": 0, "text": ""}, {"row_id": "x"}]}))
    places = [problem["loc"][2:] for problem in answer.json()["detail"]]
    assert places == [[0, "row_id"], [0, "text"], [1, "row_id"], [1, "text"]]
