"""Logs hold one line an event, and no query string, which may be a customer's question."""

import json
import logging
import sys
from typing import Any

import pytest

from backoffice.logs import JSONFormatter, WithoutQueryString


def _record(name: str, message: str, *args: Any, error: Any = None) -> logging.LogRecord:
    return logging.LogRecord(name, logging.WARNING, __file__, 1, message, args, error)


@pytest.mark.parametrize("name", ["uvicorn.access", "django.server"])
def test_an_access_log_keeps_the_path_alone(name: str) -> None:
    record = _record(name, '%s "%s %s" %d', "127.0.0.1:5", "GET", "/ask/stream?q=what+of+M%C3%BCller", 200)
    assert WithoutQueryString().filter(record)
    assert record.getMessage() == '127.0.0.1:5 "GET /ask/stream" 200'


def test_a_request_line_keeps_its_end() -> None:
    record = _record("django.server", '"%s" %s', "GET /ask?q=a?b HTTP/1.1", "200")
    WithoutQueryString().filter(record)
    assert record.getMessage() == '"GET /ask HTTP/1.1" 200'


@pytest.mark.parametrize("args", [(), ({"a": "x?y"},)])
def test_an_access_log_of_another_shape_passes(args: Any) -> None:
    assert WithoutQueryString().filter(_record("uvicorn.access", "started", *args))


def test_what_others_log_is_not_touched() -> None:
    record = _record("summarizer", "really%s", "?yes")
    assert WithoutQueryString().filter(record)
    assert record.getMessage() == "really?yes"


def test_an_entry_is_one_line_of_json() -> None:
    line = JSONFormatter().format(_record("summarizer", "run %d:\n%s", 7, "zł"))
    entry = json.loads(line)
    assert "\n" not in line
    assert (entry["level"], entry["logger"], entry["message"]) == ("WARNING", "summarizer", "run 7:\nzł")
    assert entry["time"].endswith("+00:00")
    assert "exception" not in entry


def test_a_traceback_is_part_of_the_entry() -> None:
    try:
        raise KeyError("x")
    except KeyError:
        line = JSONFormatter().format(_record("summarizer", "failed", error=sys.exc_info()))
    assert "\n" not in line
    assert json.loads(line)["exception"].endswith("KeyError: 'x'")


@pytest.mark.parametrize("name", ["backoffice", "summarizer", "weatherbot"])
def test_each_of_the_projects_own_loggers_says_what_happened(name: str) -> None:
    assert logging.getLogger(f"{name}.anything").isEnabledFor(logging.INFO)


@pytest.mark.parametrize("name", ["django.request", "urllib3.connectionpool"])
def test_loggers_that_would_tell_what_a_request_holds_stay_at_warnings(name: str) -> None:
    assert logging.getLogger(name).getEffectiveLevel() == logging.WARNING
