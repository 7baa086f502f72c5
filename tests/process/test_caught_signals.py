"""Signals become calls on the loop, and whoever had the handlers before gets them back."""

import asyncio
import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from backoffice.signals import ENDING, signals_caught


@pytest.fixture
def earlier() -> Iterator[list[int]]:
    """The signals that a handler received which was there before."""
    received: list[int] = []
    handlers = {number: signal.signal(number, lambda number, _: received.append(number)) for number in ENDING}
    yield received
    for number, handler in handlers.items():
        signal.signal(number, handler)


async def send(number: signal.Signals) -> None:
    os.kill(os.getpid(), number)
    await asyncio.sleep(0.01)


@pytest.mark.parametrize("number", ENDING)
@pytest.mark.parametrize("pass_on", [False, True])
async def test_a_signal_calls_back_and_is_passed_on_where_that_was_asked(
    earlier: list[int], number: signal.Signals, pass_on: bool
) -> None:
    received: list[int] = []
    with signals_caught(received.append, pass_on=pass_on):
        await send(number)
    assert received == [number]
    assert earlier == ([number] if pass_on else [])


@pytest.mark.parametrize("number", ENDING)
async def test_afterwards_the_earlier_handler_has_the_signals_again(earlier: list[int], number: signal.Signals) -> None:
    received: list[Any] = []
    with signals_caught(received.append):
        pass
    await send(number)
    assert (received, earlier) == ([], [number])


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT])
async def test_a_signal_that_was_ignored_before_stays_ignored(earlier: list[int], number: signal.Signals) -> None:
    """As `nohup` and a shell's `&` start a process that is to go on."""
    signal.signal(number, signal.SIG_IGN)
    received: list[Any] = []
    with signals_caught(received.append, pass_on=True):
        await send(number)
    assert signal.getsignal(number) is signal.SIG_IGN
    assert (received, earlier) == ([], [])


async def test_sigterm_is_caught_even_where_it_was_ignored(earlier: list[int]) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    received: list[Any] = []
    with signals_caught(received.append, pass_on=True):
        await send(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    assert received == [signal.SIGTERM]


def test_outside_the_main_thread_nothing_is_caught_and_nothing_breaks(earlier: list[int]) -> None:
    async def quiet() -> str:
        with signals_caught(lambda _: None):
            return "worked"

    handlers = [signal.getsignal(number) for number in ENDING]
    assert asyncio.run(asyncio.to_thread(asyncio.run, quiet())) == "worked"
    assert [signal.getsignal(number) for number in ENDING] == handlers
