"""What is wrong with a text that is no JSON, in the reader's language; the parsers themselves speak English alone."""

import re
from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from backoffice.llm.strict_json import InvalidJSON

_PLACED = re.compile(r"(?P<problem>.+?)(?: at)? at line (?P<line>\d+), column (?P<column>\d+)")
_NO_NUMBER = _("NaN and Infinity are not JSON values")
_COMMA_TOO_MANY = _("there is a comma too many")
_PROBLEMS: Mapping[str, Promise] = {
    "Expecting value": _("a value is missing or unreadable"),
    "Expecting property name enclosed in double quotes": _("the name of a property is missing or not in double quotes"),
    "Expecting ':' delimiter": _("a colon is missing"),
    "Expecting ',' delimiter": _("a comma is missing"),
    "Illegal trailing comma before end of object": _COMMA_TOO_MANY,  # from Python 3.13 on
    "Illegal trailing comma before end of array": _COMMA_TOO_MANY,
    "Unterminated string starting": _("a text is opened with a quote that is never closed"),
    "Invalid control character": _("a text holds a line break or another control character"),
    "Invalid \\escape": _("a backslash in a text is not doubled"),
    "Invalid \\uXXXX escape": _("four hexadecimal digits are missing after a backslash and u"),
    "Extra data": _("something follows after the end"),
    "NaN is not a JSON value": _NO_NUMBER,
    "Infinity is not a JSON value": _NO_NUMBER,
    "-Infinity is not a JSON value": _NO_NUMBER,
    "a property is given twice": _("a property is given twice"),
    "it is nested too deep": _("it is nested too deep"),
    "it holds a number too long to parse": _("it holds a number too long to parse"),
}
"""By the words of the standard library's parser and of `strict_json`; other words are shown as they are."""


def problem_in(error: InvalidJSON, *, of_one_line: bool = False) -> str:
    """The problem and its place; a text of one line needs no line number."""
    placed = _PLACED.fullmatch(str(error))
    if placed is None:
        return _said(str(error))
    named = {**placed.groupdict(), "problem": _said(placed["problem"])}
    if of_one_line:
        return gettext("%(problem)s at column %(column)s") % named
    return gettext("%(problem)s at line %(line)s, column %(column)s") % named


def _said(problem: str) -> str:
    return str(_PROBLEMS.get(problem, problem))
