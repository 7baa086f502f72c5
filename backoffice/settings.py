"""Settings, each from the environment or `.env`; docs/configuration.md has the table of every variable.

Without any, the project runs in development mode on 127.0.0.1 over SQLite. Production is DJANGO_DEBUG=false.
"""

from datetime import timedelta
from decimal import Decimal, InvalidOperation
from pathlib import Path

import environ
from django.core.exceptions import ImproperlyConfigured

from backoffice.admin_look import UNFOLD  # noqa: F401 - a setting of django-unfold
from backoffice.middleware_setting import Middleware

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()
env.read_env(BASE_DIR / ".env")


def _number(name: str, default: float) -> float:
    try:
        value: float = env.float(name, default=default)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a number, not '{env.str(name)}'.") from None
    return value


def _whole(name: str, default: int) -> int:
    try:
        value: int = env.int(name, default=default)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not '{env.str(name)}'.") from None
    return value


def _amount(name: str) -> Decimal | None:
    text: str = env.str(name, default="")
    try:
        return Decimal(text) if text else None
    except InvalidOperation:
        raise ImproperlyConfigured(f"{name} must be an amount such as 2.50, not '{text}'.") from None


def _positive(name: str, default: float) -> float:
    value = _number(name, default)
    if value <= 0:
        raise ImproperlyConfigured(f"{name} must be a number of seconds above 0, not {value:g}.")
    return value


# --- The model ---------------------------------------------------------------------------------------------------
LLM_PROVIDER = env.str("LLM_PROVIDER", default="openai")
LLM_MODEL = env.str("LLM_MODEL", default="gpt-4o-mini-2024-07-18")
LLM_CHUNK_TIMEOUT = _positive("LLM_CHUNK_TIMEOUT", 30)
LLM_CALL_TIMEOUT = _positive("LLM_CALL_TIMEOUT", 120)
# Calls of one process in flight at once, of those that can wait: rows do, a customer in a chat does not.
LLM_MAX_IN_FLIGHT = _whole("LLM_MAX_IN_FLIGHT", 32)
OPENAI_API_KEY = env.str("OPENAI_API_KEY", default="")
OPENAI_BASE_URL = env.str("OPENAI_BASE_URL", default="") or "https://api.openai.com/v1"
# USD per million tokens. A model that is not listed has an unknown cost.
LLM_PRICES = {"gpt-4o-mini-2024-07-18": {"input": "0.15", "cached": "0.075", "output": "0.60"}}
LLM_PRICES |= env.json("LLM_PRICES", default={})

# --- Runs --------------------------------------------------------------------------------------------------------
RUN_LEASE_SECONDS = _positive("RUN_LEASE_SECONDS", 60)
# How long a signalled worker may take to end the row in flight before it gives the row up.
RUN_GRACE_SECONDS = _number("RUN_GRACE_SECONDS", 5)
SSE_KEEPALIVE_SECONDS = _positive("SSE_KEEPALIVE_SECONDS", 15)
# USD that rows may cost between two midnights; empty is no limit.
SUMMARISE_DAILY_COST_LIMIT = _amount("SUMMARISE_DAILY_COST_LIMIT")

# --- The morning report ------------------------------------------------------------------------------------------
SUMMARISE_REPORT_EMAILS = [address.strip() for address in env.list("SUMMARISE_REPORT_EMAILS", default=[])]
# A Slack-compatible incoming webhook. Its address is a secret.
SUMMARISE_REPORT_WEBHOOK = env.str("SUMMARISE_REPORT_WEBHOOK", default="")
globals().update(env.email("EMAIL_URL", default="smtp://localhost:25"))
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="backoffice@localhost")

# --- Personal data -----------------------------------------------------------------------------------------------
# After so many days `manage.py purge` deletes notes, messages, questions and answers; daily sums stay.
RETENTION_DAYS = _whole("RETENTION_DAYS", 365)

# --- Health ------------------------------------------------------------------------------------------------------
# Who may scrape /metrics: the bearer of this token; without one, whoever asks from this machine and through no proxy.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
# /readyz complains of a run that has waited for longer, as when the nightly job did not come; 0 is never.
READY_MAX_QUEUE_SECONDS = _number("READY_MAX_QUEUE_SECONDS", 36 * 3600)
# OpenTelemetry spans of model calls; what was said is in them only where the second asks for it.
LLM_TRACING = env.bool("LLM_TRACING", default=False)
LLM_TRACING_CONTENT = env.bool("LLM_TRACING_CONTENT", default=False)

# --- The weather -------------------------------------------------------------------------------------------------
WEATHER_BACKEND = env.str("WEATHER_BACKEND", default="mock")
OPEN_METEO_API_KEY = env.str("OPEN_METEO_API_KEY", default="")
# A lookup is two requests, and Open-Meteo gives 10,000 a day to those who do not pay.
WEATHER_DAILY_LOOKUPS = _whole("WEATHER_DAILY_LOOKUPS", 5_000)
WEATHER_CONCURRENT_LOOKUPS = _whole("WEATHER_CONCURRENT_LOOKUPS", 8)
WEATHER_LOOKUP_SECONDS = _positive("WEATHER_LOOKUP_SECONDS", 10)

