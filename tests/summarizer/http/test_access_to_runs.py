"""Who may summarise, and whose runs one sees."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.core.cache import cache
from django.core.management import call_command
from django.test import AsyncClient
from django.utils import timezone
from knox.models import AuthToken
from pytest_django import Settings

from backoffice.database import in_database
from summarizer.models import Run
from tests.summarizer.http.standards import JSON, Caller, batch, run_id_of
from tests.summarizer.making import queued_run

pytestmark = pytest.mark.django_db(transaction=True)

BATCH, RUN = "/summaries/batch", "/summaries/runs/1"


@pytest.fixture(autouse=True)
def _no_rates_of_other_tests() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def with_permissions(name: str, *codenames: str) -> User:
    user = User.objects.create_user(name, password=name)
    user.user_permissions.set(Permission.objects.filter(content_type__app_label="summarizer", codename__in=codenames))
    return user


async def program_of(name: str, *codenames: str) -> Caller:
    return await in_database(lambda: Caller(with_permissions(name, *codenames)))


async def test_who_is_not_signed_in_gets_401_and_the_scheme_to_use() -> None:
    answers = [await AsyncClient().post(BATCH, batch("One."), content_type=JSON), await AsyncClient().get(RUN)]
    assert [(answer.status_code, answer.headers["WWW-Authenticate"]) for answer in answers] == [(401, "Token")] * 2


@pytest.mark.parametrize(
    "token",
    ["", "x", "\x00", "ÿþ", "a b", "0" * 64, "0" * 100_000],
    ids=["none", "x", "nul", "high", "two", "hex", "long"],
)
async def test_a_token_that_is_none_is_401(token: str) -> None:
    answer = await AsyncClient().post(
        BATCH, batch("One."), content_type=JSON, headers={"Authorization": f"Token {token}"}
    )
    assert answer.status_code == 401
    assert not await in_database(Run.objects.exists)


async def test_a_token_that_has_expired_is_401(caller: Caller) -> None:
    await in_database(AuthToken.objects.update, expiry=timezone.now() - timedelta(seconds=1))
    assert (await caller.post(batch("One."))).status_code == 401


async def test_a_token_that_was_revoked_is_401(caller: Caller) -> None:
    await in_database(AuthToken.objects.all().delete)
    assert (await caller.post(batch("One."))).status_code == 401


async def test_a_user_who_was_deactivated_is_401(caller: Caller) -> None:
    await in_database(User.objects.update, is_active=False)
    assert (await caller.post(batch("One."))).status_code == 401


async def test_a_token_made_by_the_command_opens_the_door(operator: User, capsys: pytest.CaptureFixture[str]) -> None:
    await in_database(call_command, "create_api_token", "olga")
    token = capsys.readouterr().out.splitlines()[-1]
    headers = {"Authorization": f"Token {token}"}
    answer = await AsyncClient().post(BATCH, batch("One."), content_type=JSON, headers=headers)
    assert answer.status_code == 200


async def test_without_the_permission_for_it_there_is_403_and_nothing_is_stored() -> None:
    reader = await program_of("rita", "view_run")
    assert (await reader.post(batch("One."))).status_code == 403
    assert not await in_database(Run.objects.exists)


async def test_who_may_summarise_need_not_be_allowed_to_read() -> None:
    writer = await program_of("wanda", "add_run")
    answer = await writer.post(batch("One."))
    assert answer.status_code == 200
    assert (await writer.get(answer.headers["Content-Location"])).status_code == 403


async def test_another_users_run_is_not_there(caller: Caller) -> None:
    run_id = run_id_of(await caller.post(batch("One.")))
    other = await program_of("otto", "view_run")
    answers = [await other.get(f"/summaries/runs/{run_id}"), await other.get("/summaries/runs/999999")]
    assert [(answer.status_code, answer.json()) for answer in answers] == [(404, {"detail": "Not found."})] * 2


async def test_who_may_view_all_runs_sees_another_users_and_the_nightly_ones(caller: Caller) -> None:
    of_user = run_id_of(await caller.post(batch("One.")))
    of_nobody = (await in_database(queued_run)).pk
    auditor = await program_of("ada", "view_run", "view_all_runs")
    assert [(await auditor.get(f"/summaries/runs/{run_id}")).status_code for run_id in (of_user, of_nobody)] == [
        200
    ] * 2
    assert (await caller.get(f"/summaries/runs/{of_nobody}")).status_code == 404


@pytest.mark.parametrize("run_id", ["0", "99999999999999999999", "9" * 4_000, "-1", "one", "1/"])
async def test_a_number_that_is_no_runs_is_404(caller: Caller, run_id: str) -> None:
    assert (await caller.get(f"/summaries/runs/{run_id}")).status_code == 404


async def session_of(user: User) -> AsyncClient:
    client = AsyncClient(enforce_csrf_checks=True)
    await in_database(client.force_login, user)
    return client


async def test_a_person_who_is_signed_in_needs_no_token_to_read(operator: User) -> None:
    assert (await (await session_of(operator)).get("/summaries/runs/999999")).status_code == 404


async def test_a_session_alone_cannot_start_a_batch_from_another_site(operator: User) -> None:
    answer = await (await session_of(operator)).post(BATCH, batch("One."), content_type=JSON)
    assert answer.status_code == 403
    assert not await in_database(Run.objects.exists)


async def test_a_session_with_its_csrf_token_can(operator: User, caller: Caller) -> None:
    client = await session_of(operator)
    client.cookies["csrftoken"] = "a" * 32
    answer = await client.post(BATCH, batch("One."), content_type=JSON, headers={"X-CSRFToken": "a" * 32})
    assert answer.status_code == 200, answer.text


async def statuses(caller: Caller, count: int) -> list[Any]:
    return [await caller.get("/summaries/runs/999999") for _ in range(count)]


async def test_beyond_the_rate_there_is_429_and_when_to_come_back(caller: Caller, settings: Settings) -> None:
    settings.SUMMARIES_RATE = "2/min"
    *within, beyond = await statuses(caller, 3)
    assert [answer.status_code for answer in (*within, beyond)] == [404, 404, 429]
    assert 1 <= int(beyond.headers["Retry-After"]) <= 60


async def test_the_rate_is_each_users_own(caller: Caller, settings: Settings) -> None:
    settings.SUMMARIES_RATE = "1/min"
    other = await program_of("otto", "view_run")
    await statuses(caller, 2)
    assert (await other.get("/summaries/runs/999999")).status_code == 404
