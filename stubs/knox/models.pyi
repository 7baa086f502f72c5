from datetime import datetime, timedelta
from typing import Any

from django.db import models

class AuthTokenManager(models.Manager[AuthToken]):
    def create(  # type: ignore[override]
        self, user: Any, expiry: timedelta | None = ..., prefix: str | None = ..., **kwargs: Any
    ) -> tuple[AuthToken, str]: ...

class AuthToken(models.Model):
    token_key: str
    user: Any
    created: datetime
    expiry: datetime | None
    objects: AuthTokenManager
