from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EvidenceDeskConfig(AppConfig):
    name = "backoffice.evidencedesk"
    verbose_name = _("Evidence desk")

    def ready(self) -> None:
        from backoffice.evidencedesk import system_checks  # noqa: F401, PLC0415 - registers them, as Django documents it
