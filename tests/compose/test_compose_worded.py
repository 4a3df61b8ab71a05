"""What is asked by meaning alone goes by the words that few texts of the memory have, in both languages."""

from __future__ import annotations

import pytest
from smartbrain.v1.brain_service_pb2 import ReplayRequest

from brain_core import Brain
from tests.building import compose, found, plan, say

STUDIO = [f"In the ceramics studio I swept shelf number {number} of the ceramics studio." for number in range(60)]
POTTERY = [f"我在陶艺工作室打扫了陶艺工作室的第{number}个架子。" for number in range(60)]


@pytest.mark.parametrize(
    ("talk", "told", "question"),
    [
        (STUDIO, "The vet said that the dog needs a new diet.", "ceramics studio dog"),
        (POTTERY, "兽医说狗需要换一种狗粮。", "陶艺工作室的狗"),
    ],
)
def test_what_every_text_says_does_not_steer(brain: Brain, talk: list[str], told: str, question: str) -> None:
    for text in [*talk, told]:
        brain.commit_turn(say("m", "s", text))
    assert found(brain, "m", question, mode="semantic")[0] == told


def test_a_context_asked_by_meaning_is_replayed_as_it_was(brain: Brain) -> None:
    for text in STUDIO:
        brain.commit_turn(say("m", "s", text))
    first = compose(brain, "m", "s", "ceramics studio dog", plan=plan("ceramics studio dog", mode="semantic"))
    assert brain.replay(ReplayRequest(memory_id="m", context_id=first.context_id)).identical
