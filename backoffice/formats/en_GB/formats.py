"""British dates with the clock of 24 hours, as in a ledger."""

SHORT_DATETIME_FORMAT = "d/m/Y H:i"
DATETIME_FORMAT = "j F Y H:i"
TIME_FORMAT = "H:i"
