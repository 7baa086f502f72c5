"""What a rehearsal has to say, to a person and to a program."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from summarizer.comparison import Change, amounts_in, named
from summarizer.rehearsal import Compared, Rehearsal

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
        yield f"  {label}: {ending.summary if ending.summary is not None else f'failed ({ending.failure})'}{warnings}"


def _what(row: Compared) -> str:
    if row.change is not Change.AMOUNTS:
        return WORDS[row.change].removeprefix("that ")
    before, after = amounts_in(row.before.summary), amounts_in(row.after.summary)
    return f"changed amounts: {named(before - after)} became {named(after - before)}"


def _spent(rehearsal: Rehearsal) -> str:
    tokens = f"{rehearsal.input_tokens:,} tokens in, {rehearsal.output_tokens:,} out"
    unknown = rehearsal.rows_of_unknown_cost
    if unknown and unknown == len(rehearsal.compared):
        return f"{tokens}, of unknown cost."
    if unknown:
        return f"{tokens}, at least {rehearsal.cost:.6f} USD ({unknown} rows of unknown cost)."
    return f"{tokens}, {rehearsal.cost:.6f} USD; stored, the same notes cost {rehearsal.stored_cost:.6f} USD."


def rehearsal_as_json(rehearsal: Rehearsal, exit_status: int) -> str:
    """One line: the counts, and every note that changed, changed amounts first."""
    changed = [row for row in rehearsal.in_order if row.change is not Change.NONE]
    fields = asdict(rehearsal) | {
        "done": len(rehearsal.compared),
        "counts": {change.value: rehearsal.counts[change] for change in Change},
        "compared": [_row_as_json(row) for row in changed],
        "cost": str(rehearsal.cost),
        "stored_cost": str(rehearsal.stored_cost),
        "exit_status": exit_status,
    }
    return json.dumps(fields, ensure_ascii=False)


def _row_as_json(row: Compared) -> dict[str, Any]:
    endings = {
        name: asdict(ending) | {"amounts": [str(amount) for amount in sorted(amounts_in(ending.summary))]}
        for name, ending in (("before", row.before), ("after", row.after))
    }
    return {"run_id": row.run_id, "row_id": row.row_id, "change": row.change.value, **endings}
