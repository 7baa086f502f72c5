"""Settings, each from the environment or `.env`; docs/configuration.md has the table of every variable.

Without any, the project runs in development mode on 127.0.0.1 over SQLite. Production is DJANGO_DEBUG=false.
"""

import os
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import environ
from django.core.exceptions import ImproperlyConfigured

from backoffice import environment
from backoffice.admin_look import UNFOLD  # noqa: F401 - a setting of django-unfold
from backoffice.middleware_setting import Middleware

BASE_DIR = Path(__file__).resolve().parent.parent

environ.Env.read_env(BASE_DIR / ".env")

# --- The model ---------------------------------------------------------------------------------------------------
LLM_PROVIDER = environment.text("LLM_PROVIDER", "openai")
LLM_MODEL = environment.text("LLM_MODEL", "gpt-4o-mini-2024-07-18")
LLM_CHUNK_TIMEOUT = environment.positive("LLM_CHUNK_TIMEOUT", 30)
LLM_CALL_TIMEOUT = environment.positive("LLM_CALL_TIMEOUT", 120)
# Calls of one process in flight at once, of those that can wait: rows do, a customer in a chat does not.
LLM_MAX_IN_FLIGHT = environment.whole("LLM_MAX_IN_FLIGHT", 32)
OPENAI_API_KEY = environment.text("OPENAI_API_KEY")
OPENAI_BASE_URL = environment.text("OPENAI_BASE_URL", "https://api.openai.com/v1")
# USD per million tokens. A model that is not listed has an unknown cost.
LLM_PRICES = {"gpt-4o-mini-2024-07-18": {"input": "0.15", "cached": "0.075", "output": "0.60"}}
_EXAMPLE = '{"my-model": {"input": "0.1", "cached": "0.05", "output": "0.4"}}'
LLM_PRICES |= environment.json_object("LLM_PRICES", _EXAMPLE)

# --- Runs --------------------------------------------------------------------------------------------------------
RUN_LEASE_SECONDS = environment.positive("RUN_LEASE_SECONDS", 60)
# How long a signalled worker may take to end the row in flight before it gives the row up.
RUN_GRACE_SECONDS = environment.number("RUN_GRACE_SECONDS", 5)
SSE_KEEPALIVE_SECONDS = environment.positive("SSE_KEEPALIVE_SECONDS", 15)
# USD that rows may cost between two midnights; empty is no limit.
SUMMARISE_DAILY_COST_LIMIT = environment.amount("SUMMARISE_DAILY_COST_LIMIT")

