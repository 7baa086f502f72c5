"""An event loop whose clock jumps to the next timer instead of waiting for it: limits of minutes, tested in no time.

It fits code that waits for timers and for other coroutines of the same loop, not for sockets.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _JumpingSelector(selectors.DefaultSelector):  # type: ignore[misc,valid-type]
    def __init__(self) -> None:
        super().__init__()
        self.skipped = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        ready: list[Any] = super().select(0)
        if not ready:
            assert timeout is not None, "nothing is left that could wake the loop"
            self.skipped += timeout
        return ready


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """Its clock starts at 0 and moves only by what was slept."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.skipped

    def run_in_executor(self, executor: Any, function: Callable[..., T], *args: Any) -> asyncio.Future[T]:  # type: ignore[override]
        """At once: no clock would move while a thread works."""
        future: asyncio.Future[T] = self.create_future()
        future.set_result(function(*args))
        return future


def run_in_virtual_time(work: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(work)
