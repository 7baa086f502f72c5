"""Each operator reads admin in their language, with dates, numbers and times as they write them."""

import gettext
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import translation

from backoffice.admin_pages import zone_of
from summarizer.admin import wording
from tests.admin.night import ended, failure, summary
from tests.admin.staff import words

GERMAN = Path(settings.BASE_DIR) / "locale" / "de" / "LC_MESSAGES"


def entries() -> list[tuple[str, str, bool]]:
    """Message, translation, and whether it is marked fuzzy, of every entry of the German catalogue."""
    found = []
    for block in (GERMAN / "django.po").read_text().split("\n\n")[1:]:
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        text = "\n".join(lines)
        original, *translated = re.split(r"^msgstr(?:\[\d\])? ", text, flags=re.MULTILINE)
        joined = ["".join(re.findall(r'"(.*)"', part)) for part in translated]
        found.append(("".join(re.findall(r'"(.*)"', original)), min(joined, key=len, default=""), "#, fuzzy" in block))
    return [entry for entry in found if entry[0]]


def test_every_string_has_a_german_translation() -> None:
    assert [original for original, german, fuzzy in entries() if fuzzy or not german] == []


def test_placeholders_are_the_same_in_german() -> None:
    assert [
        original
        for original, german, _fuzzy in entries()
        if not set(re.findall(r"%\(\w+\)s", german)) <= set(re.findall(r"%\(\w+\)s", original))
    ] == []


def test_the_compiled_catalogue_is_that_of_the_text() -> None:
    with (GERMAN / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    simple = [(original, german) for original, german, _fuzzy in entries() if "\\" not in original + german]
    once = [(original, german) for original, german in simple if original in compiled._catalog]
    assert len(once) > 100
    assert [original for original, german in once if compiled.gettext(original) != german] == []


def test_a_german_browser_gets_german_pages(desk: Client) -> None:
    ended(summary(), failure())
    page = words(desk.get(reverse("admin:index"), headers={"accept-language": "de"}))
    assert "1 Zeile" in page or "Zeilen zusammengefasst" in page
    assert "Das Modell hat nicht rechtzeitig geantwortet." in page


def test_the_language_is_chosen_in_the_menu_and_kept(desk: Client) -> None:
    chosen = desk.post(reverse("set_language"), {"language": "de", "next": "/admin/"})
    assert chosen.headers["Location"] == "/admin/"
    assert "Letzte Nacht und heute" in words(desk.get("/admin/"))


def test_outside_admin_the_language_stays_the_projects(db: None) -> None:
    Client().get("/admin/login/", headers={"accept-language": "de"})
    assert translation.get_language() == settings.LANGUAGE_CODE


def test_times_are_in_the_browsers_zone(desk: Client) -> None:
    [row] = ended(summary())
    assert row.finished_at is not None
    desk.cookies["timezone"] = "Pacific/Auckland"
    there = row.finished_at.astimezone(ZoneInfo("Pacific/Auckland"))
    page = words(desk.get(reverse("admin:summarizer_outcome_change", args=[row.pk])))
    assert f"{there:%d/%m/%Y %H:%M}" in page


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../etc/passwd", "/etc/localtime", "a" * 5000, "\0"])
def test_a_zone_nobody_knows_is_the_projects_own(name: str, rf: RequestFactory) -> None:
    request = rf.get("/admin/")
    request.COOKIES["timezone"] = name
    assert zone_of(request) is None


@pytest.mark.parametrize(
    ("language", "shown"), [("en-gb", "01/12/2026 19:42"), ("de", "01.12.2026 19:42")], ids=["English", "German"]
)
def test_dates_are_written_as_people_write_them(language: str, shown: str) -> None:
    with translation.override(language):
        assert wording.moment(datetime(2026, 12, 1, 19, 42, tzinfo=UTC)) == shown


@pytest.mark.parametrize(("language", "shown"), [("en-gb", "1,234.50 USD"), ("de", "1.234,50 USD")])
def test_money_is_written_as_people_write_it(language: str, shown: str) -> None:
    with translation.override(language):
        assert wording.money(Decimal("1234.5")) == shown
        assert wording.money(None) != wording.money(Decimal(0))


SUMS = {"0": "0.00 USD", "0.000862": "0.0009 USD", "0.0000573": "0.00005730 USD", "2.346": "2.35 USD"}


@pytest.mark.parametrize(("amount", "shown"), SUMS.items())
def test_a_small_sum_is_shown_with_the_decimals_it_needs(amount: str, shown: str) -> None:
    assert wording.money(Decimal(amount)) == shown


@pytest.mark.parametrize(("seconds", "shown"), [(0, "0 s"), (59.9, "59 s"), (61, "1 min 1 s"), (7322, "2 h 2 min")])
def test_a_time_span_is_told_in_the_units_it_needs(seconds: float, shown: str) -> None:
    assert wording.duration(timedelta(seconds=seconds).total_seconds()) == shown
