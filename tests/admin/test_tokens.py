"""API tokens: made, shown once, stored as a hash, expiring, revoked."""

from datetime import timedelta
from typing import Any

import pytest
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
