"""The scripted model plays the chat's part over the mock weather, so that everything can be tried without a key."""

import pytest

from backoffice.database import in_database
from tests.weatherbot.conftest import Customer, Weather
from weatherbot.backends.reports import Query
from weatherbot.models import Chat


@pytest.mark.parametrize(
    ("message", "queries"),
    [
        ("What is the weather in Oslo?", [Query("Oslo", "celsius", 1)]),
        ("what's the weather in oslo?", [Query("Oslo", "celsius", 1)]),
        ("Compare Lisbon and Kraków for 3 days", [Query("Lisbon", "celsius", 3), Query("Kraków", "celsius", 3)]),
        ("Will it be hot in New York tomorrow, in Fahrenheit?", [Query("New York", "fahrenheit", 2)]),
        ("Wie wird das Wetter in Köln diese Woche?", [Query("Köln", "celsius", 7)]),
    ],
)
async def test_places_units_and_days_are_looked_up_as_asked(
    customer: Customer, weather: Weather, message: str, queries: list[Query]
) -> None:
    answer = await customer.answer(message)
    assert weather.lookups == queries
    assert all(query.location in answer for query in queries)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("Will it rain tomorrow?", "Which place"),
        ("what is the weather in the morning?", "Which place"),
        ("Write me a poem about money", "only help with the weather"),
    ],
)
async def test_without_a_place_or_a_topic_nothing_is_looked_up(
    customer: Customer, weather: Weather, message: str, words: str
) -> None:
    assert words in await customer.answer(message)
    assert weather.lookups == []


async def test_the_answer_tells_what_the_result_told(customer: Customer) -> None:
    answer = await customer.answer("Weather in Oslo for 2 days, in Fahrenheit?")
    stored = await in_database(Chat.objects.get)
    report = stored.exchange[0]["tool_runs"][0]["result"]
    today, tomorrow = report["forecast"]
    assert answer == (
        f"Oslo: {report['temperature']} °F and {report['condition']} now. "
        f"Today {today['condition']}, {today['low']} to {today['high']} °F, "
        f"{today['rain_chance_percent']}% chance of rain; "
        f"tomorrow {tomorrow['condition']}, {tomorrow['low']} to {tomorrow['high']} °F, "
        f"{tomorrow['rain_chance_percent']}% chance of rain."
    )


async def test_a_failed_lookup_is_told_in_its_words(customer: Customer, weather: Weather) -> None:
    weather.delays = {}
    answer = await customer.answer("Weather in Oslo? [[fault: length@1]]")
    assert answer == (
        "I could not look that up: Your message was cut off by the length limit, so this call did not run."
    )
