"""The process of our contenders: the project with production settings, and the benchmark's model."""

import os
import secrets

from contender import TASK

os.environ |= {
    "DJANGO_SETTINGS_MODULE": "backoffice.settings",
    "DJANGO_DEBUG": "false",
    "DJANGO_SECRET_KEY": secrets.token_hex(32),
    "LLM_PROVIDER": "openai",
    "OPENAI_API_KEY": "k",
    "OPENAI_BASE_URL": TASK["base_url"],
    "DATABASE_URL": TASK["database_url"],
}

import django

django.setup()
