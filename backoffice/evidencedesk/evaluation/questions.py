"""The questions, and what each should come to. A line of the file is one question:

- `{"question", "document", "holds"}`: answered from this document alone, by a text that holds these words;
- `{"question", "abstains": true}`: no document answers it;
- `{"question", "withheld": true}`: a mark in it has the scripted model answer badly. A real model is not asked it.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

QUESTIONS = Path(__file__).parent / "questions.jsonl"


@dataclass(frozen=True, slots=True)
class EvaluationQuestion:
    question: str
    document: str = ""
    holds: str = ""
    abstains: bool = False
    withheld: bool = False


def load_questions(path: Path = QUESTIONS) -> Sequence[EvaluationQuestion]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [EvaluationQuestion(**json.loads(line)) for line in lines if line.strip()]
