"""The scores on the test suites of other projects, where their cases lie beside the checkout."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SCORE = ROOT.parent / "shared" / "amounts" / "score.py"

pytestmark = pytest.mark.skipif(not SCORE.exists(), reason=f"the public cases are not beside the checkout ({SCORE})")


@pytest.fixture(scope="module")
def scores() -> dict[str, tuple[float, float]]:
    """Right and wrong of each suite, in percent."""
    command = [sys.executable, str(SCORE)]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in output.splitlines()[1:]]
    return {row[0]: (float(row[2]), float(row[4])) for row in rows}


def test_nearly_all_cases_are_right_and_hardly_any_wrong(scores: dict[str, tuple[float, float]]) -> None:
    right, wrong = scores["ALL"]
    assert right >= 97.5
    assert wrong <= 0.6


@pytest.mark.parametrize(
    ("suite", "least"),
    [
        ("price_parser", 99.0),
        ("icu_currency", 97.0),
        ("icu_code", 97.0),
        ("icu_name", 97.0),
        ("icu_compact", 97.0),
        ("price_parser_xfail", 98.5),
        ("money_parser", 91.3),
        ("duckling", 88.0),
    ],
)
def test_each_large_suite_is_right(scores: dict[str, tuple[float, float]], suite: str, least: float) -> None:
    assert scores[suite][0] >= least
