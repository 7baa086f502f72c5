from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class AuditConfig(AppConfig):
    name = "backoffice.audit"
    verbose_name = "Audit"

    def ready(self) -> None:
        autodiscover_modules("retention")
