"""All attempts at one row, from the first to the last, however it was re-queued in between. Changes nothing."""

from collections.abc import Sequence

from summarizer.models import Outcome, OutcomeQuerySet


def attempts_at(row: Outcome) -> list[Outcome]:
    """Every attempt linked with this one, in their order, with its run, who asked for it, and its reviews.

    They share the row's id and text, so one query finds them; who shares these only by chance (the same note imported
    twice) is told apart by the links.
    """
    same = Outcome.objects.filter(row_id=row.row_id, text_hash=row.text_hash).order_by("pk")
    candidates = same.select_related("run__created_by").prefetch_related("reviews__created_by").defer("run__prompt")
    linked = {row.pk}
    if row.requeued_from_id is not None:
        linked.add(row.requeued_from_id)
    found = list(candidates)
    while grown := {pk for attempt in found for pk in _linked(attempt) if linked & set(_linked(attempt))} - linked:
        linked |= grown
    return [attempt for attempt in found if attempt.pk in linked]


def same_elsewhere(row: Outcome, attempts: Sequence[Outcome]) -> OutcomeQuerySet:
    """The last rows of the same row id and text that are no attempts of this one: the note was imported or sent more
    than once."""
    same = Outcome.objects.filter(row_id=row.row_id, text_hash=row.text_hash)
    return same.exclude(pk__in=[attempt.pk for attempt in attempts]).order_by("-pk")


def _linked(attempt: Outcome) -> tuple[int, ...]:
    return (attempt.pk,) if attempt.requeued_from_id is None else (attempt.pk, attempt.requeued_from_id)
