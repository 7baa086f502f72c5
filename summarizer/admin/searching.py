"""Search over rows: by row id, by person, in the note and in the summary, within the rows of the period shown."""

from functools import reduce
from operator import or_

from django.contrib.auth import get_user_model
from django.db.models import Q

from summarizer.models import OutcomeQuerySet
from summarizer.schemas import MAX_ROW_ID

MAX_WORDS = 5


def search_rows(rows: OutcomeQuerySet, text: str) -> OutcomeQuerySet:
    """Rows in which every word is found. One query finds the people, whatever the words."""
    words = text.replace("\0", "").split()[:MAX_WORDS]
    people = _people(words)
    for word in words:
        named = [pk for pk, names in people if word.casefold() in names]
        found = Q(text__icontains=word) | Q(summary__icontains=word) | Q(run__created_by__in=named)
        if word.isdecimal() and 0 < int(word[:6]) <= MAX_ROW_ID:
            found |= Q(row_id=int(word[:6]))
        rows = rows.filter(found)
    return rows


def _people(words: list[str]) -> list[tuple[int, str]]:
    """Those whose name has one of the words: id, and the names in lower case."""
    if not words:
        return []
    fields = ("username", "first_name", "last_name")
    condition = reduce(or_, (Q(**{f"{field}__icontains": word}) for word in words for field in fields))
    users = get_user_model().objects.filter(condition).values_list("pk", *fields)[:100]
    return [(pk, " ".join(names).casefold()) for pk, *names in users]
