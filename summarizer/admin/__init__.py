"""The operators' desk."""

from summarizer.admin.outcomes import OutcomeAdmin
from summarizer.admin.runs import RunAdmin

__all__ = ["OutcomeAdmin", "RunAdmin"]
