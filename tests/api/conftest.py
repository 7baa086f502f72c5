"""The toy endpoints, in place of the project's own, and two people who may and may not use the private one."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import Permission, User
from django.core.cache import cache
from pytest_django import Settings


@pytest.fixture(autouse=True)
def _toys(settings: Settings) -> Iterator[None]:
    settings.ROOT_URLCONF = "tests.api.toy_urls"
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def ada(transactional_db: None) -> User:
    """Holds the permission that the private endpoints need."""
    user = User.objects.create_user("ada", password="ada")
    user.user_permissions.add(Permission.objects.get(content_type__app_label="auth", codename="view_user"))
    return user


@pytest.fixture
def bob(transactional_db: None) -> User:
    """Holds none."""
    return User.objects.create_user("bob", password="bob")
