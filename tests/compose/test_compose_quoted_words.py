"""What a message quotes is looked for word for word."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from brain_core import Brain
from tests.building import compose, open_brain, say

SAID = "On the ferry we saw a blue whale near the pier."
SAID_ZH = "昨天在船上看到了一头蓝鲸。"


@pytest.fixture
def told(folder: Path) -> Iterator[Brain]:
    with open_brain(folder, policies={"retention": {"learn_from": []}}) as brain:
        brain.commit_turn(say("m", "a", SAID))
        brain.commit_turn(say("m", "b", SAID_ZH))
        for number in range(20):
            brain.commit_turn(say("m", f"s{number}", f"I said the whale book has a blue cover, chapter {number}."))
            brain.commit_turn(say("m", f"z{number}", f"第{number}条消息说的是鲸鱼，海水很蓝。"))
        yield brain


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ('Where did I say "blue whale"?', SAID),
        ("In which message is “blue whale”?", SAID),
        ("哪条消息里有“蓝鲸”？", SAID_ZH),
        ("我在哪里说过「蓝鲸」", SAID_ZH),
    ],
)
def test_the_message_that_has_the_words_comes_first(told: Brain, message: str, text: str) -> None:
    assert compose(told, "m", "new", message).evidence[0].snippet.endswith(text)


def test_quoted_stop_words_ask_nothing_more(told: Brain) -> None:
    planner = compose(told, "m", "new", 'Is "the" a word?').debug.planner
    assert [query.mode for query in planner.queries] == ["hybrid"]
