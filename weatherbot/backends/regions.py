"""How people and models write where a place lies: countries in several languages, states by their two letters."""

import unicodedata
from functools import cache

from babel import Locale

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "da", "nb", "fi", "cs")
"""Those whose names of countries are known, as Unicode's CLDR has them."""
_OTHER_NAMES = {
    "usa": "us", "america": "us", "united states of america": "us", "uk": "gb", "great britain": "gb", "holland": "nl",
    "turkey": "tr", "czech republic": "cz", "ivory coast": "ci", "uae": "ae",
}  # fmt: skip
"""What CLDR has under another name."""
_STATES = {
    "us": """
        AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware,
        DC District of Columbia, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa,
        KS Kansas, KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota,
        MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey,
        NM New Mexico, NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon,
        PA Pennsylvania, RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah,
        VT Vermont, VA Virginia, WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming
    """,
    "ca": """
        AB Alberta, BC British Columbia, MB Manitoba, NB New Brunswick, NL Newfoundland and Labrador, NS Nova Scotia,
        NT Northwest Territories, NU Nunavut, ON Ontario, PE Prince Edward Island, QC Quebec, SK Saskatchewan, YT Yukon
    """,
}
"""By country, as its post office abbreviates them (ISO 3166-2)."""


def plain(text: str) -> str:
    """Without case, accents and dots: `Kraków` is asked for as `krakow`, and `D.C.` is `dc`."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(letter for letter in decomposed if not unicodedata.combining(letter) and letter != ".")
    return kept.strip().removeprefix("the ")


def country_code(name: str) -> str | None:
    """Of a plain name; two letters of ISO 3166-1, in lower case."""
    return _countries().get(name)


def state_called(abbreviation: str, country: str | None) -> str | None:
    """The plain name of a state or province of that country."""
    return _states().get(((country or "").lower(), abbreviation))


@cache
def _countries() -> dict[str, str]:
    names = {
        plain(name): code.lower()
        for language in LANGUAGES
        for code, name in Locale(language).territories.items()
        if len(code) == 2
    }
    return names | _OTHER_NAMES


@cache
def _states() -> dict[tuple[str, str], str]:
    entries = ((country, entry.split(maxsplit=1)) for country, listed in _STATES.items() for entry in listed.split(","))
    return {(country, plain(letters)): plain(name) for country, (letters, name) in entries}
