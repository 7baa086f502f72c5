"""People made in admin can do what their groups are for."""

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from tests.admin.staff import group, make_person, signed_in, words


@pytest.fixture
def root(db: None) -> Client:
    return signed_in(make_person("root", "superuser"))


def put_in(root: Client, user: User, *groups: Group) -> User:
    """What the form of a user sends, with nothing ticked but the account's being active."""
    joined = {"date_joined_0": "2026-01-01", "date_joined_1": "08:00:00"}
    form = {"username": user.username, "is_active": "on", "groups": [each.pk for each in groups], **joined}
    assert root.post(reverse("admin:auth_user_change", args=[user.pk]), form).status_code == 302
    return User.objects.get(pk=user.pk)


@pytest.mark.parametrize("name", ["Finance operators", "Auditors"])
def test_a_person_put_into_a_group_of_the_desk_can_sign_in(name: str, root: Client) -> None:
    nora = put_in(root, User.objects.create_user("nora", password="nora"), group(name))
    assert nora.is_staff
    assert signed_in(nora).get(reverse("admin:index")).status_code == 200


def test_a_person_of_another_group_gets_no_staff_status(root: Client) -> None:
    nora = put_in(root, User.objects.create_user("nora"), Group.objects.create(name="Customers"))
    assert not nora.is_staff
    assert [each.name for each in nora.groups.all()] == ["Customers"]


def test_the_form_says_beside_the_groups_who_may_sign_in(root: Client) -> None:
    nora = User.objects.create_user("nora")
    page = words(root.get(reverse("admin:auth_user_change", args=[nora.pk])))
    assert "Who is in “Finance operators” or “Auditors” may sign in here: saving sets the staff status." in page
