"""Open-Meteo's answers in the shape of its public documentation, and a backend that asks for them."""

from typing import Any

import responses

GEOCODING = "https://geocoding-api.open-meteo.com/v1/search"
FORECAST = "https://api.open-meteo.com/v1/forecast"


def place(name: str = "Oslo", **columns: Any) -> dict[str, Any]:
    usual = {
        "id": 3143244,
        "name": name,
        "latitude": 59.91273,
        "longitude": 10.74609,
        "elevation": 26.0,
        "feature_code": "PPLC",
        "country_code": "NO",
        "timezone": "Europe/Oslo",
        "population": 580000,
        "country_id": 3144096,
        "country": "Norway",
        "admin1": "Oslo",
    }
    return usual | columns


def places(*found: dict[str, Any]) -> dict[str, Any]:
    return {"results": list(found), "generationtime_ms": 0.6} if found else {"generationtime_ms": 0.6}


def forecast(days: int = 1, **columns: Any) -> dict[str, Any]:
    usual = {
        "latitude": 59.91,
        "longitude": 10.75,
        "generationtime_ms": 0.1,
        "utc_offset_seconds": 3600,
        "timezone": "Europe/Oslo",
        "timezone_abbreviation": "CET",
        "elevation": 26.0,
        "current_units": {"time": "iso8601", "interval": "seconds", "temperature_2m": "°C", "weather_code": "wmo code"},
        "current": {"time": "2026-11-30T12:00", "interval": 900, "temperature_2m": -1.6, "weather_code": 71},
        "daily_units": {"time": "iso8601", "temperature_2m_max": "°C", "temperature_2m_min": "°C"},
        "daily": {
            "time": [f"2026-12-{number + 1:02}" for number in range(days)],
            "weather_code": [3] * days,
            "temperature_2m_max": [2.4] * days,
            "temperature_2m_min": [-4.5] * days,
            "precipitation_probability_max": [35] * days,
        },
    }
    return usual | columns


def served(mock: responses.RequestsMock, *found: dict[str, Any], days: int = 1) -> None:
    """Both endpoints answer as they do on a good day."""
    mock.get(GEOCODING, json=places(*(found or (place(),))))
    mock.get(FORECAST, json=forecast(days))
