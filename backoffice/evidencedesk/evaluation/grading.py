"""What each answer came to, the shares of it all, and whether anything is worse than it was."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from backoffice.evidencedesk.evaluation.questions import EvaluationQuestion
from backoffice.evidencedesk.inquiry import Verdict
from backoffice.llm.failures import ModelFailure


class Outcome(StrEnum):
    RIGHT = "right"
    """Answered from the right document, with the right words."""
    ABSTAINED = "abstained"
    WITHHELD = "withheld"
    WRONG = "wrong"
    """Shown, and not what the documents say: the worst there is."""
    FAILED = "failed"
    """The provider failed; it says nothing about the answers."""


@dataclass(frozen=True, slots=True)
class Graded:
    question: EvaluationQuestion
    outcome: Outcome
    code: str

    @property
    def as_expected(self) -> bool:
        return self.outcome is expected(self.question)


def expected(question: EvaluationQuestion) -> Outcome:
    if question.withheld:
        return Outcome.WITHHELD
    return Outcome.ABSTAINED if question.abstains else Outcome.RIGHT


def grade(question: EvaluationQuestion, result: Verdict | ModelFailure) -> Graded:
    if isinstance(result, ModelFailure):
        return Graded(question, Outcome.FAILED, result.failure.code)
    return Graded(question, _outcome(question, result), result.code)


def _outcome(question: EvaluationQuestion, verdict: Verdict) -> Outcome:
    if not verdict.ok:
        return Outcome.WITHHELD
    if verdict.status == "abstained":
        return Outcome.ABSTAINED
    right = verdict.cited_ids == (question.document,) and question.holds in verdict.text
    return Outcome.RIGHT if right else Outcome.WRONG


def summary(graded: Sequence[Graded], model: str) -> dict[str, Any]:
    """What the baseline keeps: counts of each outcome, and every question's own."""
    counts = Counter(each.outcome.value for each in graded)
    return {
        "model": model,
        "questions": len(graded),
        "outcomes": {outcome.value: counts[outcome.value] for outcome in Outcome},
        "as_expected": sum(each.as_expected for each in graded),
        "of_each": {each.question.question: each.outcome.value for each in graded},
    }


def worse_than(baseline: Mapping[str, Any], graded: Sequence[Graded]) -> list[str]:
    """The questions that came to what they should in the baseline and do not now."""
    before: Mapping[str, str] = baseline["of_each"]
    return [
        each.question.question
        for each in graded
        if not each.as_expected and before.get(each.question.question) == expected(each.question).value
    ]
