"""Answers in admin: to be read with all they rested on, and not to be touched."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from backoffice.evidencedesk.models import Answer

ROW = {
    "channel": "answer",
    "question": "When <b>?",
    "answer": "Within 45 days.",
    "documents": [{"id": "terms", "status": "current", "title": "Terms", "sha256": "5e4f" * 16}],
    "exchange": [{"answer": {"text": "Within 45 days."}}],
    "provider": "scripted",
    "model": "gpt-4o-mini-2024-07-18",
}


@pytest.fixture
def auditor(db: None, client: Client) -> Client:
    user = User.objects.create_user("aud", password="aud", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename="view_answer"))
    client.force_login(user)
    return client


@pytest.fixture
def withheld(db: None) -> Answer:
    reasons = [{"loc": ["cited_ids", 0], "msg": "there is no document with this id"}]
    row: Answer = Answer.objects.create(state="withheld", code="unsupported", reasons=reasons, **ROW)
    return row


def test_an_answer_is_shown_with_its_reasons_and_documents(auditor: Client, withheld: Answer) -> None:
    page = auditor.get(f"/admin/evidencedesk/answer/{withheld.pk}/change/").content.decode()
    for text in ("cited_ids/0", "there is no document with this id", "5e4f" * 16, "Within 45 days.", "When &lt;b&gt;?"):
        assert text in page


def test_a_good_answer_is_shown_with_its_evidence(auditor: Client) -> None:
    citations = [{"id": "terms", "title": "Terms", "passage": "Within 45 days it is."}]
    row = Answer.objects.create(state="answered", code="ok", citations=citations, **ROW)
    assert "Within 45 days it is." in auditor.get(f"/admin/evidencedesk/answer/{row.pk}/change/").content.decode()


def test_answers_are_listed_and_searched(auditor: Client, withheld: Answer) -> None:
    assert "When &lt;b&gt;?" in auditor.get("/admin/evidencedesk/answer/").content.decode()
    assert "When &lt;b&gt;?" not in auditor.get("/admin/evidencedesk/answer/?q=nothing").content.decode()


@pytest.mark.parametrize("path", ["add/", "{pk}/delete/"])
def test_nobody_adds_or_deletes_an_answer(auditor: Client, withheld: Answer, path: str) -> None:
    assert auditor.get(f"/admin/evidencedesk/answer/{path.format(pk=withheld.pk)}").status_code == 403


def test_nobody_edits_an_answer(auditor: Client, withheld: Answer) -> None:
    response = auditor.post(f"/admin/evidencedesk/answer/{withheld.pk}/change/", {"answer": "Within 30 days."})
    assert response.status_code == 403
    assert Answer.objects.get().answer == "Within 45 days."
