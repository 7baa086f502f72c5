"""Several places have one name: the most populous that fits is meant, and the customer is told which."""

from typing import Any

import pytest

from tests.weatherbot.open_meteo import place
from weatherbot.backends.places import Choice, Place, chosen, split_name

US = {"country": "United States", "country_code": "US"}
SPRINGFIELDS = [
    place("Springfield", admin1="Illinois", population=116_250, **US),
    place("Springfield", admin1="Missouri", population=166_810, **US),
    place("Springfield", admin1="Massachusetts", population=154_341, **US),
    place("Springfield Gardens", admin1="New York", population=9_000_000, **US),
]
LONDONS = [
    place("London", admin1="Ontario", population=346_765, country="Canada", country_code="CA"),
    place("London", admin1="England", population=8_961_989, country="United Kingdom", country_code="GB"),
]
WASHINGTONS = [
    place("Washington", admin1="England", population=10_000_000, country="United Kingdom", country_code="GB"),
    place("Washington", admin1="District of Columbia", population=689_545, **US),
]


def _chosen(found: list[dict[str, Any]], text: str) -> Choice | str:
    name, qualifiers = split_name(text)
    return chosen([Place.model_validate(entry) for entry in found], name, qualifiers)


@pytest.mark.parametrize(
    ("found", "text", "full_name"),
    [
        (SPRINGFIELDS, "Springfield", "Springfield, Missouri, United States"),
        (SPRINGFIELDS, "springfield, illinois", "Springfield, Illinois, United States"),
        (SPRINGFIELDS, "Springfield, Massachusetts, USA", "Springfield, Massachusetts, United States"),
        (SPRINGFIELDS, "Springfield Gardens", "Springfield Gardens, New York, United States"),
        (SPRINGFIELDS, "Springfield, IL", "Springfield, Illinois, United States"),
        (SPRINGFIELDS, "springfield, ma, us", "Springfield, Massachusetts, United States"),
        (SPRINGFIELDS, "Springfield, IL, United States of America", "Springfield, Illinois, United States"),
        (SPRINGFIELDS, "Springfield, U.S.A.", "Springfield, Missouri, United States"),
        (SPRINGFIELDS, "Springfield, Vereinigte Staaten", "Springfield, Missouri, United States"),
        (SPRINGFIELDS, "Springfield, États-Unis", "Springfield, Missouri, United States"),
        (LONDONS, "London, ON", "London, Ontario, Canada"),
        (LONDONS, "London, Reino Unido", "London, England, United Kingdom"),
        (LONDONS, "London, Great Britain", "London, England, United Kingdom"),
        (WASHINGTONS, "Washington, D.C.", "Washington, District of Columbia, United States"),
        (WASHINGTONS, "Washington, DC", "Washington, District of Columbia, United States"),
        (
            [place("The Hague", country="The Netherlands", country_code="NL", admin1=None)],
            "The Hague, Netherlands",
            "The Hague, The Netherlands",
        ),
        (LONDONS, "London", "London, England, United Kingdom"),
        (LONDONS, "London, Canada", "London, Ontario, Canada"),
        (LONDONS, "London, UK", "London, England, United Kingdom"),
        ([place("Kraków", admin1="Lesser Poland", country="Poland")], "krakow", "Kraków, Lesser Poland, Poland"),
        ([place("Cologne", admin1="NRW", country="Germany")], "Köln", "Cologne, NRW, Germany"),
        ([place("Oslo")], "Oslo", "Oslo, Norway"),
        ([place("Bir", admin1=None, country=None, population=None)], "Bir", "Bir"),
    ],
)
def test_the_most_populous_that_fits_is_chosen(found: list[dict[str, Any]], text: str, full_name: str) -> None:
    choice = _chosen(found, text)
    assert isinstance(choice, Choice)
    assert choice.place.full_name == full_name


def test_the_customer_is_told_where_there_was_a_choice() -> None:
    choice = _chosen(SPRINGFIELDS, "Springfield")
    assert isinstance(choice, Choice)
    assert choice.note == (
        "Several places are called Springfield; this is the most populous, Springfield, Missouri, United States."
    )


@pytest.mark.parametrize("text", ["Springfield, Illinois", "Springfield Gardens"])
def test_nothing_is_said_where_there_was_none(text: str) -> None:
    choice = _chosen(SPRINGFIELDS, text)
    assert isinstance(choice, Choice)
    assert choice.note is None


@pytest.mark.parametrize("text", ["London, IL", "London, Illinois", "London, XX", "London, TX, Canada"])
def test_letters_of_a_state_of_another_country_are_no_region_of_it(text: str) -> None:
    assert isinstance(_chosen(LONDONS, text), str)


def test_a_place_that_is_nowhere_near_is_not_taken_for_it() -> None:
    words = _chosen(SPRINGFIELDS, "Springfield, Norway")
    assert isinstance(words, str)
    assert "'Norway'" in words
    assert "Springfield, Illinois, United States" in words


@pytest.mark.parametrize(
    ("text", "name", "qualifiers"),
    [("Oslo", "Oslo", []), ("Oslo , Norway,", "Oslo", ["Norway"]), (", Norway", ", Norway", ["Norway"])],
)
def test_a_name_stands_before_the_first_comma(text: str, name: str, qualifiers: list[str]) -> None:
    assert split_name(text) == (name, qualifiers)