# --- The morning report ------------------------------------------------------------------------------------------
SUMMARISE_REPORT_EMAILS = environment.listed("SUMMARISE_REPORT_EMAILS")
# A Slack-compatible incoming webhook. Its address is a secret.
SUMMARISE_REPORT_WEBHOOK = environment.text("SUMMARISE_REPORT_WEBHOOK")
globals().update(environment.mail_server("EMAIL_URL", "smtp://localhost:25"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = environment.text("DEFAULT_FROM_EMAIL", "backoffice@localhost")

# --- Personal data -----------------------------------------------------------------------------------------------
# After so many days `manage.py purge` deletes notes, messages, questions and answers; daily sums stay.
RETENTION_DAYS = environment.whole("RETENTION_DAYS", 365)

# --- Health ------------------------------------------------------------------------------------------------------
# Who may scrape /metrics: the bearer of this token; without one, whoever asks from this machine and through no proxy.
METRICS_TOKEN = environment.text("METRICS_TOKEN")
# /readyz complains of a run that has waited for longer, as when the nightly job did not come; 0 is never.
READY_MAX_QUEUE_SECONDS = environment.number("READY_MAX_QUEUE_SECONDS", 36 * 3600)
# Where all processes count together. prometheus-client reads the variable itself, and a blank one as this folder.
PROMETHEUS_MULTIPROC_DIR = environment.text("PROMETHEUS_MULTIPROC_DIR")
if not PROMETHEUS_MULTIPROC_DIR:
    os.environ.pop("PROMETHEUS_MULTIPROC_DIR", None)
# OpenTelemetry spans of model calls; what was said is in them only where the second asks for it.
LLM_TRACING = environment.switch("LLM_TRACING", default=False)
LLM_TRACING_CONTENT = environment.switch("LLM_TRACING_CONTENT", default=False)

# --- The weather -------------------------------------------------------------------------------------------------
WEATHER_BACKEND = environment.text("WEATHER_BACKEND", "mock")
OPEN_METEO_API_KEY = environment.text("OPEN_METEO_API_KEY")
# A lookup is two requests, and Open-Meteo gives 10,000 a day to those who do not pay.
WEATHER_DAILY_LOOKUPS = environment.whole("WEATHER_DAILY_LOOKUPS", 5_000)
WEATHER_CONCURRENT_LOOKUPS = environment.whole("WEATHER_CONCURRENT_LOOKUPS", 8)
WEATHER_LOOKUP_SECONDS = environment.positive("WEATHER_LOOKUP_SECONDS", 10)

# --- The evidence desk -------------------------------------------------------------------------------------------
EVIDENCE_CORPUS = environment.text("EVIDENCE_CORPUS", str(BASE_DIR / "backoffice" / "evidencedesk" / "corpus"))

# --- Limits of the API -------------------------------------------------------------------------------------------
SUMMARIES_RATE = environment.text("SUMMARIES_RATE", "600/min")
WEATHER_RATE = environment.text("WEATHER_RATE", "120/min")
ASK_RATE = environment.text("ASK_RATE", "120/min")
MAX_BODY_BYTES = 4 * 1024 * 1024

# --- Django ------------------------------------------------------------------------------------------------------
DEBUG = environment.switch("DJANGO_DEBUG", default=True)
SECRET_KEY = environment.text("DJANGO_SECRET_KEY")
if not SECRET_KEY:
    if not DEBUG:
        raise ImproperlyConfigured(
            "Set DJANGO_SECRET_KEY to a long random text; production does not start without one."
        )
    SECRET_KEY = "development-only-key-never-used-in-production-where-it-is-refused"  # noqa: S105
ALLOWED_HOSTS = environment.listed("DJANGO_ALLOWED_HOSTS", ["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS = environment.listed("DJANGO_CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "backoffice.apps.DeskConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "servestatic",
    "django.contrib.staticfiles",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_tasks_db",
    "backoffice.apps.BackofficeConfig",
    "backoffice.audit.apps.AuditConfig",
    "summarizer.apps.SummarizerConfig",
    "weatherbot.apps.WeatherbotConfig",
    "backoffice.evidencedesk.apps.EvidenceDeskConfig",
]

MIDDLEWARE = Middleware(
    [
        "backoffice.middleware.Security",
        "servestatic.middleware.ServeStaticMiddleware",
        "backoffice.middleware.Sessions",
        "backoffice.middleware.Common",
        "backoffice.middleware.Csrf",
        "backoffice.middleware.Authentication",
        "backoffice.middleware.Messages",
        "backoffice.middleware.XFrameOptions",
        "backoffice.admin_pages.admin_pages",
    ]
)

ROOT_URLCONF = "backoffice.urls"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "backoffice" / "overrides"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- Database ----------------------------------------------------------------------------------------------------
DATABASES = {
    "default": environment.database("DATABASE_URL", f"sqlite:///{quote(str(BASE_DIR / 'var' / 'backoffice.sqlite3'))}")
}
_asked = DATABASES["default"].get("OPTIONS", {})  # by the URL, such as ?sslmode=require
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    environment.make_folder("DATABASE_URL", Path(DATABASES["default"]["NAME"]).parent)
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        **_asked,
    }
else:
    # A pool that has waited long for a database backs off for as long again; given up soon, it begins anew when asked.
    _most = environment.whole("DATABASE_POOL_SIZE", 20)
    _pool = {"min_size": 1, "max_size": _most, "timeout": 4, "reconnect_timeout": 2}
    DATABASES["default"]["OPTIONS"] = {**_asked, "pool": _pool}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Cache: the rates of clients, and the weather. Processes that do not share one count apart --------------------
CACHES = {"default": environment.cache("CACHE_URL", "locmemcache://")}
if CACHES["default"]["BACKEND"].endswith("LocMemCache"):
    # What has not been used for longest goes first; with Django's 300, clients would push out each other's rates.
    CACHES["default"]["OPTIONS"] = {"MAX_ENTRIES": 20_000}
elif CACHES["default"]["BACKEND"] == "django.core.cache.backends.redis.RedisCache":
    # A Redis that does not answer is given up soon: a customer waits for it. The URL may ask for another time.
    _short = {"socket_connect_timeout": 1, "socket_timeout": 1}
    CACHES["default"]["OPTIONS"] = _short | CACHES["default"].get("OPTIONS", {})

# --- People ------------------------------------------------------------------------------------------------------
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
API_TOKEN_DAYS = environment.whole("API_TOKEN_DAYS", 90)
REST_KNOX = {"TOKEN_TTL": timedelta(days=API_TOKEN_DAYS), "AUTO_REFRESH": False}

# --- Language, time, static files --------------------------------------------------------------------------------
LANGUAGE_CODE = environment.text("DJANGO_LANGUAGE_CODE", "en-gb")
TIME_ZONE = environment.time_zone("DJANGO_TIME_ZONE", "UTC")
LANGUAGES = [("en-gb", "English"), ("de", "Deutsch")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["backoffice.formats"]
STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "backoffice" / "vendored"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "servestatic.storage.CompressedManifestStaticFilesStorage"
    },
}
SERVESTATIC_USE_FINDERS = DEBUG
SERVESTATIC_AUTOREFRESH = False

# --- The API -----------------------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_SCHEMA_CLASS": "backoffice.api.schema.EndpointSchema",
    "EXCEPTION_HANDLER": "backoffice.api.errors.respond_to",
    # How many proxies stand in front: with none, X-Forwarded-For is the client's own word and counts for nothing.
    "NUM_PROXIES": environment.whole("DJANGO_NUM_PROXIES", 0),
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Back office",
    "DESCRIPTION": "Summaries of finance notes, a weather chat, and answers from policy documents with citations.",
    "VERSION": "0.1.0",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": False,
}

