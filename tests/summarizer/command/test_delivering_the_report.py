"""The morning report reaches people by e-mail and by webhook, says what they need, and never harms the job."""

import json
import smtplib
from collections.abc import Callable, Iterator
from decimal import Decimal

import pytest
import requests
import responses
from django.core.mail import EmailMessage
from django.core.management import call_command
from pytest_django import Settings

from summarizer.delivery import deliver, headline
from summarizer.runs.job import FailedRow, HeldRun, JobReport
from tests.summarizer.making import queued_run

SECRET = "T00/B00/s3cret"
URL = f"https://hooks.example.org/services/{SECRET}"


def report(**fields: object) -> JobReport:
    usual = {"runs": 2, "rows": 100, "summarised": 97, "failed": 3, "cost": Decimal("0.0123")}
    failed_rows = [FailedRow(7, row, 1, code, "") for row, code in ((3, "timeout"), (9, "timeout"), (4, "rejected"))]
    return JobReport(**usual | {"failed_rows": failed_rows} | fields)  # type: ignore[arg-type]


@pytest.fixture
def by_mail(settings: Settings, mailoutbox: list[EmailMessage]) -> list[EmailMessage]:
    settings.SUMMARISE_REPORT_EMAILS = ["night@example.org", "desk@example.org"]
    return mailoutbox


@pytest.fixture
def web(settings: Settings) -> Iterator[responses.RequestsMock]:
    settings.SUMMARISE_REPORT_WEBHOOK = URL
    with responses.RequestsMock() as mocked:
        yield mocked


def posted(web: responses.RequestsMock) -> str:
    [call] = web.calls
    body = json.loads(call.request.body or "")
    assert list(body) == ["text"]
    text: str = body["text"]
    return text


def test_an_e_mail_says_how_it_went_what_failed_and_how_to_go_on(by_mail: list[EmailMessage]) -> None:
    deliver(report(), 3)
    [mail] = by_mail
    assert mail.subject == "Nightly job: 3 of 100 rows failed"
    assert mail.to == ["night@example.org", "desk@example.org"]
    assert "Runs: 2. Rows: 100, 97 summarised" in mail.body
    assert "2 × timeout: the provider was too slow" in mail.body
    assert "Failed with timeout: run 7 row 3, run 7 row 9" in mail.body
    assert "Failed with rejected: run 7 row 4" in mail.body
    assert "python manage.py summarise_batch --requeue-failed" in mail.body


def test_it_says_what_waits_and_why(by_mail: list[EmailMessage]) -> None:
    deliver(report(left=5, provider_down=True, held=[HeldRun(8, 41.7)]), 4)
    [mail] = by_mail
    assert mail.subject == "Nightly job: stopped early, 3 of 100 rows failed"
    assert "The provider is down" in mail.body
    assert "Left for the next job: 5 runs. Go on with: python manage.py summarise_batch" in mail.body
    assert "Run 8 is held by another worker, whose lease runs out in 42 s." in mail.body


def test_many_failed_rows_are_named_up_to_a_point(by_mail: list[EmailMessage]) -> None:
    rows = [FailedRow(1, row, 1, "timeout", "") for row in range(1, 51)]
    deliver(report(failed_rows=rows, failed=50), 3)
    assert "run 1 row 20 and 30 more" in by_mail[0].body
    assert "row 21" not in by_mail[0].body


@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({}, 3, "3 of 100 rows failed"),
        ({"failed": 0}, 0, "100 rows summarised"),
        ({"failed": 0, "rows": 0}, 0, "nothing to do"),
        ({"failed": 0, "rows": 0}, 4, "stopped early, 0 rows summarised"),
        ({"failed": 0}, 143, "ended by SIGTERM, 100 rows summarised"),
    ],
)
def test_the_headline_is_the_worst_of_it(fields: dict[str, int], status: int, words: str) -> None:
    assert headline(report(**fields), status) == words


def test_a_webhook_gets_the_same_words_as_slack_wants_them(web: responses.RequestsMock) -> None:
    web.post(URL)
    deliver(report(failed_rows=[FailedRow(7, 3, 1, "a<b&c>d", "")]), 3)
    text = posted(web)
    assert text.startswith("Nightly job: 3 of 100 rows failed\nRuns: 2.")
    assert "Failed with a&lt;b&amp;c&gt;d: run 7 row 3" in text


