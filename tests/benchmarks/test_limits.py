"""The sweep over token limits, short, and its judge, who must see what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.evidence_pb2 import Dropped

from benchmarks.limits import __main__ as limits
from benchmarks.limits.__main__ import SAME_PIECES
from benchmarks.limits.judge import Judge
from benchmarks.limits.sweep import LIMITS
from brain_core.compose.slots import SlotCounter
from brain_core.policy import load_policy
from brain_core.text.tokens import ApproxCounter
from tests.building import compose, open_brain, pref, say, turn
from tests.tokenizer_files import MINILM, byte_level

QUESTION = "Which herd eats grass? 斑马吃什么？"


def test_a_small_run(data_folder: Path, tmp_path: Path) -> None:
    if not MINILM.exists():
        pytest.skip("../shared is absent, and the estimate is made for its tokenizer")
    arguments = ["--data", str(data_folder), "--tokenizer", str(MINILM), "--questions", "4"]
    assert limits.main([*arguments, "--out", str(tmp_path / "out")]) == 0
    results = json.loads((tmp_path / "out" / "results.json").read_text(encoding="utf-8"))
    assert results["questions"] == {"made_up": 4}
    assert len(results["counters"]) == 2
    for lines in results["counters"].values():
        assert [line["limit"] for line in lines] == list(LIMITS)
        assert all(line["packages"] + line["refused"] == 4 for line in lines)
        assert not any(line["breaches"] for line in lines)
        assert lines[-1]["filled"]["evidence"] == lines[-1]["filled"]["developer_blocks"] == 4
        assert all(line["used"] <= line["limit"] for line in lines)
    table = (tmp_path / "out" / "table.md").read_text(encoding="utf-8")
    assert table.count("| 16,384 | 4 | 0 |") == 2
    assert "Lisbon" not in table + json.dumps(results), "no text of the data"


def test_bad_data_is_a_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--data", str(tmp_path), "--tokenizer", str(byte_level("gpt2")), "--out", str(tmp_path / "out")]
    assert limits.main(arguments) == 1
    assert str(tmp_path) in capsys.readouterr().err


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> tuple[ContextPackage, ContextPackage]:
    """Give a package under a tight limit and the one that had all the room."""
    rules = [{"type": "other", "text": "Be brief. 简短。"}]
    composition = {"developer_blocks": rules, **SAME_PIECES}
    with open_brain(tmp_path_factory.mktemp("b"), policies={"composition": composition}) as brain:
        brain.commit_turn(turn("m", "s", preferences=[pref("tone", "short")]))
        for number in range(20):
            brain.commit_turn(say("m", f"s{number % 3}", f"Herd {number} of the zebras eats grass.", "斑马吃草。"))
        tight, whole = (compose(brain, "m", "s1", QUESTION, token_limit=limit) for limit in (350, 100_000))
        return tight, whole


def _shrunk(package: ContextPackage) -> None:
    package.constraints.token_budget.limit = 20


def _miscounted(package: ContextPackage) -> None:
    package.constraints.token_budget.used += 1


def _other_words(package: ContextPackage) -> None:
    package.user_message.content += "!"


def _silent(package: ContextPackage) -> None:
    del package.debug.dropped[:]


def _hole(package: ContextPackage) -> None:
    del package.recent_turns[-1]


def _without_block(package: ContextPackage) -> None:
    del package.system_blocks[:]


def _without_rule(package: ContextPackage) -> None:
    del package.developer_blocks[:]


def _top_left_out(package: ContextPackage) -> None:
    package.debug.dropped.append(Dropped(id=package.evidence[0].id, reason="budget", detail="1 tokens do not fit"))


@pytest.mark.parametrize(
    ("harm", "rule"),
    [
        (_shrunk, "size"),
        (_miscounted, "size"),
        (_other_words, "user message"),
        (_silent, "explained"),
        (_hole, "order"),
        (_without_block, "order"),
        (_without_rule, "order"),
        (_top_left_out, "order"),
    ],
)
def test_the_judge_sees_harm(
    packages: tuple[ContextPackage, ContextPackage], harm: Callable[[ContextPackage], None], rule: str
) -> None:
    tight, whole = packages
    judge = Judge(ApproxCounter().count, SlotCounter(ApproxCounter()), load_policy().policies.composition)
    assert list(judge.breaches(QUESTION, tight, whole, [one.id for one in whole.evidence])) == []
    assert len(tight.recent_turns) > 1
    harmed = ContextPackage()
    harmed.CopyFrom(tight)
    harm(harmed)
    found = {name for name, _ in judge.breaches(QUESTION, harmed, whole, [one.id for one in whole.evidence])}
    assert rule in found


def test_the_only_message_of_a_session_has_room_before_evidence(tmp_path: Path) -> None:
    """The judge took a session's only message for no exchange, and blamed the package that held room for it."""
    with open_brain(tmp_path, policies={"composition": SAME_PIECES}) as brain:
        for number in range(3):
            brain.commit_turn(say("m", "s0", f"Herd {number} of the zebras eats the dry grass of the plain."))
        brain.commit_turn(say("m", "s1", "The zebras of the last herd were moved to the far side of the river today."))
        tight, whole = (compose(brain, "m", "s1", QUESTION, token_limit=limit) for limit in (88, 100_000))
        judge = Judge(ApproxCounter().count, SlotCounter(ApproxCounter()), load_policy().policies.composition)
        assert len(whole.recent_turns) == len(tight.recent_turns) == 1
        assert not tight.evidence
        assert not [words for rule, words in judge.breaches(QUESTION, tight, whole, []) if rule == "order"]
