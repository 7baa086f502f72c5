"""The evaluation: what each answer comes to, the shares, and a baseline that nothing may fall behind."""

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from backoffice.evidencedesk.evaluation.grading import Outcome, expected, grade, summary, worse_than
from backoffice.evidencedesk.evaluation.questions import EvaluationQuestion, load_questions
from backoffice.evidencedesk.inquiry import Verdict
from backoffice.evidencedesk.schemas import AnswerCode
from backoffice.llm.failures import FailureCode, ModelFailure

ANSWERED = EvaluationQuestion("When?", document="terms", holds="30")
UNANSWERED = EvaluationQuestion("Who?", abstains=True)
SPOILT = EvaluationQuestion("When? [[answer: prose]]", withheld=True)
RIGHT = Verdict(AnswerCode.OK, "In 30 days.", ("terms",), status="answered")
ABSTAINED = Verdict(AnswerCode.OK, "Not said.", status="abstained")
WITHHELD = Verdict(AnswerCode.UNSUPPORTED, "In 31 days.", ("terms",), status="answered")
FAILED = ModelFailure(FailureCode.TIMEOUT, "late")


def _evaluated(**options: Any) -> str:
    out = StringIO()
    call_command("evaluate_evidence", stdout=out, **options)
    return out.getvalue()


@pytest.fixture
def asked(tmp_path: Path) -> Callable[..., Path]:
    """`asked(question, …)`: a file of these questions."""

    def written(*questions: dict[str, Any]) -> Path:
        file = tmp_path / "questions.jsonl"
        file.write_text("\n".join(map(json.dumps, questions)), encoding="utf-8")
        return file

    return written


@pytest.mark.parametrize(
    ("question", "result", "outcome", "as_expected"),
    [
        (ANSWERED, RIGHT, Outcome.RIGHT, True),
        (ANSWERED, Verdict(AnswerCode.OK, "In 31 days.", ("terms",)), Outcome.WRONG, False),
        (ANSWERED, Verdict(AnswerCode.OK, "In 30 days.", ("fees",)), Outcome.WRONG, False),
        (ANSWERED, Verdict(AnswerCode.OK, "In 30 days.", ("terms", "fees")), Outcome.WRONG, False),
        (ANSWERED, ABSTAINED, Outcome.ABSTAINED, False),
        (ANSWERED, WITHHELD, Outcome.WITHHELD, False),
        (ANSWERED, FAILED, Outcome.FAILED, False),
        (UNANSWERED, ABSTAINED, Outcome.ABSTAINED, True),
        (UNANSWERED, RIGHT, Outcome.WRONG, False),
        (SPOILT, WITHHELD, Outcome.WITHHELD, True),
        (SPOILT, RIGHT, Outcome.WRONG, False),
    ],
)
def test_an_answer_comes_to_one_outcome(
    question: EvaluationQuestion, result: Verdict | ModelFailure, outcome: Outcome, as_expected: bool
) -> None:
    graded = grade(question, result)
    assert (graded.outcome, graded.as_expected) == (outcome, as_expected)


def test_worse_is_what_came_right_before_and_does_not_now() -> None:
    good = [grade(ANSWERED, RIGHT), grade(UNANSWERED, ABSTAINED)]
    bad = [grade(ANSWERED, ABSTAINED), grade(UNANSWERED, RIGHT)]
    assert worse_than(summary(good, "m"), bad) == ["When?", "Who?"]
    assert worse_than(summary(good, "m"), good) == []
    assert worse_than(summary(bad, "m"), bad) == []


def test_the_shipped_questions_are_many_and_a_third_is_answered_badly_on_purpose() -> None:
    questions = load_questions()
    assert len(questions) >= 60
    assert len({question.question for question in questions}) == len(questions)
    spoilt = [question for question in questions if question.withheld]
    assert 3 * len(spoilt) >= len(questions)
    marks = {question.question.rpartition("[[")[2] for question in spoilt}
    assert len(marks) == 5
    assert sum(expected(question) is Outcome.ABSTAINED for question in questions) >= 5


def test_on_the_scripted_model_every_question_comes_to_what_it_should() -> None:
    said = _evaluated()
    assert "66 of 66 came to what they should." in said
    assert "withheld    22   33.3%" in said
    assert "wrong        0    0.0%" in said
    assert "Nothing is worse than in the baseline." in said


def test_a_question_that_got_worse_is_named_and_fails(asked: Callable[..., Path], tmp_path: Path) -> None:
    question = {"question": "When are customer invoices payable?", "document": "payment-terms", "holds": "30"}
    said = _evaluated(questions=asked(question), baselines=tmp_path / "kept", save=True)
    assert "Saved as the baseline scripted.json." in said
    harder = asked({**question, "holds": "31"})
    with pytest.raises(CommandError, match="Worse than the baseline: When are customer"):
        _evaluated(questions=harder, baselines=tmp_path / "kept")


def test_what_did_not_come_right_is_listed_with_its_code(asked: Callable[..., Path], tmp_path: Path) -> None:
    question = {"question": "When are customer invoices payable? [[answer: unknown-id]]", "abstains": True}
    said = _evaluated(questions=asked(question), baselines=tmp_path)
    assert f"- withheld (unsupported), not abstained: {question['question']}" in said
    assert "There is no baseline scripted.json yet; --save makes one." in said


def test_a_failure_of_the_provider_is_no_answer(asked: Callable[..., Path], tmp_path: Path) -> None:
    question = {"question": "When? [[fault: eof]]", "abstains": True}
    assert "- failed (interrupted), not abstained" in _evaluated(questions=asked(question), baselines=tmp_path)


def test_a_real_model_is_not_asked_the_spoilt_questions(
    settings: Settings, asked: Callable[..., Path], tmp_path: Path
) -> None:
    settings.LLM_PROVIDER, settings.OPENAI_API_KEY = "openai", "k"
    settings.OPENAI_BASE_URL = "http://127.0.0.1:9/v1"
    questions = asked({"question": "When?", "abstains": True}, {"question": "[[x]]", "withheld": True})
    said = _evaluated(questions=questions, baselines=tmp_path)
    assert "0 of 1 came to what they should." in said
    assert "gpt-4o-mini-2024-07-18.json" in said


def test_without_a_model_it_says_so(settings: Settings) -> None:
    settings.LLM_PROVIDER, settings.OPENAI_API_KEY = "openai", ""
    with pytest.raises(CommandError, match="OPENAI_API_KEY"):
        _evaluated()
