"""Markdown is parted into the sentences that a reader would point at."""

import pytest

from backoffice.evidencedesk.sentences import sentences


@pytest.mark.parametrize(
    ("markdown", "parts"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("One line\nwraps here. Two.", ["One line wraps here.", "Two."]),
        ("One.\n\nTwo without a stop", ["One.", "Two without a stop"]),
        ("# Heading\n\nText.", ["Text."]),
        ("# Only a heading", []),
        ("# Heading\nText.", ["Text."]),
        ("- first\n- second. Third.\n* fourth", ["first", "second.", "Third.", "fourth"]),
        ("1. first\n2) second", ["first", "second"]),
        ("| a | b |\n| 1 | 2 |", ["| a | b |", "| 1 | 2 |"]),
        ("> quoted. Text.", ["quoted.", "Text."]),
        ("**Bold** and `code`.", ["Bold and code."]),
        ("See No. 4. Then z. B. Nr. 7 applies.", ["See No. 4. Then z. B. Nr. 7 applies."]),
        ("Am 1. Januar gilt es. Danach nicht.", ["Am 1. Januar gilt es.", "Danach nicht."]),
        ("Up to 1.5 EUR. Above, i.e. from 2 EUR, not.", ["Up to 1.5 EUR.", "Above, i.e. from 2 EUR, not."]),
        ("প্রথম বাক্য। দ্বিতীয় বাক্য।", ["প্রথম বাক্য।", "দ্বিতীয় বাক্য।"]),
        ('He said "Stop." Then left.', ['He said "Stop."', "Then left."]),
        ("第一句。第二句。", ["第一句。", "第二句。"]),
        ("", []),
        ("\n\n  \n", []),
    ],
)
def test_sentences_are_parted(markdown: str, parts: list[str]) -> None:
    assert list(sentences(markdown)) == parts