# --- The evidence desk -------------------------------------------------------------------------------------------
EVIDENCE_CORPUS = env.str("EVIDENCE_CORPUS", default=str(BASE_DIR / "backoffice" / "evidencedesk" / "corpus"))

# --- Limits of the API -------------------------------------------------------------------------------------------
SUMMARIES_RATE = env.str("SUMMARIES_RATE", default="600/min")
WEATHER_RATE = env.str("WEATHER_RATE", default="120/min")
ASK_RATE = env.str("ASK_RATE", default="120/min")
MAX_BODY_BYTES = 4 * 1024 * 1024

# --- Django ------------------------------------------------------------------------------------------------------
DEBUG = env.bool("DJANGO_DEBUG", default=True)
SECRET_KEY = env.str("DJANGO_SECRET_KEY", default="")
if not SECRET_KEY:
    if not DEBUG:
        raise ImproperlyConfigured(
            "Set DJANGO_SECRET_KEY to a long random text; production does not start without one."
        )
    SECRET_KEY = "development-only-key-never-used-in-production-where-it-is-refused"  # noqa: S105
ALLOWED_HOSTS = env.list("DJANGO_ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("DJANGO_CSRF_TRUSTED_ORIGINS", default=[])

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
ASGI_APPLICATION = "backoffice.asgi.application"
APPEND_SLASH = True

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
DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{BASE_DIR / 'var' / 'backoffice.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    Path(DATABASES["default"]["NAME"]).parent.mkdir(parents=True, exist_ok=True)
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
else:
    # A pool that has waited long for a database backs off for as long again; given up soon, it begins anew when asked.
    _pool = {"min_size": 1, "max_size": _whole("DATABASE_POOL_SIZE", 20), "timeout": 4, "reconnect_timeout": 2}
    DATABASES["default"]["OPTIONS"] = {"pool": _pool}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Cache: the rates of clients, and the weather. Processes that do not share one count apart --------------------
CACHES = {"default": env.cache("CACHE_URL", default="locmemcache://")}
if CACHES["default"]["BACKEND"].endswith("LocMemCache"):
    # What has not been used for longest goes first; with Django's 300, clients would push out each other's rates.
    CACHES["default"]["OPTIONS"] = {"MAX_ENTRIES": 20_000}

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
LOGIN_URL = "admin:login"
API_TOKEN_DAYS = _whole("API_TOKEN_DAYS", 90)
REST_KNOX = {"TOKEN_TTL": timedelta(days=API_TOKEN_DAYS), "AUTO_REFRESH": False}

# --- Language, time, static files --------------------------------------------------------------------------------
LANGUAGE_CODE = env.str("DJANGO_LANGUAGE_CODE", default="en-gb")
TIME_ZONE = env.str("DJANGO_TIME_ZONE", default="UTC")
USE_TZ = True
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
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    # How many proxies stand in front: with none, X-Forwarded-For is the client's own word and counts for nothing.
    "NUM_PROXIES": _whole("DJANGO_NUM_PROXIES", 0),
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Back office",
    "DESCRIPTION": "Invoice summaries for a finance back office.",
    "VERSION": "0.1.0",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": False,
}

# --- Background work ---------------------------------------------------------------------------------------------
# The engine: `database` needs nothing else; `rq` needs Redis and the extra `redis`, for many workers on many machines.
TASKS_BACKEND = env.str("TASKS_BACKEND", default="database")
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": ["default"]}}
if TASKS_BACKEND == "rq":
    INSTALLED_APPS += ["django_rq", "django_tasks_rq"]
    TASKS["default"]["BACKEND"] = "django_tasks_rq.RQBackend"
    # A run has limits of its own for every call, and its lease for a worker that is gone: no time-out from outside.
    RQ_QUEUES = {"default": {"URL": env.str("REDIS_URL", default="redis://127.0.0.1:6379/0"), "DEFAULT_TIMEOUT": -1}}
elif TASKS_BACKEND != "database":
    raise ImproperlyConfigured(f"TASKS_BACKEND is '{TASKS_BACKEND}'; set it to database or rq.")

# --- Security ----------------------------------------------------------------------------------------------------
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
if not DEBUG:
    SECURE_SSL_REDIRECT = env.bool("DJANGO_SECURE_SSL_REDIRECT", default=True)
    SECURE_HSTS_SECONDS = _whole("DJANGO_SECURE_HSTS_SECONDS", 31_536_000)
    # Probes and scrapers speak plain HTTP from inside.
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    if env.bool("DJANGO_BEHIND_PROXY", default=False):
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- Logs: one line each, never a note, a message, a key or a query string ---------------------------------------
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
            "formatter": env.str("DJANGO_LOG_FORMAT", default="text" if DEBUG else "json"),
            "filters": ["no_query"],
        }
    },
    "root": {"handlers": ["console"], "level": env.str("DJANGO_LOG_LEVEL", default="WARNING")},
    "loggers": {
        name: {"handlers": ["console"], "level": "INFO", "propagate": False}
        for name in ("backoffice", "summarizer", "django.server", "uvicorn.access", "django_tasks_db")
    }
    # urllib3 logs the path and the query of every request at DEBUG, and with them secrets.
    | {name: {"handlers": ["console"], "level": "WARNING", "propagate": False} for name in ("django", "urllib3")},
}
