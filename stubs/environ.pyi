from pathlib import Path
from typing import Any

class Env:
    CACHE_SCHEMES: dict[str, str]
    EMAIL_SCHEMES: dict[str, str]
    @classmethod
    def read_env(cls, env_file: Path) -> None: ...
    @classmethod
    def db_url_config(cls, url: str) -> dict[str, Any]: ...
    @classmethod
    def cache_url_config(cls, url: str) -> dict[str, Any]: ...
    @classmethod
    def email_url_config(cls, url: str) -> dict[str, Any]: ...
