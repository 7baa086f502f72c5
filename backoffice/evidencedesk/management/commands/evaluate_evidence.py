"""Asks the evidence desk every question of the evaluation, and says how good the answers were. Stores no answer."""

import json
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from backoffice.evidencedesk.answers import judged
from backoffice.evidencedesk.evaluation.grading import Graded, Outcome, expected, grade, summary, worse_than
from backoffice.evidencedesk.evaluation.questions import QUESTIONS, EvaluationQuestion, load_questions
from backoffice.evidencedesk.inquiry import begin
from backoffice.evidencedesk.prompts import ANSWER_PROMPT
from backoffice.llm.client import ModelConfig, run_to_end
from backoffice.llm.failures import ModelFailure
from backoffice.management.configured import configured_model

BASELINES = QUESTIONS.parent / "baselines"


class Command(BaseCommand):
    help = "Evaluate the evidence desk's answers against the baseline; exit status 1 where a question is worse."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--questions", type=Path, default=QUESTIONS, help="JSON Lines (default: the shipped ones)")
        parser.add_argument("--baselines", type=Path, default=BASELINES, help="a folder, with one file for each model")
        parser.add_argument("--save", action="store_true", help="make this evaluation the new baseline")

    def handle(self, *_args: Any, **options: Any) -> None:
        config = configured_model()
        scripted = config.provider == "scripted"
        questions = [each for each in load_questions(options["questions"]) if scripted or not each.withheld]
        graded = run_to_end(_all_graded(questions, config))
        self._print(graded)
        name = "scripted" if scripted else config.model
        self._compare(graded, name, options["baselines"] / f"{name}.json", save=options["save"])

    def _print(self, graded: Sequence[Graded]) -> None:
        for outcome in Outcome:
            these = [each for each in graded if each.outcome is outcome]
            self.stdout.write(f"{outcome:<10}{len(these):>4}  {len(these) / len(graded):>6.1%}")
        self.stdout.write(f"{sum(each.as_expected for each in graded)} of {len(graded)} came to what they should.")
        for each in graded:
            if not each.as_expected:
                self.stdout.write(
                    f"- {each.outcome} ({each.code}), not {expected(each.question)}: {each.question.question}"
                )

    def _compare(self, graded: Sequence[Graded], name: str, file: Path, *, save: bool) -> None:
        if save:
            file.parent.mkdir(exist_ok=True)
            text = json.dumps(summary(graded, name), ensure_ascii=False, indent=1)
            file.write_text(f"{text}\n", encoding="utf-8")
            self.stdout.write(f"Saved as the baseline {file.name}.")
        elif not file.exists():
            self.stdout.write(f"There is no baseline {file.name} yet; --save makes one.")
        elif worse := worse_than(json.loads(file.read_text(encoding="utf-8")), graded):
            raise CommandError(f"Worse than the baseline: {'; '.join(worse)}")
        else:
            self.stdout.write("Nothing is worse than in the baseline.")


async def _all_graded(questions: Sequence[EvaluationQuestion], config: ModelConfig) -> list[Graded]:
    return [grade(each, await _asked(each.question, config)) for each in questions]


async def _asked(question: str, config: ModelConfig) -> Any:
    try:
        return await judged(await begin(question, config, ANSWER_PROMPT))
    except ModelFailure as failure:
        return failure
