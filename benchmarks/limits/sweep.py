"""Conversations committed to a server of its own, questions asked there at every limit."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from smartbrain import Client
from smartbrain.errors import InvalidArgument
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.plan_pb2 import PlanBudget, PlanDiversity, RetrievalPlan

from benchmarks.limits.judge import Judge
from benchmarks.quality.datasets import DataSet, Question
from benchmarks.quality.smartbrain_system import commit_of

LIMITS = (64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384)
_TIMEOUT = 600.0  # seconds


@dataclass(slots=True)
class Row:
    """One limit. refused: questions that alone are over it. used, exact: of each package. filled: packages by slot."""

    limit: int
    refused: int = 0
    used: list[int] = field(default_factory=list)
    exact: list[int] = field(default_factory=list)
    filled: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    breaches: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)


def sample(data_sets: Sequence[DataSet], most: int) -> list[list[Question]]:
    """Return about as many questions of each data set, evenly spread over its file."""
    chosen = []
    for number, data in enumerate(data_sets):
        wanted = min(most // len(data_sets) + (number < most % len(data_sets)), len(data.questions))
        chosen.append([data.questions[place * len(data.questions) // wanted] for place in range(wanted)])
    return chosen


def sweep(
    target: str,
    data_sets: Sequence[DataSet],
    chosen: Sequence[Sequence[Question]],
    judge: Judge,
    on_step: Callable[[], object],
) -> list[Row]:
    """Return a row for each limit. on_step: called after each conversation and question."""
    rows = {limit: Row(limit) for limit in LIMITS}
    with Client(target) as client:
        for data, questions in zip(data_sets, chosen, strict=True):
            for conversation in data.conversations:
                asked = [one for one in questions if one.conversation_id == conversation.id]
                if asked:
                    memory = f"{data.name}:{conversation.id}"
                    commits = [
                        commit_of(memory, session, turn) for session in conversation.sessions for turn in session.turns
                    ]
                    client.commit_many(commits, memory_id=memory, timeout=_TIMEOUT)
                    on_step()
                for question in asked:
                    _ask(client, memory, conversation.sessions[-1].session_id, question, judge, rows)
                    on_step()
    return list(rows.values())


def _ask(client: Client, memory: str, session: str, question: Question, judge: Judge, rows: Mapping[int, Row]) -> None:
    packages = {}
    for limit, row in rows.items():
        try:
            answer = client.compose(session, question.text, token_limit=limit, memory_id=memory)
            packages[limit] = answer.context
        except InvalidArgument as error:
            row.refused += 1
            if error.field != "token_limit" or str(limit) not in str(error):
                row.breaches["user message"] += 1
                row.examples.append(f"{question.id}: refused for {error.field}")
    if not packages:
        return
    whole = packages[max(packages)]
    short_list = _short_list(client, memory, whole, judge.policy.evidence_max_items)
    for limit, package in packages.items():
        row = rows[limit]
        budget = package.constraints.token_budget
        row.used.append(budget.used)
        row.exact.append(judge.exact_size(package))
        row.filled.update(list(budget.slots))
        row.dropped.update(one.reason for one in package.debug.dropped)
        for rule, words in judge.breaches(question.text, package, whole, short_list):
            row.breaches[rule] += 1
            row.examples.append(f"{question.id}: {rule}: {words}")


def _short_list(client: Client, memory: str, package: ContextPackage, most: int) -> list[str]:
    """Return the ids that Retrieve gives for the plan of a package."""
    diversity = package.constraints.diversity
    caps = PlanDiversity(by_document=diversity.by_document, by_source=diversity.by_source_uri)
    plan = RetrievalPlan(queries=package.debug.planner.queries, budget=PlanBudget(top_k=most, diversity=caps))
    return [one.id for one in client.retrieve(plan, memory_id=memory).pack.evidences]
