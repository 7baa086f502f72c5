"""Questions in three languages against the shipped policies and the scripted model, through HTTP."""

from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings

from backoffice.evidencedesk.corpus import load_corpus
from tests.evidencedesk.desk import WITHHELD, Desk

SUPERSEDED = {"payment-terms-2023", "expense-limits-2024"}
QUESTIONS = [
    ("When are customer invoices payable?", "payment-terms", "30"),
    ("Up to how much is a hotel night reimbursed?", "expense-limits", "140"),
    ("How long are invoices and booking records kept?", "data-retention", "8 years"),
    ("Innerhalb wie vieler Tage sind Kundenrechnungen zahlbar?", "payment-terms-de", "30"),
    ("Bis zu welchem Betrag wird eine Hotelübernachtung erstattet?", "expense-limits-de", "140"),
    ("Wie lange werden Rechnungen und Buchungsbelege aufbewahrt?", "data-retention-de", "8 Jahre"),
    ("গ্রাহকের চালান কত দিনের মধ্যে পরিশোধ করতে হবে?", "payment-terms-bn", "৩০"),
    ("হোটেলে প্রতি রাতের খরচ কত পর্যন্ত ফেরত দেওয়া হয়?", "expense-limits-bn", "১৪০"),
    ("গ্রাহকের চ্যাট বার্তা কত দিন পরে মুছে ফেলা হয়?", "data-retention-bn", "১৮০"),
]
UNANSWERED = ["May I bring my dog to the office?", "Darf ich meinen Hund mitbringen?", "কর্মীরা বছরে কত দিন ছুটি পান?"]
FAULTS = ["answer: wrong-number", "answer: unknown-id", "answer: superseded-id", "fault: length", "answer: prose"]


def test_it_holds_a_dozen_policies_two_superseded_ones_and_two_translations() -> None:
    documents = load_corpus(Path(settings.EVIDENCE_CORPUS)).documents
    assert {id_ for id_, document in documents.items() if not document.citable} == SUPERSEDED
    languages = Counter(id_[-3:] if id_.endswith(("-de", "-bn")) else "en" for id_ in documents)
    assert languages["-de"] == languages["-bn"] == 3
    assert languages["en"] >= 14


@pytest.mark.parametrize(("question", "id_", "holds"), QUESTIONS)
async def test_the_right_document_is_cited_in_each_language(desk: Desk, question: str, id_: str, holds: str) -> None:
    body = await desk.ask(question)
    assert (body["ok"], body["cited_ids"]) == (True, [id_])
    assert holds in body["answer"]
    assert body["citations"][0]["passage"] == body["answer"]


@pytest.mark.parametrize(("question", "id_", "holds"), QUESTIONS)
async def test_a_streamed_answer_cites_the_same(desk: Desk, question: str, id_: str, holds: str) -> None:
    streamed = await desk.stream(question)
    verdict = streamed.of("citations")
    assert (verdict["ok"], [citation["id"] for citation in verdict["citations"]]) == (True, [id_])
    assert holds in streamed.text


@pytest.mark.parametrize("question", UNANSWERED)
async def test_a_question_that_no_policy_answers_is_left_open(desk: Desk, question: str) -> None:
    body = await desk.ask(question)
    assert (body["ok"], body["status"], body["cited_ids"]) == (True, "abstained", [])
    assert (await desk.stream(question)).of("citations") == {"ok": True, "citations": []}


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_bad_answer_is_withheld(desk: Desk, fault: str) -> None:
    body = await desk.ask(f"When are customer invoices payable? [[{fault}]]")
    assert body == {**WITHHELD, "code": body["code"]}


@pytest.mark.parametrize("fault", FAULTS[:4])
async def test_a_bad_stream_is_marked(desk: Desk, fault: str) -> None:
    streamed = await desk.stream(f"When are customer invoices payable? [[{fault}]]")
    assert streamed.of("citations") == {"ok": False, "citations": []}
