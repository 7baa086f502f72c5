"""What django-unfold says on the desk. It brings no translations, so its words stand here for `makemessages`."""

from django.utils.translation import gettext_noop as _

WORDS = (
    _("All applications"),
    _("Filters"),
    _("Apply Filters"),
    _("Clear all filters"),
    _("Reset filters"),
    _("Select action"),
    _("Select all rows"),
    _("Select record"),
    _("Clear selection"),
    _("Type to search"),
    _("Welcome back to"),
    _("Return to site"),
    _("Choose file to upload"),
    _("Select value"),
    _("Previous"),
    _("Next"),
    _("Go back"),
    _("Show all"),
    _("Light"),
    _("Dark"),
    _("System"),
    _("Toggle sorting"),
    _("Remove from sorting"),
)
