"""How admin looks and what its side bar offers: the settings of django-unfold."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse_lazy
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


def _may(permission: str) -> Callable[[HttpRequest], bool]:
    return lambda request: request.user.has_perm(permission)


def _item(title: str | Promise, icon: str, model: str, permission: str) -> dict[str, Any]:
    """A link of the side bar to the list of a model, given as `app_model`."""
    return {
        "title": title,
        "icon": icon,
        "link": reverse_lazy(f"admin:{model}_changelist"),
        "permission": _may(permission),
    }


def environment(_request: HttpRequest) -> tuple[str, str] | None:
    """The label beside the title: whoever looks must know that no real model answers."""
    return (gettext("Scripted model"), "warning") if settings.LLM_PROVIDER == "scripted" else None


_TASKS = "django_tasks_database"
_DESK = [
    {"title": _("Home"), "icon": "home", "link": reverse_lazy("admin:index")},
    _item(_("Import notes"), "upload_file", "summarizer_importdraft", "summarizer.view_importdraft"),
    _item(_("Runs"), "play_circle", "summarizer_run", "summarizer.view_run"),
    _item(_("Failed rows"), "error", "summarizer_failedrow", "summarizer.view_outcome"),
    _item(_("Review"), "rate_review", "summarizer_rowtoreview", "summarizer.view_review"),
    _item(_("All rows"), "table_rows", "summarizer_outcome", "summarizer.view_outcome"),
]
_HOUSE = [
    _item(_("Weather chats"), "partly_cloudy_day", "weatherbot_chat", "weatherbot.view_chat"),
    _item(_("Answers"), "fact_check", "evidencedesk_answer", "evidencedesk.view_answer"),
    _item(_("Kept totals"), "functions", "audit_dailyaggregate", "audit.view_dailyaggregate"),
    _item(_("Log"), "history", "admin_logentry", "admin.view_logentry"),
    _item(_("API tokens"), "key", "knox_authtoken", "knox.view_authtoken"),
    _item(_("Background tasks"), "pending_actions", f"{_TASKS}_dbtaskresult", f"{_TASKS}.view_dbtaskresult"),
    _item(_("Users"), "person", "auth_user", "auth.view_user"),
    _item(_("Groups"), "group", "auth_group", "auth.view_group"),
]

UNFOLD = {
    "SITE_TITLE": _("Back office"),
    "SITE_HEADER": _("Back office"),
    "SITE_SYMBOL": "receipt_long",
    "SITE_URL": None,
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda _request: static("backoffice/favicon.svg")},
    ],
    "SHOW_LANGUAGES": True,
    "SHOW_BACK_BUTTON": True,
    "ENVIRONMENT": "backoffice.admin_look.environment",
    "DASHBOARD_CALLBACK": "summarizer.admin.home.dashboard",
    "STYLES": [lambda _request: static("backoffice/desk.css")],
    "SCRIPTS": [lambda _request: static("backoffice/desk.js")],
    "COLORS": {
        "primary": {
            "50": "oklch(97% .014 254.604)",
            "100": "oklch(93.2% .032 255.585)",
            "200": "oklch(88.2% .059 254.128)",
            "300": "oklch(80.9% .105 251.813)",
            "400": "oklch(70.7% .165 254.624)",
            "500": "oklch(62.3% .214 259.815)",
            "600": "oklch(54.6% .245 262.881)",
            "700": "oklch(48.8% .243 264.376)",
            "800": "oklch(42.4% .199 265.638)",
            "900": "oklch(37.9% .146 265.522)",
            "950": "oklch(28.2% .091 267.935)",
        }
    },
    "SIDEBAR": {
        "show_all_applications": False,  # all of them stand below, by names of ours
        "navigation": [
            {"title": _("Operators' desk"), "items": _DESK},
            {"title": _("Administration"), "separator": True, "collapsible": True, "items": _HOUSE},
        ],
    },
}
