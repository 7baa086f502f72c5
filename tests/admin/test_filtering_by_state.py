"""The lists of runs and of imports, by state: each record is found under the state that its line shows."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from summarizer.models import ImportDraft
from summarizer.runs.queue import cancel
from tests.admin.night import queued
from tests.summarizer.making import let_lease_run_out, taken

RUN_STATES = ("queued", "running", "stalled", "cancelled")


def listed(client: Client, model: str, state: str) -> list[int]:
    response = client.get(reverse(f"admin:summarizer_{model}_changelist"), {"state": state})
    return sorted(record.pk for record in response.context["cl"].result_list)


def test_a_stalled_run_is_found_as_stalled_and_as_running(desk: Client) -> None:
    runs = {state: queued("A note.").pk for state in RUN_STATES}
    taken(runs["running"])
    taken(runs["stalled"])
    let_lease_run_out(runs["stalled"])
    cancel(runs["cancelled"])
    found = {state: listed(desk, "run", state) for state in RUN_STATES}
    assert found == {state: [runs[state]] for state in RUN_STATES} | {"running": [runs["running"], runs["stalled"]]}


@pytest.mark.parametrize("state", ["open", "queued", "discarded", "no such state"])
def test_imports_are_found_by_what_became_of_them(desk: Client, olga: User, state: str) -> None:
    columns = {"open": {}, "queued": {"queued_at": timezone.now()}, "discarded": {"discarded_at": timezone.now()}}
    made = {"created_by": olga, "name": "night.csv", "note_format": "csv", "file": b""}
    drafts = {name: ImportDraft.objects.create(**made, **ended).pk for name, ended in columns.items()}
    assert listed(desk, "importdraft", state) == ([drafts[state]] if state in drafts else sorted(drafts.values()))
