"""Groups of people that come with the migrations: who belongs to one is for the admin of the house to say.

A migration names the permissions; this makes them, since Django makes its own only after every migration has run.
"""

from collections.abc import Iterable
from typing import Any

OPERATORS = "Finance operators"
AUDITORS = "Auditors"


def grant(apps: Any, group: str, permissions: Iterable[str]) -> None:
    """Give a group these permissions, each as `app.model.codename`. `apps` is the registry a migration gets."""
    made, _new = apps.get_model("auth", "Group").objects.get_or_create(name=group)
    for permission in permissions:
        made.permissions.add(_permission(apps, *permission.split(".")))


def _permission(apps: Any, app: str, model: str, codename: str) -> Any:
    content_type, _new = apps.get_model("contenttypes", "ContentType").objects.get_or_create(app_label=app, model=model)
    permissions = apps.get_model("auth", "Permission").objects
    name = f"Can {codename.replace('_', ' ')}"
    return permissions.get_or_create(content_type=content_type, codename=codename, defaults={"name": name})[0]
