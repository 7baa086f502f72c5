"""Every example of docs/amounts.md is what the tool does."""

import re
from pathlib import Path

import pytest

from summarizer.amounts import ERROR_CODES, normalize_amount

PAGE = (Path(__file__).parents[3] / "docs" / "amounts.md").read_text(encoding="utf-8")
FLAGS = {
    "ambiguous_separator", "currency_assumed", "ambiguous_currency", "no_currency", "ambiguous_magnitude", "rounded",
    "credit", "debit",
}  # fmt: skip


def examples(heading: str) -> list[tuple[list[str], str]]:
    """The code words of each row's first cell with each example of its second."""
    section = PAGE.split(f"## {heading}")[1].split("\n## ")[0]
    rows = [row.strip("|").split(" | ") for row in section.splitlines() if row.startswith("|")]
    quoted = [(re.findall(r"`([^`]+)`", row[0]), re.findall(r"`([^`]+)`", row[1])) for row in rows[2:]]
    return [(words, example) for words, found in quoted for example in found]


@pytest.mark.parametrize(("_words", "example"), examples("Certain: an amount"))
def test_what_is_called_certain_is_an_amount(_words: list[str], example: str) -> None:
    assert "error" not in normalize_amount(example)


@pytest.mark.parametrize(("flags", "example"), examples("Certain enough, with a flag"))
def test_a_flag_stands_on_its_examples(flags: list[str], example: str) -> None:
    assert set(flags) & FLAGS & set(normalize_amount(example)["flags"])


@pytest.mark.parametrize(("codes", "example"), examples("Uncertain: an error"))
def test_an_error_is_that_of_its_examples(codes: list[str], example: str) -> None:
    assert normalize_amount(example)["error"] in codes


def test_every_code_and_flag_is_documented() -> None:
    assert {word for word in ERROR_CODES | FLAGS if f"`{word}`" not in PAGE} == set()
