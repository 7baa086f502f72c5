"""Each operator reads admin in their language, with dates, numbers and times as they write them."""

import gettext
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.utils import label_for_field
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.html import escape

from backoffice.admin_pages import zone_of
from backoffice.audit import deeds
from backoffice.audit.deeds import told
from backoffice.audit.labels import FAILURES, STOP_REASONS
from backoffice.audit.models import DailyAggregate
from backoffice.evidencedesk.admin import CODES, DOCUMENT_STATUSES
from backoffice.evidencedesk.corpus import DocumentStatus
from backoffice.evidencedesk.models import Answer
from backoffice.evidencedesk.schemas import AnswerCode
from backoffice.llm.events import StopReason
from backoffice.llm.failures import FailureCode
from summarizer.admin import wording
from summarizer.models import ImportDraft, Run
from tests.admin.night import ended, failure, summary
from tests.admin.staff import words
from weatherbot.models import Chat

GERMAN = Path(settings.BASE_DIR) / "locale" / "de" / "LC_MESSAGES"


def entries() -> list[tuple[str, str, bool]]:
    """Message, translation, and whether it is marked fuzzy, of every entry of the German catalogue."""
    found = []
    for block in (GERMAN / "django.po").read_text().split("\n\n")[1:]:
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        text = "\n".join(lines)
        original, *translated = re.split(r"^msgstr(?:\[\d\])? ", text, flags=re.MULTILINE)
        joined = ["".join(re.findall(r'"(.*)"', part)) for part in translated]
        found.append(("".join(re.findall(r'"(.*)"', original)), min(joined, key=len, default=""), "#, fuzzy" in block))
    return [entry for entry in found if entry[0]]


def test_every_string_has_a_german_translation() -> None:
    assert [original for original, german, fuzzy in entries() if fuzzy or not german] == []


def test_placeholders_are_the_same_in_german() -> None:
    assert [
        original
        for original, german, _fuzzy in entries()
        if not set(re.findall(r"%\(\w+\)s", german)) <= set(re.findall(r"%\(\w+\)s", original))
    ] == []


