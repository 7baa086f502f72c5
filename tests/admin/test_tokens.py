"""API tokens: made, shown once, stored as a hash, expiring, revoked."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import DELETION, LogEntry
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from knox.models import AuthToken

from tests.admin.staff import make_person, said, signed_in, words

pytestmark = pytest.mark.django_db(transaction=True)  # the API reads on connections of its own

ADD = "admin:knox_authtoken_add"
LIST = "admin:knox_authtoken_changelist"


@pytest.fixture
def root() -> Client:
    return signed_in(make_person("root", "superuser"))


def make(client: Client, user: User, days: str = "30") -> Any:
    return client.post(reverse(ADD), {"user": str(user.pk), "days": days})


def token_in(told: str) -> str:
    """The one word of a message that is long enough to be a token."""
    [token] = [word for word in told.split() if len(word) == 64]
    return token


def status_of_api(token: str) -> int:
    return Client().get("/summaries/runs/1", headers={"authorization": f"Token {token}"}).status_code


def test_a_token_is_shown_once_works_and_is_stored_as_a_hash(root: Client) -> None:
    user = make_person("robot", "operator")
    told = said(root, make(root, user))
    token = token_in(told)
    stored = AuthToken.objects.get()
    assert (stored.user, status_of_api(token)) == (user, 404)
    assert token not in str(AuthToken.objects.values())
    assert token not in words(root.get(reverse(LIST)))


def test_it_expires_after_the_days_chosen(root: Client) -> None:
    make(root, make_person("robot", "operator"), days="7")
    expiry = AuthToken.objects.get().expiry
    assert expiry is not None
    assert abs(expiry - timezone.now() - timedelta(days=7)) < timedelta(minutes=1)


@pytest.mark.parametrize("days", ["", "0", "-1", "x", "99999"])
def test_a_lifetime_that_is_none_is_refused(root: Client, days: str) -> None:
    assert make(root, make_person("robot", "operator"), days).status_code == 200
    assert not AuthToken.objects.exists()


def test_revoking_ends_it_at_once(root: Client) -> None:
    told = said(root, make(root, make_person("robot", "operator")))
    root.post(reverse("admin:knox_authtoken_delete", args=[AuthToken.objects.get().pk]), {"post": "yes"})
    assert status_of_api(token_in(told)) == 401


DIGEST = re.compile(r"[0-9a-f]{128}")


def test_pages_and_the_log_name_a_token_by_its_beginning_and_its_user_and_never_by_its_hash(root: Client) -> None:
    user = make_person("robot", "operator")
    make(root, user)
    make(root, user)
    first, second = AuthToken.objects.order_by("created")
    asked = [
        words(root.get(reverse("admin:knox_authtoken_delete", args=[first.pk]))),
        words(root.post(reverse(LIST), {"action": "revoke", "_selected_action": [first.pk]})),
    ]
    assert all("Revoke this API token?" in page and f"{first.token_key}… robot" in page for page in asked)
    root.post(reverse("admin:knox_authtoken_delete", args=[first.pk]), {"post": "yes"})
    confirmed = {"action": "revoke", "_selected_action": [second.pk], "confirmed": "1"}
    told = said(root, root.post(reverse(LIST), confirmed))
    assert f"Revoked: API token {second.token_key}… of robot." in told
    assert not AuthToken.objects.exists()
    log = words(root.get(reverse("admin:admin_logentry_changelist")))
    assert log.count(f"API token {first.token_key}… of robot") == 2
    assert f"API token API token {second.token_key}… of robot Revoked the token." in log
    assert "Auth token" not in log
    assert not any(map(DIGEST.search, [*asked, log, words(root.get(reverse(LIST))), told]))
    assert not any(map(DIGEST.search, LogEntry.objects.values_list("object_repr", flat=True)))


def test_a_hash_in_the_log_of_a_former_version_is_not_shown(root: Client) -> None:
    boss = User.objects.get(username="root")
    LogEntry.objects.create(user=boss, object_repr=f"{'0a' * 64} : robot", action_flag=DELETION)
    page = words(root.get(reverse("admin:admin_logentry_changelist")))
    assert "API token of robot Deletion" in page
    assert not DIGEST.search(page)


def test_several_tokens_are_revoked_after_one_question(root: Client) -> None:
    user = make_person("robot", "operator")
    make(root, user)
    make(root, user)
    keys = [token.pk for token in AuthToken.objects.all()]
    page = words(root.post(reverse(LIST), {"action": "revoke", "_selected_action": keys}))
    assert "Revoke these API tokens?" in page
    assert AuthToken.objects.count() == 2


def test_a_token_is_made_one_at_a_time_under_names_of_ours(root: Client) -> None:
    page = words(root.get(reverse(ADD)))
    assert "Save and add another" not in page
    assert "auth token" not in page.lower()
    empty = words(root.get(reverse(LIST)))
    assert "Knox" not in empty
    assert "auth token" not in empty.lower()


def test_who_is_no_superuser_makes_and_sees_tokens_of_their_own_alone(root: Client) -> None:
    boss, user = User.objects.get(username="root"), make_person("olga", "operator")
    user.user_permissions.set(Permission.objects.filter(content_type__app_label="knox"))
    olga = signed_in(user)
    assert make(olga, boss).status_code == 200
    assert not AuthToken.objects.exists()
    make(olga, user)
    make(root, boss)
    assert [token.user for token in olga.get(reverse(LIST)).context["cl"].result_list] == [user]
    other = AuthToken.objects.get(user=boss)
    olga.post(reverse("admin:knox_authtoken_delete", args=[other.pk]), {"post": "yes"})
    assert AuthToken.objects.filter(pk=other.pk).exists()


def test_a_token_is_made_for_active_people_alone(root: Client) -> None:
    user = User.objects.create_user("gone", is_active=False)
    assert make(root, user).status_code == 200
    assert not AuthToken.objects.exists()


def test_the_page_of_its_application_names_them_as_their_own_pages_do(root: Client) -> None:
    page = words(root.get(reverse("admin:app_list", args=["knox"])))
    assert "API tokens" in page
    assert "Auth tokens" not in page
