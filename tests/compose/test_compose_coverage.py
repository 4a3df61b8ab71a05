"""Coverage: what a question is about stands in the evidence if anything found has it; not all is of one source."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from smartbrain.v1.context_pb2 import ContextPackage
from smartbrain.v1.event_pb2 import Message

from brain_core import Brain
from brain_core.kernels.features import NAMES
from tests.building import compose, open_brain, plan, say, turn

NEWEST_FIRST = {**dict.fromkeys(NAMES, 0.0), "semantic": 0.5, "recency": 1.0}
"""Weights under which a rare word alone lifts nothing."""

LATER = 300 * 86_400


def opened(folder: Path, **composition: float) -> Brain:
    policies = {"composition": {"mmr_trade": 1.0, **composition}, "ranking": {"weights": NEWEST_FIRST}}
    return open_brain(folder, policies=policies)


@pytest.fixture
def brain(folder: Path) -> Iterator[Brain]:
    """Give a memory that ranks what is new, with one old message each about Kyoto and 京都."""
    with opened(folder, tokens_exponent=0.0) as brain:
        brain.commit_turn(say("m", "k", "Kyoto: bring the ladder and the red paint to the shed on Friday.", at=0))
        brain.commit_turn(say("m", "j", "京都那边周五要把梯子和红油漆搬到棚子里。", at=0))
        for number in range(13):
            brain.commit_turn(say("m", f"s{number}", f"What does a hotel cost on a journey, plan {number}?", at=LATER))
            brain.commit_turn(say("m", f"z{number}", f"第{number}次旅行的酒店多少钱一晚？", at=LATER))
        yield brain


def why(package: ContextPackage, words: str) -> list[str]:
    return [one.id for one in package.debug.why_selected if words in one.reason]


@pytest.mark.parametrize(
    ("message", "word", "text"),
    [("What does a hotel cost in Kyoto?", "Kyoto", "Kyoto: bring"), ("京都的酒店多少钱一晚？", "京都", "京都那边")],
)
def test_the_rarest_word_found_is_covered(brain: Brain, message: str, word: str, text: str) -> None:
    package = compose(brain, "m", "new", message)
    assert any(text in piece.snippet for piece in package.evidence)
    assert len(package.evidence) == 12
    (placed,) = why(package, f"covers {word!r}")
    (lost,) = [one for one in package.debug.dropped if f"gave way to {placed}, which covers {word!r}" in one.detail]
    assert lost.reason == "budget"
    assert lost.id not in {one.id for one in package.evidence}
    assert placed not in {one.id for one in package.debug.dropped}


def test_the_weakest_piece_gives_way(brain: Brain) -> None:
    question = "What does a hotel cost in Kyoto?"
    covering = compose(brain, "m", "new", question)
    (placed,) = why(covering, "covers")
    (lost,) = [one.id for one in covering.debug.dropped if "gave way" in one.detail]
    asked = plan(question)
    asked.budget.top_k = 30
    scores = {piece.id: piece.score for piece in compose(brain, "m", "new", "x", plan=asked).evidence}
    assert all(scores[lost] <= piece.score for piece in covering.evidence if piece.id != placed)


def test_it_holds_at_every_limit_at_which_the_piece_fits(brain: Brain) -> None:
    for limit in (100, 128, 160, 200, 256, 384, 512, 1024, 2048):
        package = compose(brain, "m", "new", "What does a hotel cost in Kyoto?", token_limit=limit)
        budget = package.constraints.token_budget
        assert budget.used <= limit
        if not any("Kyoto" in piece.snippet for piece in package.evidence):
            assert limit < 200, "the piece alone is not larger"


def test_what_is_covered_is_left_alone(brain: Brain) -> None:
    package = compose(brain, "m", "new", "What does a hotel cost on a journey?")
    assert not why(package, "covers")
    assert not [one for one in package.debug.dropped if "gave way" in one.detail]


def test_a_word_that_nothing_found_has_changes_nothing(brain: Brain) -> None:
    package = compose(brain, "m", "new", "What does a hotel cost in Reykjavik?")
    assert package.evidence
    assert not why(package, "Reykjavik")


def test_a_speaker_who_is_named_is_covered(folder: Path) -> None:
    with opened(folder) as brain:
        for number in range(24):
            brain.commit_turn(say("m", f"s{number}", f"My opinion of the new office, number {number}: it is too loud."))
        for name, text in (("Zoltan", "Bring the ladder."), ("李雷", "记得带梯子。")):
            said = Message(role="user", speaker=name, content=text)
            brain.commit_turn(turn("m", name, messages=[said]))
        for name in ("Zoltan", "李雷"):
            package = compose(brain, "m", "new", f"opinion of the new office, {name}?")
            assert any(piece.title.startswith(name) for piece in package.evidence), name
            assert why(package, "covers")


def test_a_plan_without_words_wants_none(brain: Brain) -> None:
    package = compose(brain, "m", "new", "x", plan=plan("What does a hotel cost in Kyoto?", mode="semantic"))
    assert package.evidence
    assert not why(package, "covers")


def test_evidence_is_not_all_of_one_source_where_another_qualifies(folder: Path) -> None:
    with opened(folder, evidence_max_items=2, max_snippet_chars=60) as brain:  # two parts share no piece
        parts = [Message(role="user", content=f"The roof of the barn leaks near beam {n}.") for n in range(2)]
        apart = Message(role="tool", content="unrelated " * 300)
        brain.commit_turn(turn("m", "a", messages=[parts[0], apart, parts[1]]))
        brain.commit_turn(say("m", "b", "Some other day, the barn and its roof leaks were mentioned by a neighbour."))
        package = compose(brain, "m", "new", "The roof of the barn leaks near beam?")
        assert len(package.evidence) == 2
        assert len({piece.source_uri for piece in package.evidence}) == 2
        (placed,) = why(package, "is of another source")
        assert any(f"gave way to {placed}, which is of another source" in one.detail for one in package.debug.dropped)
