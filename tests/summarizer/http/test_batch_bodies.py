"""Bodies that are no batch at all, or as large as one can be."""

import json

import pytest

from backoffice.database import in_database
from summarizer.models import Run
from tests.summarizer.http.standards import Caller, batch, run_id_of
from tests.summarizer.making import rows_of

pytestmark = pytest.mark.django_db(transaction=True)

A_ROW = b'{"rows": [{"row_id": 1, "text": "x"%s}]}'


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"rows", 400),
        (b'{"rows": [', 400),
        (b"\xff\xfe{}", 400),
        (A_ROW % b', "row_id": 2', 400),
        (b'{"rows": NaN}', 400),
        (b'{"rows": [{"row_id": Infinity, "text": "x"}]}', 400),
        (b"[" * 100_000, 400),
        (b'{"rows": ' * 5_000 + b"1" + b"}" * 5_000, 400),
        (b'{"rows": [{"row_id": ' + b"9" * 10_000 + b', "text": "x"}]}', 400),
        (b'{"rows": [{"row_id": 1e999, "text": "x"}]}', 422),
    ],
    ids=[
        "empty",
        "no JSON",
        "cut off",
        "no UTF-8",
        "a key twice",
        "NaN",
        "infinity",
        "brackets",
        "nested too deep",
        "a number too long",
        "a number too large",
    ],
)
async def test_a_body_that_cannot_be_read_is_the_callers_fault(caller: Caller, body: bytes, status: int) -> None:
    answer = await caller.send(body)
    assert answer.status_code == status
    assert set(answer.json()) == {"detail"}
    assert not await in_database(Run.objects.exists)


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "application/xml"])
async def test_another_media_type_is_415(caller: Caller, content_type: str) -> None:
    answer = await caller.send(json.dumps(batch("One.")), content_type=content_type)
    assert answer.status_code == 415


@pytest.mark.parametrize("method", ["get", "put", "patch", "delete"])
async def test_another_method_is_405(caller: Caller, method: str) -> None:
    headers = {"Authorization": f"Token {caller.token}"}
    answer = await getattr(caller.client, method)("/summaries/batch", headers=headers)
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST, OPTIONS")


async def test_the_largest_valid_batch_passes_with_every_character_escaped(caller: Caller) -> None:
    text = "\\ud83d\\ude00" * 4_000
    rows = ",".join(f'{{"row_id":{row_id},"text":"{text}"}}' for row_id in range(9_951, 10_001))
    body = f'{{"rows":[{rows}]}}'
    assert len(body) > 2_400_000
    answer = await caller.send(body)
    assert answer.status_code == 200
    stored = await in_database(rows_of, run_id_of(answer))
    assert {row.text for row in stored} == {"😀" * 4_000}


async def test_twelve_megabytes_are_413(caller: Caller) -> None:
    answer = await caller.send(b'{"rows": "' + b"x" * 12_000_000 + b'"}')
    assert answer.status_code == 413
    assert not await in_database(Run.objects.exists)
