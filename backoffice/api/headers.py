"""Request headers that change how a request is carried out, read by their standards."""

from collections.abc import Mapping

from rest_framework.exceptions import ParseError

RESPOND_ASYNC = "respond-async"
LONGEST_KEY = 255


def wants_async(headers: Mapping[str, str]) -> bool:
    """Whether `Prefer` (RFC 7240) holds `respond-async`; a preference that is not understood is ignored."""
    preferences = headers.get("Prefer", "").split(",")
    return any(preference.split(";")[0].strip().lower() == RESPOND_ASYNC for preference in preferences)


def idempotency_key(headers: Mapping[str, str]) -> str | None:
    """`Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a quoted string, or bare text as many send it.

    Raises ParseError (400) for a key that is empty, too long, or not printable ASCII.
    """
    sent = headers.get("Idempotency-Key")
    if sent is None:
        return None
    key = sent.strip()
    if len(key) >= 2 and key[0] == key[-1] == '"':
        key = key[1:-1]
    if not 0 < len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise ParseError(f"Idempotency-Key must hold 1 to {LONGEST_KEY} printable ASCII characters.")
    return key
