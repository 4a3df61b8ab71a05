"""Words of like meaning find what says it otherwise, in either language, and are named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from smartbrain.v1.evidence_pb2 import EvidencePack

from brain_core import Brain
from tests.building import compose, open_brain, plan, retrieve, say

_FILLER = (
    "We talked about the weather in the mountains.",
    "The train to the coast was late again.",
    "会议改到下周三下午三点。",
    "新的键盘打字很舒服。",
)


@pytest.fixture
def brain(folder: Path) -> Iterator[Brain]:
    with open_brain(folder, policies={"retention": {"learn_from": []}}) as brain:
        for number, text in enumerate(_FILLER):
            brain.commit_turn(say("m", f"filler{number}", text))
        yield brain


def named(pack: EvidencePack) -> dict[str, float]:
    return {one.term: one.weight for one in pack.explain.expansions if one.source == "alike"}


@pytest.mark.parametrize(
    ("told", "question", "term"),
    [
        ("We bought a sedan from the dealer.", "purchase of vehicles", "bought"),
        ("我们买了一辆汽车。", "purchase of a car", "汽车"),
        ("Our physician prescribed rest.", "医生怎么说？", "physician"),
    ],
)
def test_what_is_said_in_other_words_is_found_by_words(brain: Brain, told: str, question: str, term: str) -> None:
    brain.commit_turn(say("m", "told", told))
    pack = retrieve(brain, "m", plan(question))
    assert pack.evidences[0].snippet == told
    assert pack.evidences[0].signals.fts_rank == 1
    assert 0.2 <= named(pack)[term] <= 0.5
    assert term in {one.term for one in compose(brain, "m", "new", question).debug.planner.expansions}


@pytest.mark.parametrize("mode", ["exact", "relational", "semantic"])
def test_modes_that_take_words_as_they_are_do_not_widen_them(brain: Brain, mode: str) -> None:
    brain.commit_turn(say("m", "told", "We bought a sedan from the dealer."))
    assert not named(retrieve(brain, "m", plan("purchase of vehicles", mode=mode)))


def test_its_own_words_count_more_than_those_like_them(brain: Brain) -> None:
    for session, text in (("like", "We purchased a kettle."), ("own", "We bought a kettle.")):
        brain.commit_turn(say("m", session, text))
    pack = retrieve(brain, "m", plan("bought kettle"))
    assert [one.snippet for one in pack.evidences[:2]] == ["We bought a kettle.", "We purchased a kettle."]


def test_a_text_that_says_it_twice_counts_once(brain: Brain) -> None:
    """Of a word and those like it the best counts: a text in two languages is not twice as good."""
    for session, text in (("one", "The doctor came on Friday with pills."), ("two", "The doctor 医生 physician came.")):
        brain.commit_turn(say("m", session, text))
    scores = {one.ref.session_id: one.signals.fts_score for one in retrieve(brain, "m", plan("doctor")).evidences}
    assert scores["two"] == pytest.approx(scores["one"], rel=0.05)


def test_traditional_characters_are_translated_too(brain: Brain) -> None:
    brain.commit_turn(say("m", "told", "Our physician prescribed rest."))
    assert "physician" in named(retrieve(brain, "m", plan("醫生說什麼？")))


def test_words_of_like_meaning_can_be_left_out(folder: Path) -> None:
    with open_brain(folder, policies={"retrieval": {"alike": {"weight": 0.0}}}) as brain:
        brain.commit_turn(say("m", "told", "We bought a sedan from the dealer."))
        pack = retrieve(brain, "m", plan("purchase of vehicles"))
        assert not named(pack)
        assert pack.evidences[0].signals.fts_rank == 0
