"""What stands on buttons and over texts is what they are."""

import re

from django.test import Client
from django.urls import reverse

from tests.admin.night import ended, failure, summary
from tests.admin.staff import words


def headings(client: Client, address: str) -> list[str]:
    return re.findall(r"<h2>(.*?)</h2>", client.get(address).content.decode())


def test_an_error_is_not_headed_as_a_summary(desk: Client) -> None:
    [failed, good] = ended(failure(), summary())
    shown = headings(desk, reverse("admin:summarizer_outcome_change", args=[failed.pk]))
    assert ("What went wrong" in shown, "Summary" in shown) == (True, False)
    shown = headings(desk, reverse("admin:summarizer_outcome_change", args=[good.pk]))
    assert ("What went wrong" in shown, "Summary" in shown) == (False, True)


def test_the_button_of_a_lists_actions_does_not_claim_to_run_anything(desk: Client) -> None:
    ended(failure())
    page = desk.get(reverse("admin:summarizer_failedrow_changelist"))
    [buttons] = re.findall(r'<button[^>]*name="index"[^>]*>(.*?)</button>', page.content.decode(), re.DOTALL)
    assert buttons.strip() == "Continue"
    assert "selected" in words(page)


def test_the_side_bar_calls_what_is_administered_so(auditor: Client) -> None:
    page = words(auditor.get(reverse("admin:index")))
    assert "Administration" in page
    assert "House" not in page
