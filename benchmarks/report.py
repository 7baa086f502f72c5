"""What a benchmark says: one line for every limit, for machines, and figures beside it, for people."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


def median_ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median of the ratios round by round: rounds take turns, so both halves of one met the same machine."""
    return statistics.median(our / their for our, their in zip(ours, theirs, strict=True))


@dataclass
class Report:
    slack: float = 1.0
    """A limit is passed by what is beyond so many times of it."""
    passed: list[str] = field(default_factory=list)
    """Names of the limits that were."""

    def ratio(self, name: str, value: float, limit: float) -> None:
        """Lower is better."""
        print(f"ratio {name} {value:.3f} {limit:g}", flush=True)
        if value > limit * self.slack:
            self.passed.append(name)

    def figure(self, name: str, value: float, unit: str) -> None:
        """For information: it means something on one machine only."""
        print(f"  {name}: {value:.4g} {unit}", flush=True)

    def say(self, text: str) -> None:
        print(text, flush=True)

    def table(self, title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """In Markdown, to be pasted into docs/performance.md."""
        print(f"\n{title}\n")
        for cells in (columns, ["---"] * len(columns), *rows):
            print("| " + " | ".join(map(str, cells)) + " |")
        print(flush=True)

    @property
    def status(self) -> int:
        for name in self.passed:
            print(f"passed its limit: {name}")
        return 1 if self.passed else 0
