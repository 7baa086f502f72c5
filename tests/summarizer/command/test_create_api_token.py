"""`manage.py create_api_token`: a program's way in, printed once."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone
from knox.models import AuthToken
from pytest_django import Settings

pytestmark = pytest.mark.django_db


def created(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, AuthToken]:
    """What stands on the last line, and what was stored."""
    call_command("create_api_token", *arguments)
    return capsys.readouterr().out.splitlines()[-1], AuthToken.objects.get()


def test_the_token_stands_alone_on_the_last_line_and_is_stored_hashed(capsys: pytest.CaptureFixture[str]) -> None:
    user = User.objects.create_user("olga")
    token, stored = created(capsys, "olga")
    assert token.isalnum()
    assert stored.user == user
    assert stored.digest != token


@pytest.mark.parametrize(("arguments", "days"), [((), 12), (("--days", "3"), 3)], ids=["setting", "option"])
def test_a_token_expires(
    capsys: pytest.CaptureFixture[str], settings: Settings, arguments: tuple[str, ...], days: int
) -> None:
    settings.API_TOKEN_DAYS = 12
    User.objects.create_user("olga")
    _, stored = created(capsys, "olga", *arguments)
    assert stored.expiry is not None
    assert timedelta(0) <= timezone.now() + timedelta(days=days) - stored.expiry < timedelta(minutes=5)


@pytest.mark.parametrize("days", ["0", "-1", "3651", "soon"])
def test_a_lifetime_beyond_reason_is_refused_in_words(days: str) -> None:
    with pytest.raises(CommandError, match="whole number from 1 to 3650"):
        call_command("create_api_token", "olga", f"--days={days}")


def test_nobody_gets_a_token_who_is_not_there() -> None:
    with pytest.raises(CommandError, match="There is no user 'nobody'"):
        call_command("create_api_token", "nobody")


def test_a_user_who_is_not_active_gets_none() -> None:
    User.objects.create_user("olga", is_active=False)
    with pytest.raises(CommandError, match="not active"):
        call_command("create_api_token", "olga")
    assert not AuthToken.objects.exists()