def test_nobody_is_told_where_nobody_is_named(mailoutbox: list[EmailMessage]) -> None:
    with responses.RequestsMock() as web:
        deliver(report(), 3)
    assert (len(mailoutbox), len(web.calls)) == (0, 0)


def answered(status: int) -> Callable[[responses.RequestsMock], object]:
    return lambda web: web.post(URL, status=status, headers={"Location": "https://elsewhere.example.org"})


def breaking(error: Exception) -> Callable[[responses.RequestsMock], object]:
    return lambda web: web.post(URL, body=error)


@pytest.mark.parametrize(
    ("happens", "logged"),
    [
        (answered(404), "it was answered with status 404"),
        (answered(500), "it was answered with status 500"),
        (answered(302), "it was answered with status 302"),
        (breaking(requests.ConnectionError(f"refused: {URL}")), "ConnectionError"),
        (breaking(requests.ReadTimeout(f"slow: {URL}")), "ReadTimeout"),
        (breaking(RuntimeError(URL)), "RuntimeError"),
    ],
)
def test_a_webhook_that_does_not_take_it_is_logged_without_its_address_and_the_mail_goes_out(
    web: responses.RequestsMock,
    by_mail: list[EmailMessage],
    caplog: pytest.LogCaptureFixture,
    happens: Callable[[responses.RequestsMock], object],
    logged: str,
) -> None:
    happens(web)
    deliver(report(), 3)
    assert len(by_mail) == 1
    assert f"could not be delivered by webhook: {logged}" in caplog.text
    assert SECRET not in caplog.text
    assert "hooks.example.org" not in caplog.text


def test_an_address_that_is_none_is_a_failure_like_another(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.SUMMARISE_REPORT_WEBHOOK = f"no address {SECRET}"
    deliver(report(), 3)
    assert "could not be delivered by webhook: InvalidURL" in caplog.text
    assert SECRET not in caplog.text


@pytest.mark.parametrize(
    "error", [ConnectionRefusedError(), smtplib.SMTPAuthenticationError(535, b"no"), TimeoutError()]
)
def test_a_mail_server_that_does_not_take_it_is_logged_and_the_webhook_is_told(
    web: responses.RequestsMock,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    settings.SUMMARISE_REPORT_EMAILS = ["night@example.org"]
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    monkeypatch.setattr(smtplib, "SMTP", refuse)
    web.post(URL)
    deliver(report(), 3)
    assert f"could not be delivered by e-mail: {type(error).__name__}" in caplog.text
    assert len(web.calls) == 1


@pytest.mark.django_db(transaction=True)
def test_the_job_delivers_its_report_with_no_word_of_a_note(
    web: responses.RequestsMock, by_mail: list[EmailMessage]
) -> None:
    web.post(URL)
    queued_run("Ms Ferreira was late.", "Ms Okafor paid. [[fault:400]]")
    with pytest.raises(SystemExit) as ended:
        call_command("summarise_batch")
    assert ended.value.code == 3
    assert by_mail[0].subject == "Nightly job: 1 of 2 rows failed"
    for told in (by_mail[0].body, posted(web)):
        assert "1 × rejected" in told
        assert "Ferreira" not in told
        assert "Okafor" not in told


@pytest.mark.django_db(transaction=True)
def test_a_job_whose_report_cannot_be_delivered_ends_as_it_would_have(
    web: responses.RequestsMock, capsys: pytest.CaptureFixture[str]
) -> None:
    web.post(URL, status=500)
    queued_run("One.")
    call_command("summarise_batch", "--json")
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["summarised"] == 1


@pytest.mark.django_db(transaction=True)
def test_a_job_with_nothing_to_do_says_that_it_was_there(by_mail: list[EmailMessage]) -> None:
    call_command("summarise_batch")
    assert by_mail[0].subject == "Nightly job: nothing to do"


@pytest.mark.django_db(transaction=True)
def test_a_dry_run_delivers_nothing(by_mail: list[EmailMessage]) -> None:
    queued_run("One.")
    call_command("summarise_batch", "--dry-run")
    assert by_mail == []
