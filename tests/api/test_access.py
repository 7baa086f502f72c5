"""Who may ask: programs by token, people by session, each with the permission for it, and nobody too often."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import AsyncClient, Client
from knox.models import AuthToken
from pytest_django import Settings


def header(user: User, lifetime: timedelta = timedelta(days=1)) -> dict[str, str]:
    """Of a program that acts for a user."""
    return {"Authorization": f"Token {AuthToken.objects.create(user, expiry=lifetime)[1]}"}


def signed_in(user: User) -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    return client


def test_a_program_is_known_by_its_token(ada: User) -> None:
    answer = Client().get("/private", headers=header(ada))
    assert (answer.status_code, answer.json()) == (200, {"user": "ada"})


def test_a_person_is_known_by_the_session(ada: User) -> None:
    assert signed_in(ada).get("/private").json() == {"user": "ada"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/private", "/private-limited"])
def test_who_is_not_signed_in_gets_401_and_the_scheme(path: str) -> None:
    answer = Client().get(path)
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Token")
    assert set(answer.json()) == {"detail"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "credentials",
    [
        "Token",
        "Token ",
        "Token x",
        "Token x y",
        "Token \xff\xfe",
        "token x",
        "Bearer x",
        "Basic YTpi",
        "Token " + "x" * 9_000,
    ],
)
def test_credentials_that_are_none_get_401(credentials: str) -> None:
    assert Client().get("/private", headers={"Authorization": credentials}).status_code == 401


def test_a_token_that_was_revoked_or_has_expired_gets_401(ada: User) -> None:
    revoked, expired = header(ada), header(ada, timedelta(seconds=-1))
    AuthToken.objects.latest("expiry").delete()
    assert [Client().get("/private", headers=each).status_code for each in (revoked, expired)] == [401, 401]


def test_a_token_of_somebody_who_has_left_gets_401(ada: User) -> None:
    headers = header(ada)
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert Client().get("/private", headers=headers).status_code == 401


def test_who_lacks_the_permission_gets_403(bob: User) -> None:
    assert Client().get("/private", headers=header(bob)).status_code == 403
    assert signed_in(bob).get("/private").status_code == 403


BODY: Any = {"data": {"text": "a"}, "content_type": "application/json"}


def test_a_session_needs_the_csrf_token_to_change_anything_and_a_program_does_not(ada: User) -> None:
    assert signed_in(ada).post("/private", **BODY).status_code == 403
    assert Client(enforce_csrf_checks=True).post("/private", headers=header(ada), **BODY).status_code == 200


@pytest.mark.parametrize("token", ["", "y" * 32, "y" * 64])
def test_a_wrong_csrf_token_gets_403(ada: User, token: str) -> None:
    client = signed_in(ada)
    client.cookies["csrftoken"] = "x" * 32
    assert client.post("/private", headers={"X-CSRFToken": token}, **BODY).status_code == 403


@pytest.mark.parametrize(
    ("data", "status"), [('{"text": "a"}', 200), ("", 400), ("{", 400), ("[" * 100_000, 400), ('{"text": 5}', 422)]
)
def test_a_session_with_the_csrf_token_has_its_body_read_as_any_other(ada: User, data: str, status: int) -> None:
    client, csrf = signed_in(ada), "x" * 32
    client.cookies["csrftoken"] = csrf
    answer = client.post("/private", data=data, content_type="application/json", headers={"X-CSRFToken": csrf})
    assert answer.status_code == status


async def test_so_has_a_session_of_the_asynchronous_server(ada: User) -> None:
    client = AsyncClient(enforce_csrf_checks=True)
    await client.aforce_login(ada)
    client.cookies["csrftoken"] = "x" * 32
    answer = await client.post("/private", headers={"X-CSRFToken": "x" * 32}, **BODY)
    assert (answer.status_code, answer.json()) == (200, {"text": "a"})


def test_who_may_not_ask_is_told_so_before_the_body_is_read(bob: User) -> None:
    body: Any = {"data": b"{", "content_type": "text/plain"}
    assert Client().post("/private", **body).status_code == 401
    assert Client().post("/private", headers=header(bob), **body).status_code == 403


def asked_from(address: str, **headers: str) -> Any:
    return Client(REMOTE_ADDR=address).get("/open-limited?q=a", headers=headers)


def test_a_client_without_a_user_is_limited_by_address(settings: Settings) -> None:
    settings.SUMMARIES_RATE = "2/min"
    addresses = ["10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2"]
    assert [asked_from(address).status_code for address in addresses] == [200, 200, 429, 200]


def test_an_address_that_a_client_only_claims_buys_it_nothing(settings: Settings) -> None:
    settings.SUMMARIES_RATE = "1/min"
    claimed = [{}, {"X-Forwarded-For": "10.0.0.7"}, {"X-Forwarded-For": "10.0.0.8"}]
    assert [asked_from("10.0.0.1", **headers).status_code for headers in claimed] == [200, 429, 429]


class BelievedClient(AsyncClient):
    """As uvicorn hands a request on whose peer is on this machine: the claimed address in its place, with port 0."""

    def _base_scope(self, **request: Any) -> dict[str, Any]:
        claimed = next(value for name, value in request["headers"] if name == b"x-forwarded-for")
        return {**super()._base_scope(**request), "client": [claimed.decode(), 0]}


async def test_nor_does_one_that_the_web_server_believed_because_it_came_from_this_machine(settings: Settings) -> None:
    settings.SUMMARIES_RATE = "1/min"
    answers = [
        await BelievedClient().get("/open-limited?q=a", headers={"X-Forwarded-For": address})
        for address in ("10.0.0.7", "10.0.0.8")
    ]
    assert [answer.status_code for answer in answers] == [200, 429]


def test_who_asked_too_often_is_told_when_to_come_back(settings: Settings) -> None:
    settings.SUMMARIES_RATE = "1/min"
    asked_from("10.0.0.1")
    answer = asked_from("10.0.0.1")
    assert answer.status_code == 429
    assert 0 < int(answer["Retry-After"]) <= 60
    assert set(answer.json()) == {"detail"}


def test_a_user_is_limited_over_all_addresses_and_apart_from_others(ada: User, bob: User, settings: Settings) -> None:
    settings.SUMMARIES_RATE = "1/min"
    bob.user_permissions.set(ada.user_permissions.all())
    adas, bobs = header(ada), header(bob)
    asked = [
        Client(REMOTE_ADDR=address).get("/private-limited", headers=headers).status_code
        for address, headers in (("10.0.0.1", adas), ("10.0.0.2", adas), ("10.0.0.1", bobs))
    ]
    assert asked == [200, 429, 200]
