"""What every backend is asked and what it answers, so that the model sees one shape wherever the weather comes from."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol

Units = Literal["celsius", "fahrenheit"]

TOO_SLOW = "The weather service is too slow at the moment. Try again later."


class LookupFailed(Exception):
    """There is no weather to tell; the message says why, in words that a model can relay to a customer."""


@dataclass(frozen=True, slots=True)
class Query:
    location: str
    """The customer's words; whitespace at the ends and repeated inside means nothing."""
    units: Units
    days: int
    """1 to 7, today included."""

    @property
    def place(self) -> str:
        """Raises LookupFailed where nothing is named."""
        place = " ".join(self.location.split())
        if not place:
            raise LookupFailed("The location is blank. Name a place.")
        return place


@dataclass(frozen=True, slots=True)
class Day:
    date: str
    """ISO 8601, or a word such as `tomorrow`."""
    condition: str
    high: int
    """In the units asked for, as is `low`."""
    low: int
    rain_chance_percent: int | None


@dataclass(frozen=True, slots=True)
class Report:
    location: str
    """The place that was meant, with region and country where they are known."""
    units: Units
    temperature: int
    """Now, in those units."""
    condition: str
    """Now."""
    forecast: Sequence[Day]
    note: str | None = None
    """What the customer should be told about how the place was chosen."""

    def as_result(self) -> dict[str, Any]:
        """Plain JSON; what is unknown is left out."""
        result = _known(asdict(self))
        result["forecast"] = [_known(day) for day in result["forecast"]]
        return result


def _known(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


class Backend(Protocol):
    async def weather(self, query: Query) -> Mapping[str, Any]:
        """A report as plain JSON, or `{"error": …}` for a place that nobody knows. Raises LookupFailed."""
        ...