def test_the_compiled_catalogue_is_that_of_the_text() -> None:
    with (GERMAN / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    simple = [(original, german) for original, german, _fuzzy in entries() if "\\" not in original + german]
    once = [(original, german) for original, german in simple if original in compiled._catalog]
    assert len(once) > 100
    assert [original for original, german in once if compiled.gettext(original) != german] == []


def test_a_german_browser_gets_german_pages(desk: Client) -> None:
    ended(summary(), failure())
    page = words(desk.get(reverse("admin:index"), headers={"accept-language": "de"}))
    assert "1 Zeile zusammengefasst" in page
    assert "Das Modell hat nicht rechtzeitig geantwortet." in page


IN_GERMAN = {"accept-language": "de"}
BAD_NOTES = "row_id,text\n1,Toner\n1,Twice\nx,No number\n"


def test_a_german_operator_reads_why_a_row_is_bad_and_why_a_file_is_unreadable(desk: Client) -> None:
    add = reverse("admin:summarizer_importdraft_add")
    desk.post(add, {"text": BAD_NOTES}, headers=IN_GERMAN)
    draft = ImportDraft.objects.get()
    page = words(desk.get(reverse("admin:summarizer_importdraft_change", args=[draft.pk]), headers=IN_GERMAN))
    assert "in Zeile 3 1 row_id 1 kommt zweimal vor, zuerst in Zeile 2" in page
    assert "nicht der Text „x“" in page
    refused = words(desk.post(add, {"text": "["}, headers=IN_GERMAN))
    assert "Die Datei ist kein gültiges JSON: ein Wert fehlt oder ist unlesbar, in Zeile 1 bei Zeichen 2." in refused


def test_every_sentence_of_the_log_is_told_in_german_and_what_people_wrote_stays() -> None:
    said = {sentence: sentence % FACTS for sentence in deeds._PATTERNS}
    assert {english: told(english) for english in said.values()} == {english: english for english in said.values()}
    with translation.override("de"):
        assert {sentence for sentence, english in said.items() if told(english) == english} == set()
        assert told("Accepted the summary: 3 rows, as told.") == "Zusammenfassung angenommen: 3 rows, as told."
        assert told("Queued 1 row as 1 run.") == "Hat 1 Zeile als 1 Lauf eingereiht."
        assert told("Queued 1200 rows as 24 runs.") == "Hat 1.200 Zeilen als 24 Läufe eingereiht."
        assert told("Somebody else's words.") == "Somebody else's words."


FACTS = {
    "rows": "3 rows", "runs": "2 runs", "run": "5", "row": "7", "of": "1", "id": "4", "numbers": "1, 2",
    "reason": "Checked.", "key": "abcd", "user": "robot", "name": "night.csv",
}  # fmt: skip


def test_a_night_stands_in_german_in_the_log_the_histories_and_the_lists(admin_client: Client) -> None:
    def post(name: str, *keys: int, **data: str) -> Any:
        return admin_client.post(reverse(f"admin:{name}", args=keys), data, headers=IN_GERMAN)

    def page(name: str, *keys: int) -> str:
        return words(admin_client.get(reverse(f"admin:{name}", args=keys), headers=IN_GERMAN))

    post("summarizer_importdraft_add", text="row_id,text\n1,Toner\n")
    post("summarizer_importdraft_queue", ImportDraft.objects.get().pk)
    run = Run.objects.get()
    post("summarizer_run_start", run.pk, confirmed="1")
    [failed], [doubtful] = ended(failure()), ended(summary("Cut", "truncated"))
    post("summarizer_outcome_requeue", failed.pk, confirmed="1")
    post("summarizer_outcome_take_back", failed.pk, confirmed="1")
    post("summarizer_rowtoreview_change", doubtful.pk, reason="Falsch.", again="1")
    post("knox_authtoken_add", user=str(User.objects.get().pk), days="3")
    again = doubtful.next_attempts.get().run_id
    history = page("summarizer_run_history", run.pk)
    assert f"Wer hat was getan: Lauf {run.pk}" in history
    assert "admin Hat den Lauf gestartet." in history
    assert f"Woher Prüfung von Zeile 1 von Lauf {doubtful.run_id}" in page("summarizer_run_change", again)
    assert "eingefügter Text" in page("summarizer_run_changelist")
    shown = [history, *(page(name) for name in GERMAN_PAGES), page("summarizer_run_history", again)]
    shown.append(page("summarizer_outcome_change", failed.pk))
    instructions = " ".join(run.prompt.split())  # are English, as the model reads them
    assert {word for text in shown for word in re.findall(ENGLISH, text.replace(instructions, ""))} == set()


GERMAN_PAGES = (
    "admin_logentry_changelist", "summarizer_run_changelist", "summarizer_importdraft_changelist", "index",
    "knox_authtoken_changelist", "knox_authtoken_add", "django_tasks_database_dbtaskresult_changelist",
)  # fmt: skip
ENGLISH = re.compile(
    r".{0,30}\b(?:rows?|runs?|of|the|auth|Queued|Started|Knox|User|Task|pasted|review|entries)\b.{0,30}"
)


def test_the_language_is_chosen_in_the_menu_and_kept(desk: Client) -> None:
    chosen = desk.post(reverse("set_language"), {"language": "de", "next": "/admin/"})
    assert chosen.headers["Location"] == "/admin/"
    assert "Letzte Nacht und heute" in words(desk.get("/admin/"))


def test_outside_admin_the_language_stays_the_projects(db: None) -> None:
    Client().get("/admin/login/", headers={"accept-language": "de"})
    assert translation.get_language() == settings.LANGUAGE_CODE


def test_times_are_in_the_browsers_zone(desk: Client) -> None:
    [row] = ended(summary())
    assert row.finished_at is not None
    desk.cookies["timezone"] = "Pacific/Auckland"
    there = row.finished_at.astimezone(ZoneInfo("Pacific/Auckland"))
    page = words(desk.get(reverse("admin:summarizer_outcome_change", args=[row.pk])))
    assert f"{there:%d/%m/%Y %H:%M}" in page


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../etc/passwd", "/etc/localtime", "a" * 5000, "\0"])
def test_a_zone_nobody_knows_is_the_projects_own(name: str, rf: RequestFactory) -> None:
    request = rf.get("/admin/")
    request.COOKIES["timezone"] = name
    assert zone_of(request) is None


@pytest.mark.parametrize(
    ("language", "shown"), [("en-gb", "01/12/2026 19:42"), ("de", "01.12.2026 19:42")], ids=["English", "German"]
)
def test_dates_are_written_as_people_write_them(language: str, shown: str) -> None:
    with translation.override(language):
        assert wording.moment(datetime(2026, 12, 1, 19, 42, tzinfo=UTC)) == shown


@pytest.mark.parametrize(("language", "shown"), [("en-gb", "1,234.50 USD"), ("de", "1.234,50 USD")])
def test_money_is_written_as_people_write_it(language: str, shown: str) -> None:
    with translation.override(language):
        assert wording.money(Decimal("1234.5")) == shown
        assert wording.money(None) != wording.money(Decimal(0))


SUMS = {"0": "0.00 USD", "0.000862": "0.000862 USD", "0.0000573": "0.000057 USD", "2.346": "2.35 USD"}


@pytest.mark.parametrize(("amount", "shown"), SUMS.items())
def test_sums_below_a_dollar_are_all_shown_with_the_decimals_that_a_row_needs(amount: str, shown: str) -> None:
    assert wording.money(Decimal(amount)) == shown


@pytest.mark.parametrize(("seconds", "shown"), [(0, "0 s"), (59.9, "59 s"), (61, "1 min 1 s"), (7322, "2 h 2 min")])
def test_a_time_span_is_told_in_the_units_it_needs(seconds: float, shown: str) -> None:
    assert wording.duration(timedelta(seconds=seconds).total_seconds()) == shown


AS_IN_ENGLISH = {"id", "system", "status", "prompt"}


def labels(model: type[Model]) -> Iterator[str]:
    desk: Any = admin.site.get_model_admin(model)
    for name in (*desk.list_display, *desk.fields):
        yield str(label_for_field(name, model, desk)).lower()


@pytest.mark.parametrize("model", [Chat, Answer, DailyAggregate])
def test_every_column_of_the_histories_has_a_german_label(model: type[Model]) -> None:
    english = set(labels(model))
    with translation.override("de"):
        assert english & set(labels(model)) <= AS_IN_ENGLISH
        assert str(model._meta.verbose_name) not in english


def test_each_code_is_told_in_words() -> None:
    assert set(FAILURES) == set(FailureCode)
    assert set(wording.ADVICE) == set(FailureCode) - {FailureCode.TOO_MANY_ROUNDS}  # a row makes two calls at most
    assert set(STOP_REASONS) == set(StopReason)
    assert set(CODES) == set(AnswerCode)
    assert set(DOCUMENT_STATUSES) == set(DocumentStatus)


def pages_of_a_failure(code: FailureCode) -> Iterator[str]:
    """Of a row, a chat, an answer and a kept total that failed so."""
    [row] = ended(failure(code))
    chat = Chat.objects.create(state="failed", message="Oslo?", rounds=1, failure=code)
    answer = Answer.objects.create(state="failed", channel="answer", question="When?", failure=code)
    DailyAggregate.objects.create(system="summarizer", day=date(2026, 1, 2), state="failed", failure=code, rows=1)
    for name in ("index", "summarizer_failedrow_changelist", "summarizer_outcome_changelist",
                 "weatherbot_chat_changelist", "audit_dailyaggregate_changelist"):  # fmt: skip
        yield reverse(f"admin:{name}")
    for name, key in (("summarizer_outcome", row.pk), ("summarizer_run", row.run_id), ("weatherbot_chat", chat.pk),
                      ("evidencedesk_answer", answer.pk)):  # fmt: skip
        yield reverse(f"admin:{name}_change", args=[key])


@pytest.mark.parametrize("code", FailureCode)
def test_a_failure_is_told_in_the_same_words_on_every_page(admin_client: Client, code: FailureCode) -> None:
    for address in pages_of_a_failure(code):
        page = admin_client.get(address).content.decode()
        listed = re.search(r'<table id="result_list".*?</table>', page, re.DOTALL)
        assert escape(str(FAILURES[code])) in (listed[0] if listed else page), address


RECORDED = "The provider was silent for too long."


def test_a_failed_chat_is_told_in_german_beside_what_was_recorded(admin_client: Client) -> None:
    chat = Chat.objects.create(
        state="failed", message="Oslo?", rounds=1, failure="timeout", failure_detail=RECORDED, input_tokens=12345,
        started_at=timezone.now(),
    )  # fmt: skip
    listed = words(admin_client.get("/admin/weatherbot/chat/", headers=IN_GERMAN))
    assert "Wetter-Chat zum Ansehen auswählen" in listed
    assert "Fehlgeschlagen Das Modell hat nicht rechtzeitig geantwortet." in listed
    page = words(admin_client.get(f"/admin/weatherbot/chat/{chat.pk}/change/", headers=IN_GERMAN))
    assert "Fehler Das Modell hat nicht rechtzeitig geantwortet. (timeout)" in page
    assert f"Fehler im Einzelnen, wie aufgezeichnet {RECORDED}" in page
    assert "Tokens hinein 12.345" in page
    chat.refresh_from_db()
    assert (chat.failure, chat.failure_detail) == ("timeout", RECORDED)


def test_a_withheld_answer_is_told_in_german(admin_client: Client) -> None:
    documents = [{"id": "terms", "status": "superseded", "title": "Terms", "sha256": "5e4f"}]
    answer = Answer.objects.create(
        state="withheld", channel="answer", code="unsupported", status="answered", confidence="high", question="When?",
        answer="Soon.", stop_reason="end", documents=documents,
    )  # fmt: skip
    page = words(admin_client.get(f"/admin/evidencedesk/answer/{answer.pk}/change/", headers=IN_GERMAN))
    assert f"Antwort {answer.pk}" in page
    for word in ("Prüfergebnis nicht belegt", "Sicherheit hoch", "Endgrund zu Ende", "terms abgelöst Terms"):
        assert word in page


def test_kept_totals_are_told_in_german(admin_client: Client) -> None:
    for system, state, code, rows in (("summarizer", "failed", "timeout", 1234567), ("weatherbot", "left", "", 2)):
        DailyAggregate.objects.create(
            system=system, day=date(2026, 1, 2), model="gpt", state=state, failure=code, rows=rows
        )
    page = words(admin_client.get("/admin/audit/dailyaggregate/", headers=IN_GERMAN))
    assert "Zusammenfassungen gpt – Fehlgeschlagen Das Modell hat nicht rechtzeitig geantwortet. 1.234.567" in page
    assert "Wetterauskunft gpt – Kunde hat beendet" in page
    for chosen, left in (({"system": "weatherbot"}, 1), ({"state": "failed"}, 1), ({"failure": "internal"}, 0)):
        response = admin_client.get("/admin/audit/dailyaggregate/", chosen)
        assert response.context["cl"].result_count == left


def test_totals_of_a_system_that_is_gone_keep_its_name(admin_client: Client) -> None:
    DailyAggregate.objects.create(system="ledger", day=date(2026, 1, 2), state="booked", rows=1)
    assert "ledger – – booked –" in words(admin_client.get("/admin/audit/dailyaggregate/"))
