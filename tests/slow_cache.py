"""A cache of another process, which answers when the test lets it."""

import threading
from typing import Any

from django.core.cache.backends.locmem import LocMemCache

BACKEND = f"{__name__}.SlowCache"


class SlowCache(LocMemCache):
    asked, answers = threading.Event(), threading.Event()

    def get(self, *arguments: Any, **options: Any) -> Any:
        self.asked.set()
        assert self.answers.wait(5), "the event loop stood still"
        return super().get(*arguments, **options)