# --- Background work ---------------------------------------------------------------------------------------------
# The engine: `database` needs nothing else; `rq` needs Redis and the extra `redis`, for many workers on many machines.
TASKS_BACKEND = environment.choice("TASKS_BACKEND", "database", ("database", "rq"))
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": ["default"]}}
if TASKS_BACKEND == "rq":
    INSTALLED_APPS += ["django_rq", "django_tasks_rq"]
    TASKS["default"]["BACKEND"] = "django_tasks_rq.RQBackend"
    # A run has limits of its own for every call, and its lease for a worker that is gone: no time-out from outside.
    _redis = environment.redis_address("REDIS_URL", "redis://127.0.0.1:6379/0")
    RQ_QUEUES = {"default": {"URL": _redis, "DEFAULT_TIMEOUT": -1}}

# --- Security ----------------------------------------------------------------------------------------------------
if not DEBUG:
    SECURE_SSL_REDIRECT = environment.switch("DJANGO_SECURE_SSL_REDIRECT", default=True)
    SECURE_HSTS_SECONDS = environment.whole("DJANGO_SECURE_HSTS_SECONDS", 31_536_000)
    # Probes and scrapers speak plain HTTP from inside.
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    if environment.switch("DJANGO_BEHIND_PROXY", default=False):
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- Logs: one line each, never a note, a message, a key or a query string ---------------------------------------
_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"no_query": {"()": "backoffice.logs.WithoutQueryString"}},
    "formatters": {
        "text": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {"()": "backoffice.logs.JSONFormatter"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": environment.choice("DJANGO_LOG_FORMAT", "text" if DEBUG else "json", ("text", "json")),
            "filters": ["no_query"],
        }
    },
    "root": {"handlers": ["console"], "level": environment.choice("DJANGO_LOG_LEVEL", "WARNING", _LEVELS)},
    "loggers": {
        name: {"handlers": ["console"], "level": "INFO", "propagate": False}
        for name in ("backoffice", "summarizer", "weatherbot", "django.server", "uvicorn.access", "django_tasks_db")
    }
    # urllib3 logs the path and the query of every request at DEBUG, and with them secrets.
    | {name: {"handlers": ["console"], "level": "WARNING", "propagate": False} for name in ("django", "urllib3")},
}
