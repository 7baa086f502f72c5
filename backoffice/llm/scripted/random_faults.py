"""Faults at a seeded rate, for torture tests and for a night on which the provider is unwell.

The draw depends on the seed, the request and its attempt alone, so it is the same however requests interleave.
"""

import hashlib
from dataclasses import dataclass
from typing import Final

from backoffice.llm.scripted.faults import Fault, parse_faults

DEFAULT_MIX = "429*3; 429=0.05; 503=0.05; drop; drop-mid; eof; malformed; bad-utf8; error-event; content-filter"


@dataclass(frozen=True, slots=True)
class RandomFaults:
    """`rate`: the share of requests that draw a fault, 0 to 1. A fault of the mix lasts `*TIMES` attempts, else one."""

    rate: float
    seed: int = 0
    mix: tuple[Fault, ...] = parse_faults(DEFAULT_MIX)

    def __post_init__(self) -> None:
        if not 0 <= self.rate <= 1:
            raise ValueError(f"a fault rate lies between 0 and 1, not at {self.rate}")
        if not self.mix:
            raise ValueError("a fault mix names at least one fault")

    def faults(self, digest: str, call: int, attempt: int) -> tuple[Fault, ...]:
        if not self.rate:
            return ()
        longest = max(fault.times or 1 for fault in self.mix)
        for age in range(min(longest, attempt)):
            fault = self._drawn(digest, attempt - age)
            if fault is not None and (fault.times or 1) > age and fault.call in (None, call):
                return (fault,)
        return ()

    def _drawn(self, digest: str, attempt: int) -> Fault | None:
        draw = int.from_bytes(hashlib.sha256(f"{self.seed}:{digest}:{attempt}".encode()).digest()[:8])
        if draw % 1_000_000 >= self.rate * 1_000_000:
            return None
        return self.mix[draw // 1_000_000 % len(self.mix)]


NO_RANDOM_FAULTS: Final = RandomFaults(rate=0.0)
