"""Logs are read by machines and kept for long, so they hold one line an event and no personal data."""

import json
import logging
import re
from datetime import UTC, datetime

_QUERY_STRING = re.compile(r"\?[^\s\"']*")


class WithoutQueryString(logging.Filter):
    """A query string can hold a customer's question; access logs keep the path alone."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name in {"uvicorn.access", "django.server"} and isinstance(record.args, tuple):
            record.args = tuple(
                _QUERY_STRING.sub("", argument) if isinstance(argument, str) else argument for argument in record.args
            )
        return True


class JSONFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False)
