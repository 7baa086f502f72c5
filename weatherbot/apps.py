from django.apps import AppConfig


class WeatherbotConfig(AppConfig):
    name = "weatherbot"

    def ready(self) -> None:
        from weatherbot import checks  # noqa: F401, PLC0415 - registers the checks, as Django documents it
