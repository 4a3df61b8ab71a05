"""answers.jsonl: what each system answered, in ids only, so that anyone who has the data can score it again."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypedDict


class Answer(TypedDict):
    """One line of the file. Turn ids are those of the question's conversation."""

    data: str
    question_id: str
    system: str
    retrieved: list[str]  # at most 50 turn ids, best first
    package: dict[str, list[str]]  # token limit → turn ids in the package
    retrieve_ms: float
    compose_ms: dict[str, float]  # token limit → milliseconds
    tokens: dict[str, int]  # token limit → tokens used, by the system's own counter


def write_answers(path: Path, answers: Iterable[Answer]) -> Iterator[Answer]:
    """Write each answer as it comes and pass it on; the file is whole once the iterator is used up."""
    with path.open("w", encoding="utf-8") as lines:
        for answer in answers:
            lines.write(json.dumps(answer, ensure_ascii=False) + "\n")
            yield answer


def read_answers(path: Path) -> list[Answer]:
    """Read every line of the file. Raises ValueError naming the line that is not an answer."""
    answers: list[Answer] = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            answer: Answer = json.loads(line)
            missing = Answer.__required_keys__ - answer.keys()
            if missing:
                raise ValueError(f"{path}:{number}: no {', '.join(sorted(missing))}")
            answers.append(answer)
    return answers
