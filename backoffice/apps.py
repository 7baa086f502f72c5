from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class DeskConfig(AdminConfig):
    default_site = "backoffice.desk_site.DeskSite"


class BackofficeConfig(AppConfig):
    name = "backoffice"
    verbose_name = "Back office"

    def ready(self) -> None:
        from backoffice import checks  # noqa: F401, PLC0415 - registers the checks, as Django documents it
        from backoffice.api import schema  # noqa: F401, PLC0415 - registers the schemes, as drf-spectacular has it
        from backoffice.health import watching  # noqa: PLC0415 - it needs Django set up

        watching.start()
