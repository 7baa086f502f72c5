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
        (
            "Sie beträgt max. 12 EUR inkl. MwSt. je Brief. Danach nicht.",
            ["Sie beträgt max. 12 EUR inkl. MwSt. je Brief.", "Danach nicht."],
        ),
        ("Es sind 7 Mio. EUR. Oder 7 Mrd. Taka.", ["Es sind 7 Mio. EUR.", "Oder 7 Mrd. Taka."]),
        (
            "Ask Dr. Who, Mrs. J. R. Doe or Acme Inc. Berlin. Go.",
            ["Ask Dr. Who, Mrs. J. R. Doe or Acme Inc. Berlin.", "Go."],
        ),
        ("See Fig. 3, Vol. 2, Sept. 30. Now.", ["See Fig. 3, Vol. 2, Sept. 30. Now."]),
        ("Ask us. No. Wait 10 min. Go.", ["Ask us.", "No.", "Wait 10 min.", "Go."]),
        ("ড. করিম ৩০ দিন পান। মো. আলী না।", ["ড. করিম ৩০ দিন পান।", "মো. আলী না।"]),
        ("Within 300. Then 5 EUR.", ["Within 300.", "Then 5 EUR."]),
        ("Heading\n=======\n\nText.\n\nSecond\n---\nMore.", ["Text.", "More."]),
        ("Two\nlines.\n---\nMore.", ["Two lines.", "More."]),
        ("One.<!-- It was\n\n45 days. --> Two.", ["One.", "Two."]),
        (
            "See [the terms](https://example.org/45 'x'), ![logo](x.png) and [it][ref].\n\n[ref]: https://example.org/99",
            ["See the terms, logo and it."],
        ),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |\n\n* * *\n\n```\ncode\n```", ["| a | b |", "| 1 | 2 |", "code"]),
        (
            "*One* _two_ ***three*** ~~four~~ snake_case 5*3 <b>six</b>&nbsp;&amp; 30\\_000<br>end",
            ["One two three four snake_case 5*3 six & 30_000 end"],
        ),
        ("প্রথম বাক্য। দ্বিতীয় বাক্য।", ["প্রথম বাক্য।", "দ্বিতীয় বাক্য।"]),
        ('He said "Stop." Then left.', ['He said "Stop."', "Then left."]),
        ("第一句。第二句。", ["第一句。", "第二句。"]),
        ("", []),
        ("\n\n  \n", []),
    ],
)
def test_sentences_are_parted(markdown: str, parts: list[str]) -> None:
    assert list(sentences(markdown)) == parts
