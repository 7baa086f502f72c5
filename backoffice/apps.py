from django.apps import AppConfig


class BackofficeConfig(AppConfig):
    name = "backoffice"
    verbose_name = "Back office"

    def ready(self) -> None:
        from backoffice import checks  # noqa: F401, PLC0415 - registers the checks, as Django documents it
        from backoffice.api import schema  # noqa: F401, PLC0415 - registers the schemes, as drf-spectacular has it
        from backoffice.health import watching  # noqa: PLC0415 - it needs Django set up

        watching.start()
