"""Sentences of real conversations that rules once misread."""

from __future__ import annotations

import pytest
from smartbrain.v1.event_pb2 import Message, Turn, TurnEvents
from smartbrain.v1.item_pb2 import MemoryItem

from brain_core.extract.read import read_turn
from brain_core.kinds.draft import Skip
from tests.extraction.reading import CONFIDENCE, RULES_ALONE, drafts, read


@pytest.mark.parametrize(
    "text",
    [
        "Same here, it was a long day.",
        "I'm determined to make it work!",
        "We're determined to make things happen.",
    ],
)
def test_it_teaches_nothing(text: str) -> None:
    assert drafts(text) == []


def test_a_style_one_likes_is_not_the_tone_to_answer_in() -> None:
    assert "pref:writing:tone" not in [each.key for each in drafts("我喜欢印象派的风格。")]


def test_a_sentence_that_points_at_a_task_breaks_nothing_where_there_is_none() -> None:
    assert [each.rule for each in read("Would it be odd if I moved to Berlin?") if each.rule == "rule_broke"] == []


class _Broken:
    """Items that cannot be read at first."""

    def __init__(self) -> None:
        self._asked = 0

    def active(self, item_type: str) -> list[MemoryItem]:
        self._asked += 1
        if self._asked == 1:
            raise RuntimeError(f"no {item_type}")
        return []


def test_a_rule_that_breaks_is_named_and_the_rest_of_the_turn_is_read() -> None:
    said = ["The report is done.", "From now on, always answer in Spanish."]
    turn = Turn(events=TurnEvents(messages=[Message(role="user", content=text) for text in said]))
    first, *rest = read_turn(turn, _Broken(), CONFIDENCE, RULES_ALONE)
    assert isinstance(first, Skip)
    assert (first.path, first.rule) == ("messages[0]", "rule_broke")
    assert "RuntimeError: no " in first.reason
    assert [each.path for each in rest] == ["messages[1]"]
    assert not isinstance(rest[0], Skip)
