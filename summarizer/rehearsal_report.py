"""What a rehearsal has to say, to a person and to a program."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from backoffice.terminal import terminal_json
from summarizer.comparison import Change, amounts_in, named
from summarizer.rehearsal import Compared, Rehearsal
from summarizer.telling import in_full, on_one_line, spent, sums_as_json

WORDS = {
    Change.AMOUNTS: "with changed amounts",
    Change.OUTCOME: "that end otherwise (failures, warnings)",
    Change.WORDING: "in other words",
    Change.NONE: "the same",
}


def rehearsal_lines(rehearsal: Rehearsal) -> Iterator[str]:
    for row in rehearsal.in_order:
        if row.change is not Change.NONE:
            yield from _row_lines(row)
    done = len(rehearsal.compared)
    yield f"{done} of {rehearsal.notes} notes with {rehearsal.model}, stored with {', '.join(rehearsal.stored_models)}:"
    for change in Change:
        yield f"  {rehearsal.counts[change]} {WORDS[change]}"
    if rehearsal.other_prompts:
        yield f"{rehearsal.other_prompts} notes were summarised under another prompt: not every change is the model's."
    yield _spent(rehearsal)
    yield "Nothing was stored."


def _row_lines(row: Compared) -> Iterator[str]:
    yield f"Run {row.run_id}, row {row.row_id}: {_what(row)}"
    for label, ending in (("stored", row.before), ("now   ", row.after)):
        warnings = f" [{', '.join(ending.warnings)}]" if ending.warnings else ""
        said = f"failed ({ending.failure})" if ending.summary is None else on_one_line(ending.summary)
        yield f"  {label}: {said}{warnings}"


def _what(row: Compared) -> str:
    if row.change is not Change.AMOUNTS:
        return WORDS[row.change].removeprefix("that ")
    before, after = amounts_in(row.before.summary), amounts_in(row.after.summary)
    return f"changed amounts: {named(before - after)} became {named(after - before)}"


def _spent(rehearsal: Rehearsal) -> str:
    if rehearsal.rows_of_unknown_cost or rehearsal.known_stored_cost is None:
        return f"{spent(rehearsal)}."
    least = "at least " if rehearsal.rows_of_unknown_stored_cost else ""
    return f"{spent(rehearsal)}; stored, the same notes cost {least}{rehearsal.known_stored_cost:.6f} USD."


def rehearsal_as_json(rehearsal: Rehearsal, exit_status: int) -> str:
    """One line: the counts, and every note that changed, changed amounts first."""
    changed = [row for row in rehearsal.in_order if row.change is not Change.NONE]
    fields = asdict(rehearsal) | sums_as_json(rehearsal)
    fields |= {
        "done": len(rehearsal.compared),
        "counts": {change.value: rehearsal.counts[change] for change in Change},
        "compared": [_row_as_json(row) for row in changed],
        "stored_cost": in_full(rehearsal.known_stored_cost),
        "exit_status": exit_status,
    }
    return terminal_json(fields)


def _row_as_json(row: Compared) -> dict[str, Any]:
    endings = {
        name: asdict(ending) | {"amounts": [str(amount) for amount in sorted(amounts_in(ending.summary))]}
        for name, ending in (("before", row.before), ("after", row.after))
    }
    return {"run_id": row.run_id, "row_id": row.row_id, "change": row.change.value, **endings}
