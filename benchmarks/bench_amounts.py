"""How right and how fast amounts are read, beside price-parser, on the same texts in the same run.

    python -m benchmarks.bench_amounts

The texts are the public cases beside the checkout (`../shared/amounts/cases.jsonl`); without them a small sample stands
in, and the run says so. Each limit is also a line `ratio <name> <value> <limit>`, lower being better.
"""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

from price_parser import Price

from summarizer.amounts import normalize_amount
from summarizer.amounts.normalizing import _framed
from summarizer.amounts.unspaced import pieces
from summarizer.amounts.vocabulary import joined_symbol, term

CASES = Path(__file__).resolve().parents[2] / "shared" / "amounts" / "cases.jsonl"
SAMPLE = [
    ("6.543,20 EUR", "6543.20"), ("Invoice 88123: 1.200,50 EUR", "1200.50"), ("-€42", "-42"), ("$1.05 CAD", "1.05"),
    ("KWD 1.234", "1.234"), ("1’234.50 CHF", "1234.50"), ("Rs 1,20,000/-", "120000"), ("3,5 Mio. €", "3500000"),
    ("৫০০ টাকা", "500"), ("12.03.2024 99,90 zł", "99.90"), ("(1,234.56)", "-1234.56"), ("10-20 EUR", None),
    ("19 %", None),
]  # fmt: skip
ROUNDS = 5
ADVERSARIAL = [
    "1",
    "1,",
    "1 ",
    "$1",
    "(1)",
    "EUR ",
    "万",
    "1万",
    "1..",
    "and 15 ",
    "x 1",
    "1 000 ",
    "e\u0301\u0316",
    "US$",
]
LIMITS = {
    "not_right": 0.07,
    "wrong": 0.02,
    "suites_below": 0,
    "time": 2.0,
    "adversarial_seconds": 0.020,
    "growth": 8.0,
}


@dataclass
class Tally:
    """How many texts of a suite were read right and wrong."""

    texts: int = 0
    right: int = 0
    wrong: int = 0


@dataclass(frozen=True)
class Contestant:
    """A reader of amounts: `value` gives its answer to a text, or None; `call` is what is timed."""

    name: str
    value: Callable[[str], Decimal | None]
    call: Callable[[str], Any]
    tallies: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))


def our_value(text: str) -> Decimal | None:
    result = normalize_amount(text)
    return None if "error" in result else Decimal(result["amount"])


def cases() -> Iterator[tuple[str, str, str | None]]:
    """Suite, text and the amount its authors expect, None where there is none."""
    if not CASES.exists():
        yield from (("sample", text, amount) for text, amount in SAMPLE)
        return
    for line in CASES.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        yield case["suite"], case["text"], case["amount"]


def judge(contestant: Contestant, suite: str, text: str, expected: str | None) -> None:
    got = contestant.value(text)
    for name in (suite, "ALL"):
        tally = contestant.tallies[name]
        tally.texts += 1
        if got is None or expected is None:
            tally.right += got is None and expected is None
            tally.wrong += got is not None
            continue
        step = Decimal(1).scaleb(min(int(got.as_tuple().exponent), 0))
        right = got == Decimal(expected).quantize(step, ROUND_HALF_UP)
        tally.right += right
        tally.wrong += not right


def microseconds(call: Callable[[str], Any], texts: list[str]) -> float:
    """Processor time of one call over all the texts."""
    start = time.process_time()
    for text in texts:
        call(text)
    return (time.process_time() - start) / len(texts) * 1e6


def times(ours: Contestant, other: Contestant, texts: list[str]) -> tuple[float, float, float]:
    """Ours and the other's, the best of several rounds in turn, and ours with nothing remembered."""
    for memory in (_framed, term, joined_symbol, pieces):
        memory.cache_clear()
    first = microseconds(ours.call, texts)
    rounds = [(microseconds(ours.call, texts), microseconds(other.call, texts)) for _ in range(ROUNDS)]
    return min(mine for mine, _ in rounds), min(theirs for _, theirs in rounds), first


def seconds(text: str) -> float:
    return min(microseconds(normalize_amount, [text]) for _ in range(ROUNDS)) / 1e6


def report(ours: Contestant, other: Contestant) -> int:
    """Prints the scores; how many suites have the other ahead."""
    below = 0
    print(f"{'suite':24}{'texts':>7}{ours.name + ' right':>16}{'wrong':>7}{other.name + ' right':>20}{'wrong':>7}")
    for suite, mine in ours.tallies.items():
        theirs = other.tallies[suite]
        below += mine.right < theirs.right
        shares = [100 * count / mine.texts for count in (mine.right, mine.wrong, theirs.right, theirs.wrong)]
        print(f"{suite:24}{mine.texts:>7}{shares[0]:>16.1f}{shares[1]:>7.1f}{shares[2]:>20.1f}{shares[3]:>7.1f}")
    return below


def main() -> None:
    if not CASES.exists():
        print(f"{CASES} is not there: this is the small built-in sample, which says little about accuracy.")
    ours = Contestant("ours", our_value, normalize_amount)
    other = Contestant("price-parser", lambda text: Price.fromstring(text).amount, Price.fromstring)
    all_cases = list(cases())
    for case in all_cases:
        judge(ours, *case)
        judge(other, *case)
    below = report(ours, other)
    mine, theirs, first = times(ours, other, [text for _, text, _ in all_cases])
    print(f"time per call: ours {mine:.1f} us ({first:.1f} us with nothing remembered), price-parser {theirs:.1f} us")
    slowest = max(seconds((piece * 4000)[:4000]) for piece in ADVERSARIAL)
    growth = max(seconds((p * 4000)[:4000]) / max(seconds((p * 1000)[:1000]), 5e-4) for p in ADVERSARIAL)
    print(
        f"4,000 adversarial characters: {1000 * slowest:.1f} ms; four times the text takes {growth:.1f} times as long"
    )
    whole = ours.tallies["ALL"]
    print_ratios(
        {
            "not_right": 1 - whole.right / whole.texts,
            "wrong": whole.wrong / whole.texts,
            "suites_below": below,
            "time": mine / theirs,
            "adversarial_seconds": slowest,
            "growth": growth,
        }
    )


def print_ratios(values: Mapping[str, float]) -> None:
    for name, value in values.items():
        print(f"ratio amounts_{name} {value:.4f} {LIMITS[name]}")


if __name__ == "__main__":
    main()
