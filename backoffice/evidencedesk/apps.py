from django.apps import AppConfig


class EvidenceDeskConfig(AppConfig):
    name = "backoffice.evidencedesk"
    verbose_name = "Evidence desk"

    def ready(self) -> None:
        from backoffice.evidencedesk import system_checks  # noqa: F401, PLC0415 - registers them, as Django documents it
