"""The morning report on its way to people: by e-mail and to a webhook, where settings name them.

It says what the command's last lines say, and which rows failed; never what a note or a summary says. Delivering it is
no part of the job: when that fails, it is logged, and the job ends as it would have.
"""

import logging
import signal
from collections import defaultdict
from collections.abc import Iterator

import requests
from django.conf import settings
from django.core.mail import send_mail

from summarizer.nightly import SIGNALLED, STOPPED_EARLY
from summarizer.reporting import report_lines
from summarizer.runs.job import FailedRow, JobReport

logger = logging.getLogger(__name__)

CONNECT_SECONDS, READ_SECONDS = 5, 10
SHOWN_ROWS = 20


class Refused(Exception):
    """The other side did not take the report; the message is fit for the log."""


def deliver(report: JobReport, status: int) -> None:
    """Send the report wherever a setting says; `status` is the job's exit status. Raises nothing."""
    subject = f"Nightly job: {headline(report, status)}"
    text = "\n".join([*report_lines(report), *_failed_rows(report)])
    for name, wanted, send in (
        ("e-mail", settings.SUMMARISE_REPORT_EMAILS, _send_mail),
        ("webhook", settings.SUMMARISE_REPORT_WEBHOOK, _post),
    ):
        try:
            if wanted:
                send(subject, text)
        except Exception as error:
            # A webhook's address is its secret, and libraries quote it in their errors: they are not logged.
            reason = str(error) if isinstance(error, Refused) else type(error).__name__
            logger.error("the report could not be delivered by %s: %s", name, reason)  # noqa: TRY400


def headline(report: JobReport, status: int) -> str:
    """The report in a few words, the worst first."""
    if status > SIGNALLED:
        return f"ended by {signal.Signals(status - SIGNALLED).name}, {_done(report)}"
    if status == STOPPED_EARLY:
        return f"stopped early, {_done(report)}"
    if not report.rows and report.held:
        return f"{len(report.held)} runs held by a worker that may be dead"
    return _done(report) if report.rows else "nothing to do"


def _done(report: JobReport) -> str:
    if report.failed:
        return f"{report.failed} of {report.rows} rows failed"
    return f"{report.rows} rows summarised"


def _failed_rows(report: JobReport) -> Iterator[str]:
    by_code: defaultdict[str, list[FailedRow]] = defaultdict(list)
    for row in report.failed_rows:
        by_code[row.code].append(row)
    for code, rows in sorted(by_code.items()):
        named = ", ".join(f"run {row.run_id} row {row.row_id}" for row in rows[:SHOWN_ROWS])
        more = f" and {len(rows) - SHOWN_ROWS} more" if len(rows) > SHOWN_ROWS else ""
        yield f"Failed with {code}: {named}{more}"


def _send_mail(subject: str, text: str) -> None:
    send_mail(subject, text, None, settings.SUMMARISE_REPORT_EMAILS)


def _post(subject: str, text: str) -> None:
    """Slack's incoming webhooks, which many others understand: one JSON object with `text`, its three signs escaped."""
    escaped = f"{subject}\n{text}".replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # The body is never read: one that drips would hold the job for as long as it likes.
    with requests.post(
        settings.SUMMARISE_REPORT_WEBHOOK,
        json={"text": escaped},
        timeout=(CONNECT_SECONDS, READ_SECONDS),
        allow_redirects=False,
        stream=True,
    ) as answer:
        if not 200 <= answer.status_code < 300:
            raise Refused(f"it was answered with status {answer.status_code}")
