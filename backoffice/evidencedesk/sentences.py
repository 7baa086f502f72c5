"""Markdown as a reader points at it: the sentences that a citation can quote."""

import html
import re
from collections.abc import Iterator

_CLOSERS = "[\"'”’»」』)\\]]*"
_SENTENCE_END = re.compile(rf"(?<=[.!?।॥]){_CLOSERS}\s+|(?<=[。！？]){_CLOSERS}\s*")
_LAST_WORD = re.compile(r"([^\W_](?:[\w.&]|[\u0900-\u0dff])*)\.$")
_OF_NUMBERS = """
    abb abs anl apr approx art aug buchst ca ch chap circa dec dez est feb fig figs jan jul jun kap lit mar max mär min
    nov no nos nr oct okt para pkt pos pp pt rdnr ref rn rs sec sect seite sep sept tab tbl tel tk vol vols ziff
"""
_BEFORE_NUMBERS = frozenset(_OF_NUMBERS.split())
"""Abbreviations that a number follows. Before anything else they are words: `Ask us. No. Then wait.`"""
_OF_ALL_ELSE = """
    a.m abzgl allg bes bio bzw co corp dept dipl dr einschl etc evtl exkl excl ext gem gen ggf ggfs hon inc incl ing
    inkl insb jr jährl lfd ltd messrs mia mill mio monatl mr mrd mrs ms mtl mwst netto p.a p.m plc prof rev sen sog sr
    st std str tsd usw vgl vs zzgl
"""
_ABBREVIATIONS = frozenset(_OF_ALL_ELSE.split())
_INITIALS = re.compile(r"(?:[^\W\d_]\.\s?)*[^\W\d_]|\d{1,2}")
"""`z. B.`, `p.a.`, the initial of a name; a German ordinal."""
_INDIC = re.compile(r"[\u0900-\u0dff]+")
"""Their sentences end with a danda; a dot abbreviates, as in `ড.` and `মো.`."""

_HEADING = re.compile(r"^[ ]{0,3}#{1,6}(?:[ \t].*)?$", re.MULTILINE)
_UNDERLINED = re.compile(r"(?:\A|(?<=\n\n))[ ]{0,3}\S[^\n]*\n[ ]{0,3}(?:=+|-{2,})[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*(?:[-*_=|:][ \t]*){2,}$|^[ ]{0,3}(?:```|~~~).*$", re.MULTILINE)
"""What is no text: rules, the line under a table's head, code fences."""
_TARGET = re.compile(r"^[ ]{0,3}\[[^\]\n]+\]:.*$", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\[\]\n]*\])")
_BREAK = re.compile(r"</?(?:br|p|div|hr|li|ol|ul|td|th|tr|table)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_EMPHASIS = re.compile(r"(\*{1,3}|~~|`+|(?<!\w)_{1,3})(?=\S)([^*~`]*?\S)\1")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_PREFIX = re.compile(r"^\s*(?:[-*+]\s+|\d{1,3}[.)]\s+|>\s?)")
_BLANKS = re.compile(r"\n\s*\n")
_OWN_LINE = re.compile(r"^\s*(?:[-*+]\s|\d{1,3}[.)]\s|>|\|)")


def readable(markdown: str) -> str:
    """What a reader sees of it: without comments, tags, emphasis and the targets of links, its lines as they are."""
    text = _TARGET.sub("", _COMMENT.sub("", markdown.replace("\r\n", "\n")))
    text = _TAG.sub("", _BREAK.sub(" ", _LINK.sub(r"\1", text)))
    for _ in range(2):  # one emphasis in another
        text = _EMPHASIS.sub(r"\2", text)
    return html.unescape(_ESCAPE.sub(r"\1", text))


def sentences(markdown: str) -> Iterator[str]:
    """A list item and a table row are one sentence at least; a heading is none."""
    text = _TARGET.sub("", _COMMENT.sub("", markdown.replace("\r\n", "\n")))
    text = _RULE.sub("\n", _UNDERLINED.sub("\n", _HEADING.sub("\n", text)))
    for block in _BLANKS.split(text):
        for unit in _units(block):
            yield from _parted(" ".join(readable(_PREFIX.sub("", unit)).split()))


def _units(block: str) -> Iterator[str]:
    lines: list[str] = []
    for line in block.splitlines():
        if lines and _OWN_LINE.match(line):
            yield "\n".join(lines)
            lines = []
        lines.append(line)
    yield "\n".join(lines)


def _parted(text: str) -> Iterator[str]:
    """Cut after the end of a sentence, but where a dot may be an abbreviation's, rather not: a citation that is a
    sentence too long still says the truth."""
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if not _goes_on(text[start : match.start()], text[match.end() : match.end() + 1]):
            yield text[start : match.end()].strip()
            start = match.end()
    if rest := text[start:].strip():
        yield rest


def _goes_on(before: str, following: str) -> bool:
    """Whether the sentence does, with the character `following`."""
    if following.islower():
        return True
    last = _LAST_WORD.search(before)
    if last is None:
        return False
    word = last[1].casefold()
    if word in _BEFORE_NUMBERS:
        return following.isdigit()
    return word in _ABBREVIATIONS or _INITIALS.fullmatch(word) is not None or _INDIC.fullmatch(word) is not None
