"""What the model's log, the database and the reports say about the same night, and whether they agree."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from summarizer.models import Outcome, OutcomeState, Run, RunState


@dataclass(slots=True)
class Asked:
    """What the model was asked about one note."""

    times: list[float] = field(default_factory=list)
    """When it was asked anew, by the clock; the SDK's retries and follow-up calls belong to an asking."""
    said: set[str] = field(default_factory=set)


def read_log(path: Path) -> dict[str, Asked]:
    """By the note's hash."""
    notes: dict[int, str] = {}
    asked: defaultdict[str, Asked] = defaultdict(Asked)
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        number = entry["number"]
        if "came" in entry:
            notes[number] = entry["note"]
            if entry["call"] == 1 and entry["retry"] == 0:
                asked[entry["note"]].times.append(entry["came"])
        else:
            asked[notes[number]].said.add(entry["said"])
    return asked


@dataclass(frozen=True, slots=True)
class Night:
    """The figures of one torture test."""

    rows: int
    summarised: int
    failures: dict[str, int]
    warned: int
    asked: int
    asked_twice: int
    """Askings beyond the first of each row."""
    asked_after_the_end: int
    """Those of them that came when the row's outcome was stored already."""
    reported: int


def figures(asked: Mapping[str, Asked], reports: Iterable[Mapping[str, Any]]) -> Night:
    rows = list(Outcome.objects.defer("exchange"))
    failures = Counter(row.failure for row in rows if row.state == OutcomeState.FAILED)
    return Night(
        rows=len(rows),
        summarised=sum(row.state == OutcomeState.SUMMARISED for row in rows),
        failures=dict(failures.most_common()),
        warned=sum(bool(row.warnings) for row in rows),
        asked=sum(len(note.times) for note in asked.values()),
        asked_twice=sum(len(note.times) - 1 for note in asked.values()),
        asked_after_the_end=sum(_late(row, asked) for row in rows),
        reported=sum(report["rows"] for report in reports),
    )


def _late(row: Outcome, asked: Mapping[str, Asked]) -> int:
    end = row.finished_at.timestamp() if row.finished_at else float("inf")
    return sum(time > end for time in asked[row.text_hash].times if row.text_hash in asked)


def complaints_about_rows(notes: Mapping[str, int], asked: Mapping[str, Asked]) -> Iterator[str]:
    """`notes`: row ids by the hash of the note. Every row in exactly one place, and saying what the model said."""
    stored = Counter(Outcome.objects.values_list("text_hash", flat=True))
    if stored != Counter(dict.fromkeys(notes, 1)):
        yield f"{sum(stored.values())} outcomes of {len(stored)} notes are stored, of {len(notes)} notes queued"
    if open_runs := Run.objects.exclude(state=RunState.COMPLETED).count():
        yield f"{open_runs} runs are not completed"
    for row in Outcome.objects.defer("exchange").iterator():
        where = f"run {row.run_id}, row {row.row_id}"
        if row.state not in (OutcomeState.SUMMARISED, OutcomeState.FAILED):
            yield f"{where} has not ended: {row.state}"
        if row.row_id != notes.get(row.text_hash):
            yield f"{where} holds another row's note"
        if row.state == OutcomeState.SUMMARISED and row.summary not in asked[row.text_hash].said:
            yield f"{where} holds a summary that the model did not give for it: {row.summary!r}"


def complaints_about_reports(reports: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """No row is reported twice, and every failed row that is reported is stored as that."""
    seen: set[tuple[int, int]] = set()
    for report in reports:
        rows, summarised, failed, named = (report[name] for name in ("rows", "summarised", "failed", "failed_rows"))
        if rows != summarised + failed or failed != len(named):
            yield f"a report does not add up: {rows} rows, {summarised} summarised, {failed} failed, {len(named)} named"
        for row in named:
            place = (row["run_id"], row["row_id"])
            if place in seen:
                yield f"run {place[0]}, row {place[1]} is reported twice"
            seen.add(place)
            stored = Outcome.objects.filter(run_id=place[0], row_id=place[1], failure=row["code"])
            if not stored.exists():
                yield f"run {place[0]}, row {place[1]} is reported as {row['code']} and stored otherwise"


def complaints_about_last_job(report: Mapping[str, Any] | None) -> Iterator[str]:
    """The job that nobody disturbed reports exactly what the database has of its rows: the second attempts."""
    rows = Outcome.objects.filter(attempt=2)
    failures = Counter(rows.filter(state=OutcomeState.FAILED).values_list("failure", flat=True))
    spent = list(rows.exclude(cost=None).values_list("cost", "input_tokens", "output_tokens"))
    stored = {
        "rows": rows.count(),
        "summarised": rows.filter(state=OutcomeState.SUMMARISED).count(),
        "failures": dict(failures),
        "warned": rows.exclude(warnings=[]).count(),
        "input_tokens": sum(row[1] for row in spent),
        "output_tokens": sum(row[2] for row in spent),
        "rows_of_unknown_cost": rows.filter(cost=None).count(),
    }
    told = {name: report.get(name) for name in stored} if report else None
    if told != stored:
        yield f"the last job reports {told}, the database has {stored}"
