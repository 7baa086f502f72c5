"""Which of several places of one name is meant: the most populous that fits, and the customer is told which.

Open-Meteo's geocoding knows names alone, `Springfield` but not `Springfield, Illinois`; what stands after a comma is
matched here against the region and the country of what it found.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, FiniteFloat

from weatherbot.backends.regions import country_code, plain, state_called

MOST_NAMED = 3


class Place(BaseModel):
    name: str
    latitude: FiniteFloat
    longitude: FiniteFloat
    population: int | None = None
    admin1: str | None = None
    """Region or state."""
    admin2: str | None = None
    country: str | None = None
    country_code: str | None = None

    @property
    def full_name(self) -> str:
        parts = (self.name, self.admin1, self.country)
        return ", ".join(dict.fromkeys(part for part in parts if part))

    def lies_in(self, qualifier: str) -> bool:
        wanted = plain(qualifier)
        wider = {plain(part) for part in (self.admin1, self.admin2, self.country, self.country_code) if part}
        return not wider.isdisjoint({wanted, country_code(wanted), state_called(wanted, self.country_code)})


class Places(BaseModel):
    results: list[Place] = []
    """Left out where nothing is found."""


@dataclass(frozen=True, slots=True)
class Choice:
    place: Place
    note: str | None = None


def split_name(text: str) -> tuple[str, Sequence[str]]:
    """`Springfield, Illinois, US` -> `Springfield` and the rest."""
    name, *qualifiers = (part.strip() for part in text.split(","))
    return name or text, [part for part in qualifiers if part]


def chosen(found: Sequence[Place], name: str, qualifiers: Sequence[str]) -> Choice | str:
    """The place that is meant, or words for the model where there is none."""
    if not found:
        return f"No place called {name!r} is known. Check the spelling or name a larger place nearby."
    fitting = [place for place in found if all(map(place.lies_in, qualifiers))]
    if not fitting:
        return f"No {name!r} is known in {', '.join(qualifiers)!r}. There are: {_listed(found)}."
    namesakes = [place for place in fitting if plain(place.name) == plain(name)]
    candidates = namesakes or fitting
    best = max(candidates, key=lambda place: place.population or 0)
    if len(namesakes) < 2:
        return Choice(best)
    return Choice(best, f"Several places are called {best.name}; this is the most populous, {best.full_name}.")


def _listed(places: Sequence[Place]) -> str:
    return "; ".join(place.full_name for place in places[:MOST_NAMED])
