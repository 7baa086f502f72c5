from typing import Any

from rest_framework.authentication import BaseAuthentication

class TokenAuthentication(BaseAuthentication):
    def authenticate_credentials(self, token: bytes) -> Any: ...
