"""The operators' desk."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from summarizer.admin.drafts import ImportDraftAdmin
from summarizer.admin.failed import FailedRowAdmin
from summarizer.admin.outcomes import OutcomeAdmin
from summarizer.admin.review import RowToReviewAdmin
from summarizer.admin.runs import RunAdmin

admin.site.index_template = "summarizer/admin/home.html"
admin.site.index_title = _("Home")

__all__ = ["FailedRowAdmin", "ImportDraftAdmin", "OutcomeAdmin", "RowToReviewAdmin", "RunAdmin"]
