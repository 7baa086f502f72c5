"""Auditors read the chats in admin: they search and filter them, and nobody changes one."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone

from weatherbot.models import Chat, ChatState

CALLS = [
    {"id": "a", "name": "get_weather", "arguments": '{"location":"<b>Oslo</b>"}'},
    {"id": "a", "name": "get_weather", "arguments": "{"},
]
RUNS = [
    {**CALLS[0], "result": {"location": "Oslo"}, "ran": True, "duration_ms": 12},
    {**CALLS[1], "result": {"error": "malformed"}, "ran": False, "duration_ms": 0},
]
EXCHANGE = [{"answer": {"text": "", "tool_calls": CALLS}, "tool_runs": RUNS}]


def _chat(**columns: object) -> Chat:
    usual = {"state": ChatState.ANSWERED, "message": "Weather in Oslo?", "answer": "Cold.", "rounds": 2}
    return Chat.objects.create(**{**usual, "exchange": EXCHANGE, "started_at": timezone.now(), **columns})


@pytest.fixture
def auditor(transactional_db: None) -> Client:
    user = User.objects.create_user("audra", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_chat"))
    client = Client()
    client.force_login(user)
    return client


def test_the_list_shows_what_was_asked_and_how_it_ended(auditor: Client) -> None:
    _chat(state=ChatState.FAILED, answer=None, failure="timeout", message="Rain? " * 50)
    page = auditor.get("/admin/weatherbot/chat/").content.decode()
    assert "Rain? Rain?" in page
    assert "timeout" in page
    assert "Rain? " * 50 not in page


def test_a_chat_shows_each_tool_call_with_its_validity_and_result(auditor: Client) -> None:
    page = auditor.get(f"/admin/weatherbot/chat/{_chat().pk}/change/").content.decode()
    assert "&lt;b&gt;Oslo&lt;/b&gt;" in page
    assert "<b>Oslo" not in page
    assert "no, it was refused" in page
    assert "malformed" in page


@pytest.mark.parametrize(
    ("ending", "words"),
    [
        ({"state": ChatState.LEFT, "answer": None}, "no result: the customer left"),
        ({"state": ChatState.FAILED, "answer": None, "failure": "too_many_rounds"}, "no result: the chat failed"),
    ],
)
@pytest.mark.parametrize("runs", [[], RUNS[:1], RUNS[1:]])
def test_a_call_that_got_no_result_is_shown_with_its_reason(
    auditor: Client, ending: dict[str, object], words: str, runs: list[object]
) -> None:
    exchange = [{"answer": {"tool_calls": CALLS}, "tool_runs": runs}]
    page = auditor.get(f"/admin/weatherbot/chat/{_chat(exchange=exchange, **ending).pk}/change/").content.decode()
    table = page[page.index("Milliseconds") : page.index("</table>", page.index("Milliseconds"))]
    assert table.count("<tr>") == 2
    assert table.count(words) == 2 - len(runs)
    assert ("malformed" in table, "<td>12</td>" in table) == (RUNS[1] in runs, RUNS[0] in runs)


def test_a_chat_without_tool_calls_shows_none(auditor: Client) -> None:
    page = auditor.get(f"/admin/weatherbot/chat/{_chat(exchange=[]).pk}/change/").content.decode()
    assert "Milliseconds" not in page


@pytest.mark.parametrize(("query", "found"), [("oslo", 2), ("storm", 1), ("snow", 0)])
def test_messages_and_answers_can_be_searched(auditor: Client, query: str, found: int) -> None:
    _chat()
    _chat(answer="A storm in Oslo.")
    response = auditor.get("/admin/weatherbot/chat/", {"q": query})
    assert response.context["cl"].result_count == found


@pytest.mark.parametrize(
    ("chosen", "found"),
    [
        ({"failure": "timeout"}, 1),
        ({"failure": "connection"}, 0),
        ({"state__exact": "answered"}, 1),
        ({"started_at__year": "2024", "started_at__month": "2", "started_at__day": "29"}, 1),
    ],
)
def test_chats_are_filtered_by_failure_state_and_day(auditor: Client, chosen: dict[str, str], found: int) -> None:
    _chat()
    leap_day = timezone.datetime(2024, 2, 29, 12, tzinfo=timezone.get_default_timezone())
    _chat(state=ChatState.FAILED, answer=None, failure="timeout", started_at=leap_day)
    response = auditor.get("/admin/weatherbot/chat/", chosen)
    assert response.context["cl"].result_count == found


@pytest.mark.parametrize("page", ["add/", "{}/delete/"])
def test_nobody_adds_or_deletes_a_chat(admin_client: Client, page: str) -> None:
    path = f"/admin/weatherbot/chat/{page.format(_chat().pk)}"
    assert admin_client.get(path).status_code == 403
    assert admin_client.post(path, {"post": "yes"}).status_code == 403
    assert Chat.objects.count() == 1


def test_nobody_edits_a_chat(admin_client: Client) -> None:
    path = f"/admin/weatherbot/chat/{_chat().pk}/change/"
    page = admin_client.get(path).content.decode()
    assert 'name="_save"' not in page
    assert admin_client.post(path, {"answer": "Warm."}).status_code == 403
    assert Chat.objects.get().answer == "Cold."


def test_whoever_has_no_permission_sees_no_chat(transactional_db: None) -> None:
    client = Client()
    client.force_login(User.objects.create_user("nobody", is_staff=True))
    assert client.get("/admin/weatherbot/chat/").status_code == 403
