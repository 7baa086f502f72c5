"""Pages of a table that never stops growing: nobody counts a million rows to show fifty."""

from typing import Any

from django.core.paginator import Paginator
from django.utils.functional import cached_property


class BoundedPaginator(Paginator[Any]):
    """Counts no further than MOST rows, and offers no page beyond them: whoever looks for more uses a filter."""

    MOST = 10_000
    template_name = "backoffice/pagination.html"

    @cached_property
    def count(self) -> int:
        """At most MOST: the database stops there."""
        rows: Any = self.object_list
        return int(rows.order_by()[: self.MOST].count())

    @property
    def is_cut(self) -> bool:
        """Whether there are more rows than the pages show."""
        return self.count == self.MOST
