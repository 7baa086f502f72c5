"""Markdown as a reader points at it: the sentences that a citation can quote."""

import re
from collections.abc import Iterator

_CLOSERS = "[\"'”’»」』)\\]]*"
_SENTENCE_END = re.compile(rf"(?<=[.!?।॥]){_CLOSERS}\s+(?![a-zäöüß])|(?<=[。！？]){_CLOSERS}\s*")
_ABBREVIATION = re.compile(r"\b(?:[A-Za-z]|e\.g|i\.e|z\.\s?B|d\.\s?h|No|Nr|Art|approx|ca|bzw|vgl|Abs|\d{1,2})\.$")
_HEADING = re.compile(r"^[ ]{0,3}#{1,6}(?:[ \t].*)?$", re.MULTILINE)
_PREFIX = re.compile(r"^\s*(?:[-*+]\s+|\d{1,3}[.)]\s+|>\s?)")
_BLANKS = re.compile(r"\n\s*\n")
_OWN_LINE = re.compile(r"^\s*(?:[-*+]\s|\d{1,3}[.)]\s|>|\|)")


def sentences(markdown: str) -> Iterator[str]:
    """A list item and a table row are one sentence at least; a heading is none."""
    for block in _BLANKS.split(_HEADING.sub("\n", markdown)):
        for unit in _units(block):
            yield from _parted(" ".join(_PREFIX.sub("", unit).replace("**", "").replace("`", "").split()))


def _units(block: str) -> Iterator[str]:
    lines: list[str] = []
    for line in block.splitlines():
        if lines and _OWN_LINE.match(line):
            yield "\n".join(lines)
            lines = []
        lines.append(line)
    yield "\n".join(lines)


def _parted(text: str) -> Iterator[str]:
    """Cut after the end of a sentence, but not after an abbreviation or a German ordinal."""
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if _ABBREVIATION.search(text[start : match.start()]) is None:
            yield text[start : match.end()].strip()
            start = match.end()
    if rest := text[start:].strip():
        yield rest
