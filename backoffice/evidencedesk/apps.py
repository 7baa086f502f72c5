from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EvidenceDeskConfig(AppConfig):
    name = "backoffice.evidencedesk"
    verbose_name = _("Evidence desk")
