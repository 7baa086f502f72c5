"""Bytes become text: UTF-8 first, UTF-16 where its mark says so, Windows-1252 as the guess for what is left."""

import codecs
import re

from django.utils.translation import gettext as _

from summarizer.importing.notes import UnreadableFile, number

_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_SAMPLE = 1_000
_DAMAGED_BYTE = re.compile("[\udc80-\udcff]")
_BEYOND_ASCII = re.compile("[\u0080-\ud7ff\ue000-\U0010ffff]")


def decode(data: bytes) -> tuple[str, str]:
    """The text of a file and the name of its encoding. Raises UnreadableFile.

    Damaged UTF-8 is not taken for Windows-1252: each broken byte stands in the text as a lone surrogate (PEP 383), and
    only the row that holds it is refused.
    """
    if data.startswith(_UTF16_MARKS):
        return _strictly(data, "utf-16"), "utf-16"
    if encoding := _unmarked_utf16(data):
        return _strictly(data, encoding), encoding
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        mended = data.decode("utf-8-sig", "surrogateescape")
    if len(_BEYOND_ASCII.findall(mended)) >= len(_DAMAGED_BYTE.findall(mended)):
        return mended, "utf-8"
    return _strictly(data, "cp1252"), "cp1252"


def _unmarked_utf16(data: bytes) -> str | None:
    """UTF-16 without its mark: in text of any Latin kind nearly every second byte is a NUL, which other text lacks."""
    sample = data[:_SAMPLE]
    pairs = len(sample) // 2
    for encoding, high_bytes in (("utf-16-le", sample[1::2]), ("utf-16-be", sample[::2])):
        if pairs and high_bytes.count(0) > pairs * 0.7 and sample.count(0) - high_bytes.count(0) < pairs * 0.1:
            return encoding
    return None


def _strictly(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        said = _("the file is not text in UTF-8, UTF-16 or Windows-1252 (see byte %(place)s): save it as UTF-8")
        raise UnreadableFile(said % {"place": number(error.start + 1)}) from None
