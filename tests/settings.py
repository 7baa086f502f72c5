"""The project's own settings, over the scripted model and a database file of the tests' own."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from backoffice.settings import *  # noqa: F403
from backoffice.settings import DATABASES

LLM_PROVIDER = "scripted"
OPENAI_API_KEY = ""
LLM_CHUNK_TIMEOUT = 2.0
LLM_CALL_TIMEOUT = 8.0
RUN_GRACE_SECONDS = 0.5
SUMMARIES_RATE = "100000/min"
ASK_RATE = "100000/min"
SUMMARISE_REPORT_EMAILS: list[str] = []
SUMMARISE_REPORT_WEBHOOK = METRICS_TOKEN = ""
LLM_TRACING = False
SECRET_KEY = "tests-only"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, not memory: threads and processes of a test share it as they do in production.
    _folder = tempfile.mkdtemp(prefix="backoffice-tests-")
    atexit.register(shutil.rmtree, _folder, ignore_errors=True)
    DATABASES["default"]["TEST"] = {"NAME": str(Path(_folder) / "tests.sqlite3")}
else:
    DATABASES["default"]["TEST"] = {"NAME": f"test_backoffice_{os.getpid()}"}
