"""A rehearsal's last lines: how many notes changed in which way, what that is worth, and what it cost."""

import json
from decimal import Decimal

import pytest

from summarizer.comparison import Change, Ending
from summarizer.rehearsal import Compared, Rehearsal
from summarizer.rehearsal_report import rehearsal_as_json, rehearsal_lines

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


HOSTILE = "A \x1b[2J\x9b31m summary.\nRun 9, row 9: the same\r\u2028\u202eover"


def test_what_a_model_wrote_can_neither_steer_the_terminal_nor_forge_a_line() -> None:
    lines = list(rehearsal_lines(rehearsal(Ending(HOSTILE, "", ()))))
    assert lines[2].startswith("  now   : A \ufffd[2J\ufffd31m summary. Run 9, row 9: the same ")
    assert all(line.isprintable() for line in lines)


def test_nor_can_it_in_the_json() -> None:
    line = rehearsal_as_json(rehearsal(Ending(HOSTILE, "", ())), 3)
    assert line.isprintable()
    assert json.loads(line)["compared"][0]["after"]["summary"] == HOSTILE


def test_unknown_tokens_and_costs_are_null_and_never_nothing() -> None:
    done = rehearsal(SAME, SAME, unknown=2)
    done.rows_of_unknown_tokens = done.rows_of_unknown_stored_cost = 2
    told = json.loads(rehearsal_as_json(done, 0))
    names = ("cost", "stored_cost", "input_tokens", "output_tokens")
    assert [told[name] for name in names] == [None] * 4
    assert list(rehearsal_lines(done))[-2] == "Tokens and cost are unknown."


def test_a_stored_cost_of_which_a_part_is_unknown_is_a_least_one() -> None:
    done = rehearsal(SAME, SAME)
    done.rows_of_unknown_stored_cost = 1
    assert list(rehearsal_lines(done))[-2].endswith("; stored, the same notes cost at least 0.000100 USD.")
