from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class WeatherbotConfig(AppConfig):
    name = "weatherbot"
    verbose_name = _("Weatherbot")

    def ready(self) -> None:
        from weatherbot import checks  # noqa: F401, PLC0415 - registers the checks, as Django documents it
