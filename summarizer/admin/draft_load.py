"""What queueing an import comes to: with the rows that were summarised before or are queued already, and without them.

The page has both and its style shows the one that goes with the tick, so it is right without a script.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString

from backoffice.llm.client import ModelConfig, model_config
from backoffice.llm.failures import NotConfigured
from summarizer import drafts
from summarizer.admin import wording
from summarizer.costing import most_cost
from summarizer.importing import Note
from summarizer.schemas import MAX_ROWS


@dataclass(frozen=True, slots=True)
class Figures:
    """Of the rows that would be queued."""

    count: int
    rows: str
    runs: str
    cost: str


@dataclass(frozen=True, slots=True)
class Load:
    of_all: Figures
    of_new: Figures
    """Without the rows that were summarised before or are queued already."""
    summarised: int
    """Rows that were summarised before."""
    queued: int
    """Rows that are queued already or being worked on."""
    config: ModelConfig | None
    problem: str
    """Why there is no configuration."""

    @property
    def known(self) -> int:
        return self.summarised + self.queued

    @property
    def rows(self) -> SafeString | str:
        return self.either("rows")

    def either(self, figure: str) -> SafeString | str:
        """One of the figures in both versions, where they differ."""
        new, every = getattr(self.of_new, figure), getattr(self.of_all, figure)
        if not self.known:
            return str(every)
        html = '<span class="desk-if-new">{}</span> <span class="desk-if-all">{}</span>'
        return format_html(html, new, every)


def load_of(notes: Sequence[Note]) -> Load:
    try:
        config = model_config()
    except NotConfigured as error:
        figures = _figures(notes, None)
        return Load(figures, figures, 0, 0, None, error.failure.detail)
    known = drafts.known_among(notes, config)
    counts = len(known.summarised), len(known.waiting)
    return Load(_figures(notes, config), _figures(known.new, config), *counts, config, "")


def _figures(notes: Sequence[Note], config: ModelConfig | None) -> Figures:
    cost = "" if config is None else wording.at_most(most_cost((note.text for note in notes), config.model))
    runs = -(-len(notes) // MAX_ROWS)
    return Figures(len(notes), wording.rows(len(notes)), wording.number(runs), cost)
