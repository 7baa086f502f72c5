"""The log of admin tells what was done in words."""

from django.contrib.admin.models import ADDITION, LogEntry
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.admin.staff import words


def test_a_log_entrys_page_tells_the_deed_in_words(auditor: Client) -> None:
    anton = User.objects.get(username="anton")
    entry = LogEntry.objects.create(user=anton, action_flag=ADDITION, change_message='[{"added": {}}]')
    page = words(auditor.get(reverse("admin:admin_logentry_change", args=[entry.pk])))
    assert "Added." in page
    assert "{" not in page
