"""The groups of the desk at work: signed-in clients, and the words of a page."""

import re
from html import unescape
from importlib import import_module
from typing import Any

from django.apps import apps
from django.contrib.auth.models import Group, User
from django.test import Client

from backoffice.groups import AUDITORS, OPERATORS

GROUPS = {"operator": OPERATORS, "auditor": AUDITORS}


def make_person(name: str, role: str) -> User:
    """`role`: operator, auditor, staff (belongs to no group) or superuser."""
    if role == "superuser":
        return User.objects.create_superuser(name, password=name)
    user = User.objects.create_user(name, password=name, is_staff=True)
    if role in GROUPS:
        user.groups.add(group(GROUPS[role]))
    return user


def group(name: str) -> Group:
    """A group of the migrations; made anew where a test before emptied the tables."""
    if not Group.objects.filter(name=name).exists():
        import_module("summarizer.migrations.0004_groups").make_groups(apps, None)
        import_module("backoffice.audit.migrations.0002_auditors").let_people_look(apps, None)
        for app in ("weatherbot", "backoffice.evidencedesk"):
            import_module(f"{app}.migrations.0002_auditors").let_auditors_look(apps, None)
    return Group.objects.get(name=name)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def words(response: Any) -> str:
    """What a reader sees of a page, on one line."""
    html = re.sub(r"<(script|style|template)\b.*?</\1>", " ", response.content.decode(), flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def said(client: Client, response: Any) -> str:
    """The messages on the page a response leads to, or is."""
    page = client.get(response.headers["Location"]) if response.status_code == 302 else response
    return " ".join(unescape(re.sub(r"<[^>]+>", "", str(message))) for message in page.context["messages"])
