"""What text from outside must be, whichever endpoint it comes to: something that every wire and database can carry.

Stated as metadata of an Annotated type: `Annotated[str, Field(max_length=9), REFUSE_LONE_SURROGATES, REFUSE_NUL]`.
"""

import re

from pydantic import AfterValidator, BeforeValidator
from pydantic_core import PydanticCustomError

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def _without_lone_surrogates(text: object) -> object:
    if isinstance(text, str) and _LONE_SURROGATE.search(text):
        raise PydanticCustomError("lone_surrogate", "Text must not contain half a character (a lone surrogate)")
    return text


def _without_nul(text: str) -> str:
    if "\0" in text:
        raise PydanticCustomError("nul_character", "Text must not contain the NUL character (U+0000)")
    return text


REFUSE_LONE_SURROGATES = BeforeValidator(_without_lone_surrogates)
"""Runs first: Pydantic's own words for such text speak of bytes, which helps nobody."""
REFUSE_NUL = AfterValidator(_without_nul)
