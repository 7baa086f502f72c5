"""Who may not do something is told so on a page of the desk, with a way on."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.admin.staff import make_person, signed_in, words

ADDRESSES = ("admin:auth_user_changelist", "admin:auth_group_add", "admin:knox_authtoken_changelist")


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_refused_address_says_so_in_the_look_of_the_desk_and_leads_home(address: str, desk: Client) -> None:
    response = desk.get(reverse(address))
    assert response.status_code == 403
    assert "You may not do this" in words(response)
    assert f'<a href="{reverse("admin:index")}" class="desk-button' in response.content.decode()
    assert reverse("admin:summarizer_run_changelist") in response.content.decode()


def test_a_refused_deed_says_so_too(auditor: Client) -> None:
    response = auditor.post(reverse("admin:auth_group_add"), {"name": "Mine"})
    assert (response.status_code, "You may not do this" in words(response)) == (403, True)


def test_staff_without_a_group_are_told_so_as_well(db: None) -> None:
    response = signed_in(make_person("paul", "staff")).get(reverse("admin:summarizer_run_changelist"))
    assert (response.status_code, "You may not do this" in words(response)) == (403, True)


def test_the_api_refuses_in_json(desk: Client) -> None:
    response = desk.post("/summaries/batch", "{}", content_type="application/json")
    assert response.status_code in (401, 403)
    assert response.headers["Content-Type"].endswith("json")


async def test_it_is_told_under_asgi_as_well(async_client: Any, transactional_db: None, in_thread: Any) -> None:
    olga = await in_thread(lambda: make_person("olga", "operator"))
    await in_thread(lambda: async_client.force_login(olga))
    response = await async_client.get(reverse("admin:auth_user_changelist"))
    assert (response.status_code, "You may not do this" in words(response)) == (403, True)
