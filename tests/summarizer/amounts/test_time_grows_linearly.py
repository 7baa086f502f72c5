"""Texts made to be slow are read in a time that grows with their length."""

import time

import pytest

from summarizer.amounts import normalize_amount
from summarizer.numbers import unsupported_numbers

HOSTILE = [
    "1", "1,", "1 ", "$", "1$", "(1)", "1a", "EUR ", "1 EUR ", "e\u0301\u0316", "万", "1万", "달러", "1..", "'1", "1-",
    "of 1 ", "and 15 ", "x 1", "dollars and 15 ", "1 000 ", "US$", "&amp;", "ฟรังก์", "½", "1 M ", "-", "a.", "12 ",
    "1. ", "7 May ", "Nr. 1 200 ", "DE75 5121 ", "DE75512108001245126199 ", "%1 ", "1 to ", "1_", "a.1", "2031. ",
]  # fmt: skip


def seconds(text: str) -> float:
    """The processor time of one reading, the best of five."""
    times = []
    for _ in range(5):
        start = time.process_time()
        normalize_amount(text)
        unsupported_numbers(text, text, [])
        times.append(time.process_time() - start)
    return min(times)


@pytest.mark.parametrize("piece", HOSTILE)
def test_four_times_the_text_takes_far_less_than_sixteen_times_the_time(piece: str) -> None:
    quarter, whole = seconds((piece * 1000)[:1000]), seconds((piece * 4000)[:4000])
    assert whole < 9 * max(quarter, 0.002), (quarter, whole)
