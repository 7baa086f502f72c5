from datetime import datetime, timedelta
from typing import Any

from django.db import models

class AuthTokenManager(models.Manager[AuthToken]):
    def create(self, user: Any, expiry: timedelta | None = ..., prefix: str | None = ..., **kwargs: Any) -> tuple[AuthToken, str]: ...  # type: ignore[override]

class AuthToken(models.Model):
    expiry: datetime | None
    objects: AuthTokenManager
