"""How well the right turn is found, in conversations written for the purpose: no number may fall without a word."""

from __future__ import annotations

from pathlib import Path

import pytest
from smartbrain.v1.plan_pb2 import RetrievalPlan
from smartbrain.v1.retrieval_service_pb2 import RetrieveRequest

from benchmarks.quality.datasets import DataSet, load_data
from benchmarks.quality.metrics import unique
from benchmarks.quality.smartbrain_system import commit_of, hybrid_plan
from brain_core import Brain
from brain_core.policy import load_policy

WORLDS = Path(__file__).parents[2] / "benchmarks/quality/worlds"
_K = 10


def _recall(brain: Brain, data: DataSet) -> float:
    """Return the mean recall of gold turns among the first ten."""
    return sum(
        len({*_found(brain, question.conversation_id, hybrid_plan(question.text))} & {*question.gold_turns})
        / len(question.gold_turns)
        for question in data.questions
    ) / len(data.questions)


def _found(brain: Brain, memory: str, plan: RetrievalPlan) -> list[str]:
    pack = brain.retrieve(RetrieveRequest(memory_id=memory, plan=plan)).pack
    return unique(one.ref.message_id for one in pack.evidences if one.ref.message_id)[:_K]


@pytest.mark.parametrize(
    ("name", "least", "in_the_other_language"),
    [
        ("en_friends_b", 0.81, 0.67),
        ("zh_friends_a", 0.74, 0.55),
        ("en_assistant_a", 0.81, 0.60),
        ("zh_docs", 0.99, 0.94),
        ("mixed_agent", 0.75, 0.78),
    ],
)
def test_as_many_gold_turns_are_found_as_were(
    name: str, least: float, in_the_other_language: float, tmp_path: Path
) -> None:
    asked, asked_otherwise = (load_data(WORLDS / name, asked=field) for field in ("question", "question_other"))
    with Brain.open(tmp_path, load_policy({"store": {"durability": "process"}})) as brain:
        for session in asked.conversations[0].sessions:
            for turn in session.turns:
                brain.commit_turn(commit_of(name, session, turn), sync=False)
        assert _recall(brain, asked) >= least
        assert _recall(brain, asked_otherwise) >= in_the_other_language


def test_each_world_is_whole() -> None:
    for folder in WORLDS.iterdir():
        if folder.is_dir():
            data = load_data(folder)
            assert len(data.questions) >= 140, folder.name
            assert not any(data.absent_gold(question) for question in data.questions), folder.name
            assert all(question.gold_turns for question in data.questions), folder.name
            others = load_data(folder, asked="question_other").questions
            assert not {one.text for one in others} & {one.text for one in data.questions}, folder.name
