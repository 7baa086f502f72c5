"""Values to try things with: texts no wire can carry, JSON of every shape."""

from typing import Any

from hypothesis import strategies as st

ROUGH_ALPHABET = "aé😀\x00\ud83d\ude42\udfff\ud800 \u2028\n"
"""Characters of every width, NUL, both halves of a pair, halves alone, and what some take for a line's end."""


def rough_text(max_size: int = 12) -> st.SearchStrategy[str]:
    """Text as it comes out of a JSON string: surrogates that belong together may stand apart."""
    return st.text(st.sampled_from(ROUGH_ALPHABET) | st.characters(), max_size=max_size)


def json_values(strings: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[Any]:
    texts = st.text(max_size=5) if strings is None else strings
    plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
    return st.recursive(
        plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=6
    )
