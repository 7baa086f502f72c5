"""A rehearsal's last lines: how many notes changed in which way, what that is worth, and what it cost."""

from decimal import Decimal

import pytest

from summarizer.comparison import Change, Ending
from summarizer.rehearsal import Compared, Rehearsal
from summarizer.rehearsal_report import rehearsal_lines

SAME = Ending("Paid 5 EUR.", "", ())


def rehearsal(*endings: Ending, other_prompts: int = 0, unknown: int = 0) -> Rehearsal:
    """Notes that said SAME and now end so."""
    compared = [
        Compared(1, row, Change.NONE if now == SAME else Change.OUTCOME, SAME, now) for row, now in enumerate(endings)
    ]
    done = Rehearsal("m2", len(endings), ("m1",), other_prompts, compared, 1_000, 20)
    done.cost, done.stored_cost, done.rows_of_unknown_cost = Decimal("0.0002"), Decimal("0.0001"), unknown
    return done


def test_notes_that_did_not_change_are_counted_and_not_shown() -> None:
    lines = list(rehearsal_lines(rehearsal(SAME, SAME)))
    assert lines[0] == "2 of 2 notes with m2, stored with m1:"
    assert lines[4] == "  2 the same"


def test_a_warning_stands_beside_its_summary() -> None:
    lines = list(rehearsal_lines(rehearsal(Ending("Paid 5 EUR.", "", ("truncated",)))))
    assert lines[1:3] == ["  stored: Paid 5 EUR.", "  now   : Paid 5 EUR. [truncated]"]


@pytest.mark.parametrize(("notes", "said"), [(0, False), (1, True)])
def test_notes_of_another_prompt_are_pointed_out(notes: int, said: bool) -> None:
    lines = "\n".join(rehearsal_lines(rehearsal(SAME, other_prompts=notes)))
    assert ("1 notes were summarised under another prompt" in lines) == said


@pytest.mark.parametrize(
    ("unknown", "words"),
    [
        (0, "0.000200 USD; stored, the same notes cost 0.000100 USD."),
        (1, "at least 0.000200 USD (1 rows of unknown cost)."),
        (2, "1,000 tokens in, 20 out, of unknown cost."),
    ],
)
def test_the_cost_is_as_certain_as_it_is(unknown: int, words: str) -> None:
    assert list(rehearsal_lines(rehearsal(SAME, SAME, unknown=unknown)))[-2].endswith(words)
