"""Short views of a result, so that a table of examples fits on a page."""

from typing import Any

from summarizer.amounts import normalize_amount


def amount_of(text: object) -> tuple[str, str | None]:
    """Amount and currency of a text that must hold a certain amount."""
    result = normalize_amount(text)
    assert "error" not in result, (text, result)
    return result["amount"], result["currency"]


def flags_of(text: str) -> list[str]:
    return normalize_amount(text)["flags"]


def error_of(text: object) -> str:
    """The error code of a text that must be refused."""
    result = normalize_amount(text)
    assert "error" in result, (text, result)
    return result["error"]


def candidates_of(text: str) -> list[Any]:
    return normalize_amount(text)["candidates"]
