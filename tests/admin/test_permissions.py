"""Everybody against every address of the desk, for looking and for pressing."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.urls import URLResolver, reverse
from knox.models import AuthToken

from summarizer import drafts
from summarizer.models import ImportDraft, Outcome, OutcomeState, Review, Run
from tests.admin.night import ended, failure, queued, summary
from tests.admin.staff import make_person, signed_in

ROLES = ("anonymous", "staff", "operator", "auditor", "superuser")
SEEN = {"operator", "auditor", "superuser"}
OPERATED = {"operator", "superuser"}
HOUSE = {"auditor", "superuser"}
ROOT = {"superuser"}


@dataclass(frozen=True)
class World:
    failed: Outcome
    warned: Outcome
    run: Run
    draft: ImportDraft
    user: User
    token: AuthToken

    @property
    def keys(self) -> dict[str, Any]:
        return {name: getattr(self, name).pk for name in ("failed", "warned", "run", "draft", "user", "token")}


@pytest.fixture
def world(db: None) -> World:
    somebody = User.objects.create_user("somebody")
    [failed], [warned] = ended(failure()), ended(summary("Cut", "truncated"))
    draft = drafts.store(somebody, drafts.pasted("row_id,text\n1,A note.\n"))
    return World(failed, warned, queued("Waiting."), draft, somebody, AuthToken.objects.create(somebody)[0])


def state() -> Any:
    """All that a button could change."""
    return (
        list(Run.objects.order_by("pk").values_list("pk", "state", "start_requested_at")),
        list(Outcome.objects.order_by("pk").values_list("pk", "state")),
        list(ImportDraft.objects.order_by("pk").values_list("pk", "queued_at", "discarded_at", "good_rows")),
        Review.objects.count(), AuthToken.objects.count(), User.objects.filter(username="new").count(),
    )  # fmt: skip


@dataclass(frozen=True)
class Press:
    """A request that changes something, and who may send it."""

    name: str
    key: str
    who: set[str]
    data: dict[str, Any] = field(default_factory=lambda: {"confirmed": "1"})


def chosen(action: str, key: str) -> dict[str, str]:
    return {"action": action, "_selected_action": f"{{{key}}}", "confirmed": "1"}


def pages(model: str, key: str, who: set[str], *names: str) -> list[tuple[str, str, set[str]]]:
    return [(f"{model}_{name}", key, who) for name in names]


LOOKS: list[tuple[str, str, set[str]]] = [
    *pages("summarizer_run", "", SEEN, "changelist", "list_live"),
    *pages("summarizer_run", "run", SEEN, "change", "live", "history"),
    *pages("summarizer_run", "run", OPERATED, "start", "cancel", "requeue"),
    *pages("summarizer_run", "run", set(), "delete"),
    *pages("summarizer_run", "", set(), "add"),
    *pages("summarizer_outcome", "", SEEN, "changelist"),
    *pages("summarizer_outcome", "failed", SEEN, "change", "history"),
    *pages("summarizer_outcome", "failed", OPERATED, "requeue", "take_back"),
    *pages("summarizer_outcome", "failed", set(), "delete"),
    *pages("summarizer_outcome", "", set(), "add"),
    *pages("summarizer_failedrow", "", SEEN, "changelist"),
    *pages("summarizer_failedrow", "failed", SEEN, "change", "history"),
    *pages("summarizer_failedrow", "failed", set(), "delete"),
    *pages("summarizer_failedrow", "", set(), "add"),
    *pages("summarizer_rowtoreview", "", SEEN, "changelist"),
    *pages("summarizer_rowtoreview", "warned", SEEN, "change", "history"),
    *pages("summarizer_rowtoreview", "warned", set(), "delete"),
    *pages("summarizer_rowtoreview", "", set(), "add"),
    *pages("summarizer_importdraft", "", SEEN, "changelist"),
    *pages("summarizer_importdraft", "draft", SEEN, "change", "history", "bad-rows"),
    *pages("summarizer_importdraft", "", OPERATED, "add"),
    *pages("summarizer_importdraft", "draft", set(), "columns", "replace", "queue", "discard", "delete"),
    *pages("weatherbot_chat", "", HOUSE, "changelist"),
    *pages("evidencedesk_answer", "", HOUSE, "changelist"),
    *pages("audit_dailyaggregate", "", SEEN, "changelist"),
    *pages("audit_dailyaggregate", "", set(), "add"),
    *pages("admin_logentry", "", HOUSE, "changelist"),
    *pages("knox_authtoken", "", HOUSE, "changelist"),
    *pages("knox_authtoken", "", ROOT, "add"),
    *pages("knox_authtoken", "token", ROOT, "delete"),
    *pages("django_tasks_database_dbtaskresult", "", HOUSE, "changelist"),
    *pages("auth_group", "", HOUSE, "changelist"),
    *pages("auth_user", "", HOUSE, "changelist"),
    *pages("auth_user", "user", HOUSE, "change"),
    *pages("auth_user", "", ROOT, "add"),
]
EXPORTED = ("outcome", "failedrow", "rowtoreview", "run", "importdraft")
LED_ON = {"summarizer_failedrow_change", "summarizer_run_requeue"}
"""Pages that lead whoever may open them to another one."""

PRESSES = [
    Press("summarizer_run_start", "run", OPERATED),
    Press("summarizer_run_cancel", "run", OPERATED),
    Press("summarizer_outcome_requeue", "failed", OPERATED),
    Press("summarizer_rowtoreview_change", "warned", OPERATED, {"reason": "Fine.", "accept": "1"}),
    Press("summarizer_rowtoreview_change", "warned", OPERATED, {"reason": "Again.", "again": "1"}),
    Press("summarizer_importdraft_add", "", OPERATED, {"text": "row_id,text\n1,Pasted.\n"}),
    Press("summarizer_importdraft_columns", "draft", set(), {"row_id": "row_id", "text": "text"}),
    Press("summarizer_importdraft_sheet", "draft", set(), {"sheet": "Sheet"}),
    Press("summarizer_importdraft_replace", "draft", OPERATED, {"text": "id;note\n1;Other.\n2;More.\n"}),
    Press("summarizer_importdraft_queue", "draft", OPERATED, {}),
    Press("summarizer_importdraft_discard", "draft", OPERATED, {"confirmed": "1"}),
    Press("summarizer_run_changelist", "", OPERATED, chosen("run_now", "run")),
    Press("summarizer_failedrow_changelist", "", OPERATED, chosen("requeue", "failed")),
    Press("knox_authtoken_add", "", ROOT, {"user": "{user}", "days": "3"}),
    Press("knox_authtoken_delete", "token", ROOT, {"post": "yes"}),
    Press("knox_authtoken_changelist", "", ROOT, chosen("revoke", "token")),
    Press("auth_user_add", "", ROOT, {"username": "new", "usable_password": "false"}),
]


def client_of(role: str) -> Client:
    return Client() if role == "anonymous" else signed_in(make_person(role, role))


def url_of(name: str, key: str, world: World) -> str:
    return reverse(f"admin:{name}", args=[world.keys[key]] if key else [])


@pytest.mark.parametrize("role", ROLES)
def test_who_may_look_at_what(role: str, world: World) -> None:
    client = client_of(role)
    wrong = []
    for name, key, who in LOOKS:
        status = client.get(url_of(name, key, world)).status_code
        seen = status == 200 or (name, status) in (
            ("summarizer_failedrow_change", 302),
            ("summarizer_run_requeue", 302),
        )
        seen = seen and role != "anonymous"
        if seen is not (role in who) or (role == "anonymous" and status != 302):
            wrong.append((name, status))
    assert wrong == []


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("press", PRESSES, ids=lambda press: f"{press.name} {'-'.join(press.data)}")
def test_a_press_changes_something_for_those_who_may_and_nothing_for_the_others(
    press: Press, role: str, world: World, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    client, before = client_of(role), state()
    data = {name: str(value).format(**world.keys) for name, value in press.data.items()}
    with django_capture_on_commit_callbacks(execute=True):
        response = client.post(url_of(press.name, press.key, world), data)
    assert response.status_code < 500
    assert (state() != before) is (role in press.who)


def test_an_undo_is_for_operators(world: World) -> None:
    operator, auditor = client_of("operator"), client_of("auditor")
    operator.post(url_of("summarizer_outcome_requeue", "failed", world), {"confirmed": "1"})
    queued_again, take_back = state(), url_of("summarizer_outcome_take_back", "failed", world)
    assert auditor.post(take_back, {"confirmed": "1"}).status_code == 403
    undo = {"action": "undo_requeue", "_selected_action": str(world.failed.pk)}
    auditor.post(reverse("admin:summarizer_failedrow_changelist"), undo)
    assert state() == queued_again
    operator.post(take_back, {"confirmed": "1"})
    assert Outcome.objects.filter(requeued_from=world.failed, state=OutcomeState.WITHDRAWN).exists()


def named(patterns: Any) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from named(pattern.url_patterns)
        elif pattern.name and pattern.name.startswith("summarizer_"):
            yield pattern.name


def test_every_address_of_the_desk_stands_in_the_tables_above() -> None:
    tested = {name for name, _key, _who in LOOKS} | {press.name for press in PRESSES}
    exports = {f"summarizer_{model}_export" for model in EXPORTED}
    assert set(named(admin.site.get_urls())) - tested - exports == set()


@pytest.mark.parametrize("model", EXPORTED)
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize(("role", "status"), [("anonymous", 302), ("staff", 403)])
def test_an_export_is_refused_to_those_who_may_not_look(
    model: str, kind: str, role: str, status: int, db: None
) -> None:
    assert client_of(role).get(reverse(f"admin:summarizer_{model}_export", args=[kind])).status_code == status


def test_the_migrations_bring_the_groups_and_auditors_change_nothing(db: None) -> None:
    make_person("anton", "auditor")
    operators, auditors = Group.objects.get(name="Finance operators"), Group.objects.get(name="Auditors")
    assert set(auditors.permissions.values_list("codename", flat=True)) == {
        "view_run", "view_all_runs", "view_outcome", "view_importdraft", "view_review", "view_logentry", "view_user",
        "view_group", "view_authtoken", "view_dbtaskresult", "view_dailyaggregate", "view_chat", "view_answer",
    }  # fmt: skip
    assert set(operators.permissions.values_list("codename", flat=True)) == {
        "view_run", "view_all_runs", "view_outcome", "view_importdraft", "view_review", "add_run", "operate_run",
        "add_importdraft", "change_importdraft", "add_review", "view_dailyaggregate",
    }  # fmt: skip


def test_somebody_who_may_not_view_all_runs_sees_their_own_alone(db: None) -> None:
    user = make_person("olga", "operator")
    own, other = ended(failure(), user=user)[0], ended(failure())[0]
    user.groups.clear()
    user.user_permissions.set(_permissions("view_run", "view_outcome"))
    client = signed_in(user)
    listed = client.get(reverse("admin:summarizer_failedrow_changelist")).context["cl"].result_list
    assert [row.pk for row in listed] == [own.pk]
    assert client.get(reverse("admin:summarizer_run_change", args=[own.run_id])).status_code == 200
    assert client.get(reverse("admin:summarizer_run_change", args=[other.run_id])).status_code == 404
    assert client.get(reverse("admin:summarizer_outcome_change", args=[other.pk])).status_code == 404


def without(user: User, *codenames: str) -> Client:
    """The same person with all that the operators' group grants but these."""
    granted = Permission.objects.filter(group__user=user).exclude(codename__in=codenames)
    user.user_permissions.set(granted)
    user.groups.clear()
    return signed_in(user)


def test_who_may_operate_runs_and_add_no_review_sees_reviews_and_decides_nothing(world: World) -> None:
    client = without(make_person("olga", "operator"), "add_review")
    url, before = url_of("summarizer_rowtoreview_change", "warned", world), state()
    assert client.get(url).context["form"] is None
    assert client.post(url, {"reason": "Fine.", "accept": "1"}).status_code == 403
    assert state() == before


def test_who_may_view_no_review_is_led_to_none(world: World) -> None:
    client = without(make_person("olga", "operator"), "view_review")
    assert client.get(url_of("summarizer_rowtoreview_changelist", "", world)).status_code == 403
    assert client.get(url_of("summarizer_rowtoreview_change", "warned", world)).status_code == 403
    for page in (reverse("admin:index"), url_of("summarizer_outcome_change", "warned", world)):
        assert "rowtoreview" not in client.get(page).content.decode()


def _permissions(*codenames: str) -> Any:
    return Permission.objects.filter(content_type__app_label="summarizer", codename__in=codenames)
