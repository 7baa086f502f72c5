"""Signals reach asynchronous work as a request to end, and whoever had the handlers before gets them back."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@contextmanager
def signals_caught(callback: Callable[[signal.Signals], Any], *, pass_on: bool = False) -> Iterator[None]:
    """Call back, on the running loop, for SIGTERM, SIGINT (Ctrl-C) and SIGHUP (the terminal is gone).

    Whoever started the process with SIGINT or SIGHUP ignored (`nohup`, a shell's `&`) wants it to go on: those two stay
    ignored then.

    `pass_on`: call the handler that was there before, too, so that the process around the work ends as it would.

    A loop can only watch signals on the main thread; elsewhere nothing is caught, since nothing would arrive.
    """
    loop = asyncio.get_running_loop()
    before: dict[signal.Signals, Any] = {}

    def caught(number: signal.Signals) -> None:
        callback(number)
        if pass_on and callable(before[number]):
            before[number](number, None)

    try:
        for number in ENDING:
            handler = signal.getsignal(number)
            if handler is signal.SIG_IGN and number is not signal.SIGTERM:
                continue
            before[number] = handler
            loop.add_signal_handler(number, caught, number)
    except (ValueError, RuntimeError):
        before.clear()
    try:
        yield
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)
