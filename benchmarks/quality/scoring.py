"""From answers and data to scores. The benchmark and `python -m benchmarks.quality.score` both use this alone."""

from collections.abc import Collection, Iterable, Sequence
from typing import TypedDict

from benchmarks.quality.answers import Answer
from benchmarks.quality.datasets import DataSet, Question
from benchmarks.quality.metrics import mean, package_scores, percentile, ranking_scores, unique

Row = dict[str, float]


class LevelScores(TypedDict):
    """Means over the questions that have gold ids at this level; `package@N`: share of gold in the package of N."""

    questions: int
    unlabelled: int  # questions without gold at this level: left out
    overall: Row  # without the excluded categories
    by_category: dict[str, Row]  # each with its number of "questions"; excluded categories too


class Scores(TypedDict):
    """One system on one data set. Times in milliseconds; times and tokens are of every question asked."""

    data: str
    system: str
    answered: int
    blank_questions: int  # of the data set: without text, asked of no system
    excluded: dict[str, int]  # questions left out of the headline, by category
    absent_gold: int  # gold ids that did not exist when asked; they count as missed
    turn: LevelScores
    session: LevelScores
    retrieve_ms: Row
    compose_ms: dict[str, Row]
    tokens: dict[str, Row]


def score(answers: Sequence[Answer], data_sets: Iterable[DataSet], excluded: Collection[str]) -> list[Scores]:
    """Score by data set and system, in the order they first stand in the answers.

    Raises ValueError for an answer to an unknown data set or question, or a second one to the same question.
    """
    data_by_name = {data.name: data for data in data_sets}
    groups: dict[tuple[str, str], dict[str, Answer]] = {}
    for answer in answers:
        group = groups.setdefault((answer["data"], answer["system"]), {})
        if answer["question_id"] in group:
            raise ValueError(f"{answer['data']}: {answer['system']} answered {answer['question_id']} twice")
        group[answer["question_id"]] = answer
    unknown = {name for name, _ in groups} - data_by_name.keys()
    if unknown:
        raise ValueError(f"answers to data that was not given: {', '.join(sorted(unknown))}")
    return [_score_system(data_by_name[name], list(group.values()), excluded) for (name, _), group in groups.items()]


def _score_system(data: DataSet, answers: Sequence[Answer], excluded: Collection[str]) -> Scores:
    questions = {question.id: question for question in data.questions}
    unknown = [answer["question_id"] for answer in answers if answer["question_id"] not in questions]
    if unknown:
        raise ValueError(f"{data.name}: answers to unknown questions: {', '.join(unknown[:3])}")
    pairs = [(questions[answer["question_id"]], answer) for answer in answers]
    return Scores(
        data=data.name,
        system=answers[0]["system"],
        answered=len(answers),
        blank_questions=data.blank_questions,
        excluded=_count_excluded((question for question, _ in pairs), excluded),
        absent_gold=sum(data.absent_gold(question) for question, _ in pairs),
        turn=_level([(question, _turn_row(data, question, answer)) for question, answer in pairs], excluded),
        session=_level([(question, _session_row(data, question, answer)) for question, answer in pairs], excluded),
        retrieve_ms=_times([answer["retrieve_ms"] for answer in answers]),
        compose_ms={limit: _times([a["compose_ms"][limit] for a in answers]) for limit in answers[0]["compose_ms"]},
        tokens={
            limit: {
                "mean": sum(answer["tokens"][limit] for answer in answers) / len(answers),
                "max": float(max(answer["tokens"][limit] for answer in answers)),
            }
            for limit in answers[0]["tokens"]
        },
    )


def _turn_row(data: DataSet, question: Question, answer: Answer) -> Row | None:
    """Score rankings by turn; of a package what its reader has, so that one turn stands for another of its words."""
    if not question.gold_turns:
        return None
    first = data.first_to_say[question.conversation_id]
    package = {limit: [first.get(turn, turn) for turn in turns] for limit, turns in answer["package"].items()}
    gold = unique(first.get(turn, turn) for turn in question.gold_turns)
    return ranking_scores(answer["retrieved"], question.gold_turns) | _inside(package, gold)


def _session_row(data: DataSet, question: Question, answer: Answer) -> Row | None:
    """Score with each turn standing for its session; turns the conversation does not have keep their place."""
    if not question.gold_sessions:
        return None
    session_of = data.session_of[question.conversation_id]
    retrieved = [session_of.get(turn, "") for turn in answer["retrieved"]]
    package = {limit: [session_of.get(turn, "") for turn in turns] for limit, turns in answer["package"].items()}
    return ranking_scores(unique(retrieved), question.gold_sessions) | _inside(package, question.gold_sessions)


def _inside(package: dict[str, list[str]], gold: Sequence[str]) -> Row:
    row: Row = {}
    for limit, ids in package.items():
        inside = package_scores(ids, gold)
        row[f"package@{limit}"] = inside["share"]
        row[f"package_all@{limit}"] = inside["all"]
    return row


def _level(rows: Sequence[tuple[Question, Row | None]], excluded: Collection[str]) -> LevelScores:
    labelled = [(question.category, row) for question, row in rows if row is not None]
    headline = [row for category, row in labelled if category not in excluded]
    by_category: dict[str, Row] = {}
    for category in sorted({category for category, _ in labelled}):
        of_it = [row for other, row in labelled if other == category]
        by_category[category] = {"questions": float(len(of_it)), **mean(of_it)}
    return LevelScores(
        questions=len(headline),
        unlabelled=len(rows) - len(labelled),
        overall=mean(headline),
        by_category=by_category,
    )


def _count_excluded(questions: Iterable[Question], excluded: Collection[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for question in questions:
        if question.category in excluded:
            counts[question.category] = counts.get(question.category, 0) + 1
    return counts


def _times(values: Sequence[float]) -> Row:
    return {"p50": percentile(values, 0.50), "p95": percentile(values, 0.95)}
