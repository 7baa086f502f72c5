from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SummarizerConfig(AppConfig):
    name = "summarizer"
    verbose_name = _("Summarizer")
