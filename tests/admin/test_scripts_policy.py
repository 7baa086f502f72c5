"""No page of admin runs a script that is not a file of ours."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from summarizer import drafts
from tests.admin.night import ended, failure, queued, summary
from tests.admin.staff import make_person, signed_in

INLINE = re.compile(r"<script(?![^>]*\bsrc=)|\son[a-z]+\s*=|javascript:", re.IGNORECASE)


def policy_of(response: Any) -> dict[str, str]:
    directives = response.headers["Content-Security-Policy"].split("; ")
    return dict(directive.split(" ", 1) for directive in directives)


@pytest.fixture
def addresses(db: None) -> list[str]:
    root = make_person("root", "superuser")
    [failed], [warned] = ended(failure()), ended(summary("Cut", "truncated"))
    draft = drafts.store(root, drafts.pasted("row_id,text\n1,A note.\nx,Bad.\n"))
    lists = ("run", "outcome", "failedrow", "rowtoreview", "importdraft")
    return [
        reverse("admin:index"),
        *(reverse(f"admin:summarizer_{model}_changelist") for model in lists),
        reverse("admin:summarizer_run_change", args=[failed.run_id]),
        reverse("admin:summarizer_run_start", args=[queued().pk]),
        reverse("admin:summarizer_outcome_change", args=[failed.pk]),
        reverse("admin:summarizer_rowtoreview_change", args=[warned.pk]),
        reverse("admin:summarizer_importdraft_add"),
        reverse("admin:summarizer_importdraft_change", args=[draft.pk]),
        reverse("admin:auth_user_change", args=[root.pk]),
        reverse("admin:knox_authtoken_add"),
        reverse("admin:password_change"),
        reverse("admin:app_list", args=["summarizer"]),
    ]


def test_every_page_carries_the_policy_and_keeps_to_it(addresses: list[str]) -> None:
    client = Client()
    assert client.login(username="root", password="root")
    for address in addresses:
        response = client.get(address)
        assert response.status_code == 200, address
        assert policy_of(response)["script-src"] == "'self'", address
        assert INLINE.findall(response.content.decode()) == [], address


def test_the_sign_in_page_and_errors_carry_it_too(db: None) -> None:
    client = signed_in(make_person("root", "superuser"))
    for response in (Client().get(reverse("admin:login")), client.get("/admin/no/such/page/"), Client().get("/admin/")):
        assert policy_of(response)["script-src"] == "'self'"


def test_nothing_may_frame_admin_or_take_its_forms_elsewhere(db: None) -> None:
    policy = policy_of(Client().get(reverse("admin:login")))
    assert (policy["frame-ancestors"], policy["form-action"], policy["object-src"]) == ("'none'", "'self'", "'none'")


def test_the_api_is_left_alone(db: None) -> None:
    assert "Content-Security-Policy" not in Client().get("/summaries/runs/1").headers


async def test_it_holds_under_asgi(async_client: Any, transactional_db: None, in_thread: Any) -> None:
    response = await async_client.get("/admin/login/")
    assert policy_of(response)["script-src"] == "'self'"
    assert "Content-Security-Policy" not in (await async_client.get("/summaries/runs/1")).headers
