"""The generated tables are what the installed packages give, and the typed ones fit to them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from summarizer.amounts import habits
from summarizer.amounts.generate.__main__ import main
from summarizer.amounts.generate.names import unit_words
from summarizer.amounts.tables import DATA_FILE, EXPONENTS
from summarizer.amounts.unspaced import pieces
from summarizer.amounts.vocabulary import UNKNOWN, joined_symbol, term


def test_the_generated_file_is_up_to_date_with_babel_and_iso_4217(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["generate", "--check"])
    assert main() == 0, capsys.readouterr().out


def test_the_check_names_a_file_that_is_out_of_date(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    stale = tmp_path / "vocabulary.json"
    stale.write_text("{}", encoding="utf-8")
    monkeypatch.setattr("summarizer.amounts.generate.__main__.DATA_FILE", stale)
    monkeypatch.setattr("summarizer.amounts.generate.__main__._text", lambda: "new")
    monkeypatch.setattr(sys, "argv", ["generate", "--check"])
    assert main() == 1
    assert f"{stale} is out of date" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["generate"])
    assert main() == 0
    assert stale.read_text(encoding="utf-8") == "new"


def test_reading_amounts_imports_neither_babel_nor_iso4217() -> None:
    use = "import sys; from summarizer.amounts import normalize_amount; normalize_amount('6 EUR')"
    script = f"{use}; print({{'babel', 'iso4217'}} & set(sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=DATA_FILE.parents[2], capture_output=True, text=True, check=True
    )
    assert run.stdout == "set()\n"


@pytest.mark.parametrize(
    "table", [habits.SYMBOLS, habits.MINOR_UNITS, habits.MAGNITUDES, habits.QUALIFIERS, habits.ROLES]
)
def test_every_typed_line_has_a_reason(table: tuple[object, ...]) -> None:
    assert all(len(line.reason) > 4 for line in table)  # type: ignore[attr-defined]


def test_every_typed_code_is_one_of_iso_4217() -> None:
    codes = " ".join(f"{line.codes} {line.preferred}" for line in habits.SYMBOLS)
    codes += " " + " ".join(line.codes for line in (*habits.MINOR_UNITS, *habits.QUALIFIERS))
    withdrawn = {"HRK", "BGN", "LTL", "ITL"}
    assert set(codes.split()) <= set(EXPONENTS) | withdrawn


@pytest.mark.parametrize(
    ("word", "codes"),
    [("dollar", {"USD", "CAD"}), ("dollars", {"USD"}), ("złotych", {"PLN"}), ("korun", {"CZK"}), ("taka", {"BDT"})],
)
def test_units_are_found_in_the_names_of_currencies(word: str, codes: set[str]) -> None:
    mark = term(word).mark
    assert mark is not None
    assert codes <= mark.codes


@pytest.mark.parametrize(("word", "code"), [("Canadian", "CAD"), ("kanadische", "CAD"), ("schweizer", "CHF")])
def test_qualifiers_are_found_before_the_unit(word: str, code: str) -> None:
    assert code in term(word).before


@pytest.mark.parametrize(("word", "code"), [("canadiens", "CAD"), ("suisse", "CHF"), ("argentinos", "ARS")])
def test_qualifiers_are_found_behind_the_unit(word: str, code: str) -> None:
    assert code in term(word).after


def test_a_languages_unit_word_is_told_from_its_qualifiers() -> None:
    words = unit_words()
    assert "CAD" in words.units["dollar"]
    assert "canadian" in words.before
    assert not words.units["canadian"] & {"USD", "AUD"}


@pytest.mark.parametrize(
    ("written", "power"), [("Mio.", 6), ("mil.", 6), ("mil", 3), ("lakh", 5), ("тыс.", 3), ("ล้าน", 6)]
)
def test_magnitudes_come_from_the_compact_formats(written: str, power: int) -> None:
    assert term(written).uses[0].power == power


@pytest.mark.parametrize("word", ["", "xyzzy", "x" * 65, "1"])
def test_an_unknown_word_means_nothing(word: str) -> None:
    assert term(word) == UNKNOWN


@pytest.mark.parametrize(
    ("written", "known"), [("US $", True), ("us $", True), ("a $", False), ("A$", True), ("F CFA", True)]
)
def test_a_symbol_set_apart_is_known_unless_it_is_two_common_characters(written: str, known: bool) -> None:
    assert (joined_symbol(written) is not None) is known


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("亿元", ("亿", "元")),
        ("달러입니다", ("달러", "입니다")),
        ("公元", ("公元",)),
        ("共计人民币", ("共计", "人民币")),
    ],
)
def test_words_without_spaces_are_cut_at_the_words_that_are_known(word: str, parts: tuple[str, ...]) -> None:
    assert pieces(word) == parts


def test_no_section_of_the_generated_file_is_empty() -> None:
    lines = DATA_FILE.read_text(encoding="utf-8").splitlines()
    sections = [line for line in lines if line not in ("{", "}")]
    assert len(sections) > 5
    assert [line[:40] for line in sections if not re.match(r'"\w+": (\{"|\[")', line)] == []
